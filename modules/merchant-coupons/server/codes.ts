import { refuse, type FieldFault } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes, type ReadContext, type WriteContext } from '#kit/server/handler.ts'
import { createLabelSheet, type QrLabel } from '#kit/server/label-sheet.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, findByIds, requireById } from '#kit/server/table.ts'
import { merchant } from '#modules/merchants/contract/merchant.ts'
import { ticketState } from '../contract/choices.ts'
import { merchantCode, merchantCodes, printCode, type MerchantCode } from '../contract/code.ts'
import { merchantCoupon } from '../contract/coupon.ts'
import {
  issueCodes,
  maxCodes,
  merchantTicket,
  merchantTickets,
  printTicketCodes,
} from '../contract/ticket.ts'
import { couponText } from '../domain/coupon.ts'
import { codeLinkOf } from './coupon-link.ts'
import { presentCodes, requireSource } from './present.ts'

type CodeDraft = Pick<MerchantCode, 'projectCode' | 'merchantId' | 'couponId'>

async function codeFaults(
  draft: CodeDraft,
  { tx, scope }: WriteContext,
  before: MerchantCode | undefined,
): Promise<FieldFault[]> {
  const { merchantId, couponId, projectCode } = before ?? draft
  const [[shop], [coupon]] = await Promise.all([
    findByIds(tx, merchant, scope, [merchantId]),
    findByIds(tx, merchantCoupon, scope, [couponId]),
  ])
  return [
    ...(shop?.projectCode === projectCode && shop.state !== 'ended'
      ? []
      : [{ Field: 'MerchantID', Message: '商户不存在、已注销或不属于该项目，请重新选择' }]),
    ...(coupon?.projectCode === projectCode
      ? []
      : [{ Field: 'CouponID', Message: '停车券不存在或不属于该项目，请重新选择' }]),
  ]
}

export const codeServer = crudHandlers(merchantCodes, {
  unique: { merchant_code_name_live: '该商户的这种停车券已有同名固定码，请更换名称' },
  references: {
    merchantId: { unchecked: 'codeFaults asks for its project' },
    couponId: { unchecked: 'codeFaults asks for its project' },
  },
  check: codeFaults,
})

const logPrint = (
  { app, scope }: ReadContext,
  entity: string,
  projectCode: string | undefined,
  labels: number,
) =>
  app.database.tx(scope.ownerId, tx =>
    audit(tx, scope, [{ action: 'export', entity, entityId: 0, projectCode, after: { labels } }]),
  )

export const codeHandlers = [
  writes(issueCodes, async ({ merchantId, couponId, qty }, c) => {
    const source = await requireSource(c, 'once', { merchantId, couponId })
    return { ids: (await presentCodes(c, source, qty)).map(String) }
  }),
  reads(printTicketCodes, async ({ address = '', ...query }, c) => {
    const { db, scope, today, app } = c
    const found = await findAll(db, merchantTicket, scope, query, {
      filters: merchantTickets.filters,
      where: [sql`t.plate_no is null and t.state = ${code(ticketState, 'unused')}`],
      limit: maxCodes + 1,
    })
    if (!found.length) return refuse('没有未领取的一次性码，请先生成')
    if (found.length > maxCodes)
      return refuse(`一次最多打印 ${maxCodes} 张，请按商户或发放时间筛选后分次打印`)
    const coupons = await findByIds(
      db,
      merchantCoupon,
      scope,
      found.map(({ couponId }) => couponId),
    )
    const labels: QrLabel[] = []
    for (const ticket of found) {
      const coupon = coupons.find(({ id }) => id === ticket.couponId)
      labels.push({
        code: `${address}${await codeLinkOf(app, 'once', scope.ownerId, ticket.id)}`,
        kind: ticket.merchantName ?? '停车券',
        title: ticket.couponName ?? '',
        place: coupon && couponText(coupon),
        notes: [ticket.parkName, `${ticket.ticketNo} 至 ${ticket.validTo}`],
      })
    }
    await logPrint(c, merchantTicket.name, query.projectCode, labels.length)
    return createLabelSheet(
      { name: `停车券一次性码_${today.replaceAll('-', '')}.pdf`, title: '停车券一次性码' },
      labels,
    )
  }),
  reads(printCode, async ({ id, address = '' }, c) => {
    const { db, scope, app } = c
    const row = await requireById(db, merchantCode, scope, id)
    const coupon = await requireById(db, merchantCoupon, scope, row.couponId)
    await logPrint(c, merchantCode.name, row.projectCode, 1)
    return createLabelSheet({ name: `停车券码_${row.codeName}.pdf`, title: '停车券固定码' }, [
      {
        code: `${address}${await codeLinkOf(app, 'fixed', scope.ownerId, id)}`,
        kind: row.merchantName ?? '停车券',
        title: coupon.couponName,
        place: couponText(coupon),
        notes: [coupon.parkName, row.codeName],
      },
    ])
  }),
]
