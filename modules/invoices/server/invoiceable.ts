import type { Id } from '#kit/domain/id.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, findByIds } from '#kit/server/table.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Fen } from '#kit/domain/money.ts'
import { payRecord, type PayRecord } from '#modules/payments/contract/record.ts'
import { findInvoiceableParts, type InvoiceablePart } from '#modules/payments/server/public.ts'
import { getInvoiceable } from '../contract/invoicing.ts'
import { goodState, invoiceKind } from '../contract/choices.ts'
import { invoiceGood, type InvoiceGood, type InvoiceSetting } from '../contract/setting.ts'
import { kindRefusal, partRefusal } from '../domain/invoice.ts'
import { findSetting } from './setting.ts'
import { findTitles, type InvoicePayer } from './title.ts'

const payerOf = (
  record: Pick<PayRecord, 'payerKind' | 'payerId' | 'payerName' | 'sourceName'>,
): InvoicePayer => ({
  kind: record.payerId ? record.payerKind : undefined,
  id: record.payerId || undefined,
  name: record.payerName ?? record.sourceName,
})

const isSamePayer = (a: InvoicePayer, b: InvoicePayer): boolean =>
  a.id !== undefined || b.id !== undefined ? a.id === b.id && a.kind === b.kind : a.name === b.name

/** INV-1: the one project and payer of the records; refuses others. */
export function requireOnePayer(records: readonly PayRecord[]): {
  readonly payer: InvoicePayer
  readonly project: string
} {
  const [firstRecord, ...otherRecords] = records
  if (!firstRecord) return refuse('请选择要开票的收款')
  const payer = payerOf(firstRecord)
  if (otherRecords.some(record => record.projectCode !== firstRecord.projectCode))
    refuse('一张发票只能开同一个项目的收款')
  const other = otherRecords.find(record => !isSamePayer(payerOf(record), payer))
  return other
    ? refuse(`一张发票只能开给一位缴费人：${payer.name} 与 ${payerOf(other).name} 请分开开票`)
    : { payer, project: firstRecord.projectCode }
}

/** A part's key among those of several records. */
export const partKeyOf = (part: { readonly recordId: Id; readonly detailId?: Id | undefined }): string =>
  `${part.recordId}/${part.detailId ?? ''}`

/** What decisions about parts depend on beside the parts. */
export interface PartContext {
  readonly goodsById: ReadonlyMap<Id, InvoiceGood>
  readonly feeItemsById: ReadonlyMap<Id, { readonly goodId?: Id; readonly taxRate?: string }>
  readonly noTaxGood?: InvoiceGood | undefined
  readonly depositGood?: InvoiceGood | undefined
  /** Ids of the bills that are paid in full. */
  readonly clearedBills: ReadonlySet<Id>
  /** Ids of the records with a refund under way. */
  readonly refundingRecords: ReadonlySet<Id>
}

export async function findPartContext(
  db: Db,
  scope: Scope,
  records: readonly PayRecord[],
  parts: readonly InvoiceablePart[],
): Promise<PartContext> {
  const where = [sql`t.state = ${code(goodState, 'on')}`]
  const goods = await findAll(db, invoiceGood, scope, {}, { where })
  const feeItemIds = parts.flatMap(part => part.feeItemId ?? [])
  const billIds = parts.flatMap(part => part.billId ?? [])
  const feeItems = await db.rows<{ id: Id; goodId?: Id; taxRate?: string }>(
    sql`
      select id, invoice_good_id as good_id, trim_scale(tax_rate)::text as tax_rate
      from fee_item
      where owner_id = ${scope.ownerId} and id = any(${feeItemIds}::bigint[])
    `,
  )
  const cleared = await db.rows<{ id: Id }>(
    sql`
      select id from bill where owner_id = ${scope.ownerId} and id = any(${billIds}::bigint[]) and unpaid <= 0
    `,
  )
  return {
    goodsById: new Map(goods.map(good => [good.id, good])),
    feeItemsById: new Map(feeItems.map(item => [item.id, item])),
    noTaxGood: goods.find(good => good.isNoTax),
    depositGood: goods.find(good => good.isDeposit),
    clearedBills: new Set(cleared.map(bill => bill.id)),
    refundingRecords: new Set(records.filter(record => record.refundingAmount > 0).map(record => record.id)),
  }
}

export interface GoodWithRate {
  readonly good: InvoiceGood
  readonly taxRate: string
}

/** The good and rate by which a part is invoiced: the fee item's own rate before that of the good. */
export function goodOf(part: InvoiceablePart, context: PartContext): GoodWithRate | undefined {
  const { depositGood, noTaxGood, feeItemsById, goodsById } = context
  if (part.income) return depositGood && { good: depositGood, taxRate: depositGood.taxRate }
  if (part.feeItemId === undefined) return noTaxGood && { good: noTaxGood, taxRate: '0' }
  const feeItem = feeItemsById.get(part.feeItemId)
  const good = feeItem?.goodId === undefined ? undefined : goodsById.get(feeItem.goodId)
  return good && { good, taxRate: good.isNoTax ? '0' : (feeItem?.taxRate ?? good.taxRate) }
}

export const findPartRefusal = (
  part: InvoiceablePart,
  amount: Fen,
  context: PartContext,
  rules: Pick<InvoiceSetting, 'refuseNextYear' | 'paidUpOnly'>,
  today: Day,
): string | undefined =>
  partRefusal(
    {
      open: part.open,
      amount,
      label: part.sourceName,
      beginDate: part.beginDate,
      billCleared: part.billId === undefined || context.clearedBills.has(part.billId),
      refunding: context.refundingRecords.has(part.recordId),
      good: goodOf(part, context) !== undefined,
      feeItemName: part.feeItemName,
      income: part.income,
    },
    rules,
    today,
  )

export const noSettingText = '暂无开票设置，请先到「发票设置」填写销方与开票通道'

/** What the dialog shows of a setting; the reason for refusing where there is none. */
const summarizeSetting = (setting: InvoiceSetting | undefined) =>
  setting
    ? {
        setId: setting.id,
        companyName: setting.companyName,
        channel: setting.channel,
        simulated: setting.simulated,
        kinds: setting.kinds.filter(kind => kind in invoiceKind.rows && !kindRefusal(kind, setting)),
        ...(setting.limitAmount === undefined ? {} : { limitAmount: setting.limitAmount }),
      }
    : { refusal: noSettingText }

const defaultRules = { refuseNextYear: true, paidUpOnly: false }

function describePart(
  part: InvoiceablePart,
  record: PayRecord,
  context: PartContext,
  rules: Pick<InvoiceSetting, 'refuseNextYear' | 'paidUpOnly'>,
  today: Day,
) {
  return {
    recordId: part.recordId,
    detailId: part.detailId,
    recordNo: record.recordNo,
    receiptNo: record.receiptNo,
    payTime: record.payTime,
    sourceName: part.sourceName,
    feeItemName: part.feeItemName,
    beginDate: part.beginDate,
    endDate: part.endDate,
    paid: part.paid,
    refunded: part.refunded,
    invoiced: part.invoiced,
    open: part.open,
    goodName: goodOf(part, context)?.good.goodName,
    refusal: findPartRefusal(part, part.open, context, rules, today),
  }
}

export const getInvoiceableHandler = reads(getInvoiceable, async ({ recordIds }, { db, scope, today }) => {
  const records = await findByIds(db, payRecord, scope, recordIds)
  const setting = records[0] && (await findSetting(db, scope.ownerId, records[0].projectCode))
  const { payer, project } = requireOnePayer(records)
  const ids = records.map(record => record.id)
  const parts = await findInvoiceableParts(db, scope.ownerId, ids, setting?.prestoreMode ?? 'deduct')
  const context = await findPartContext(db, scope, records, parts)
  const recordsById = new Map(records.map(record => [record.id, record]))
  const titles = await findTitles(db, scope, payer)
  return {
    projectCode: project,
    payerName: payer.name,
    titles,
    ...summarizeSetting(setting),
    parts: parts.map(part =>
      describePart(part, defined(recordsById.get(part.recordId)), context, setting ?? defaultRules, today),
    ),
  }
})
