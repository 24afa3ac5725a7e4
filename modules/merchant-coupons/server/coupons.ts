import { refuse, type FieldFault } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, touch } from '#kit/server/sql.ts'
import { findAll, findByIds, requireById, update } from '#kit/server/table.ts'
import { feeItem } from '#modules/fees/contract/item.ts'
import { park } from '#modules/parking/contract/park.ts'
import { couponState } from '../contract/choices.ts'
import {
  listActiveCoupons,
  merchantCoupon,
  merchantCoupons,
  pickCoupons,
  updateCouponState,
  type MerchantCoupon,
} from '../contract/coupon.ts'
import { faceValueFault } from '../domain/coupon.ts'

type Draft = Pick<
  MerchantCoupon,
  'projectCode' | 'parkId' | 'kind' | 'faceValue' | 'feeItemId' | 'validDays' | 'validTo' | 'totalQty'
>

const saleTypes: ReadonlySet<string> = new Set(['temporary', 'other'])

async function placeFaults(
  { projectCode, parkId, feeItemId }: Draft,
  { tx, scope }: WriteContext,
): Promise<FieldFault[]> {
  const [[of], [item]] = await Promise.all([
    findByIds(tx, park, scope, [parkId]),
    findByIds(tx, feeItem, scope, [feeItemId]),
  ])
  return [
    ...(of?.projectCode === projectCode
      ? []
      : [{ Field: 'ParkID', Message: '停车场不存在或不属于该项目，请重新选择' }]),
    ...(item?.state === 'on' && saleTypes.has(item.feeType)
      ? []
      : [{ Field: 'FeeItemID', Message: '请选择启用中的临时类或其他类收费项目' }]),
  ]
}

async function couponFaults(
  draft: Draft,
  c: WriteContext,
  before: MerchantCoupon | undefined,
): Promise<FieldFault[]> {
  const value = faceValueFault(before ?? draft)
  const sold = before?.soldQty ?? 0
  return [
    ...(await placeFaults({ ...draft, parkId: before?.parkId ?? draft.parkId }, c)),
    ...(value === undefined ? [] : [{ Field: 'FaceValue', Message: value }]),
    ...(draft.validDays === undefined && draft.validTo === undefined
      ? [{ Field: 'ValidDays', Message: '有效天数与截止日期至少填写一项' }]
      : []),
    ...(draft.validTo !== undefined && draft.validTo < c.today && draft.validTo !== before?.validTo
      ? [{ Field: 'ValidTo', Message: '截止日期不能早于今天' }]
      : []),
    ...(draft.totalQty !== undefined && draft.totalQty > 0 && draft.totalQty < sold
      ? [{ Field: 'TotalQty', Message: `已售 ${sold} 张，总量不能少于已售` }]
      : []),
  ]
}

/** A coupon that has ended goes on with a later day. */
const stateAfter = ({ validTo }: Draft, before: MerchantCoupon, today: string): object =>
  before.state === 'expired' && (validTo === undefined || validTo >= today) ? { state: 'on' } : {}

async function assertUnused(rows: readonly MerchantCoupon[], { tx, scope }: WriteContext): Promise<void> {
  const sold = rows.find(row => row.soldQty > 0)
  if (sold) {
    refuse(`停车券「${sold.couponName}」已售 ${sold.soldQty} 张，不能删除；不再使用请停用`)
  }
  const used = await tx.one<{ couponId: Id }>(sql`
    select d.coupon_id
    from merchant_order_detail d
    where d.owner_id = ${scope.ownerId} and d.coupon_id = any(${rows.map(row => row.id)}::bigint[])
    limit 1
  `)
  const row = rows.find(({ id }) => id === used?.couponId)
  if (row) {
    refuse(`停车券「${row.couponName}」已有订单，不能删除；不再使用请停用`)
  }
}

export const couponServer = joinServers(
  crudHandlers(merchantCoupons, {
    unique: { merchant_coupon_name_live: '该停车场已有同名停车券，请更换名称' },
    refusesChangeOf: ['projectCode', 'parkId', 'kind', 'faceValue'],
    references: {
      parkId: { unchecked: 'couponFaults asks for its project' },
      feeItemId: { unchecked: 'couponFaults asks for its kind' },
    },
    check: couponFaults,
    beforeInsert: async () => ({ soldQty: 0, state: 'on' }),
    beforeUpdate: async (draft, { today }, before) => stateAfter(draft, before, today),
    beforeDelete: assertUnused,
    pickers: [pickCoupons],
  }),
  {
    handlers: [
      reads(listActiveCoupons, ({ parkCode }, { db, scope, today }) =>
        findAll(
          db,
          merchantCoupon,
          scope,
          {},
          {
            where: [
              sql`t.state = ${code(couponState, 'on')}
              and (t.valid_to is null or t.valid_to >= ${today}::date)
              and t.park_id in (
                select p.id from park p where p.owner_id = ${scope.ownerId} and p.code = ${parkCode}
              )`,
            ],
          },
        ),
      ),
      writes(updateCouponState, async ({ id, state }, { tx, scope }) => {
        const before = await requireById(tx, merchantCoupon, scope, id, { lock: true })
        if (before.state === 'expired' || state === 'expired')
          return refuse('停车券到截止日期自动过期；继续使用请编辑截止日期')
        return update(tx, merchantCoupon, scope, id, {
          state: state ?? (before.state === 'on' ? 'off' : 'on'),
        })
      }),
    ],
  },
)

export interface SoldMove {
  readonly couponId: Id
  readonly qty: number
}

/** What orders have of the total of a coupon: taken with the order, returned where it ends. */
export async function moveSold(tx: Tx, scope: Scope, moves: readonly SoldMove[]): Promise<void> {
  for (const { couponId, qty } of moves.toSorted((a, b) => a.couponId - b.couponId)) {
    const row = await tx.one<{ id: Id }>(sql`
      update merchant_parking_coupon
      set sold_qty = sold_qty + ${qty}::integer, ${touch(scope)}
      where owner_id = ${scope.ownerId}
        and id = ${couponId}
        and (coalesce(total_qty, 0) = 0 or sold_qty + ${qty}::integer <= total_qty or ${qty}::integer < 0)
      returning id
    `)
    if (!row) {
      const { couponName, totalQty = 0, soldQty } = await requireById(tx, merchantCoupon, scope, couponId)
      refuse(`停车券「${couponName}」还可售 ${totalQty - soldQty} 张，请减少数量`)
    }
  }
}
