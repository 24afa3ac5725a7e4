import { refuse, refuseField } from '#kit/contract/wire.ts'
import { labelOf } from '#kit/contract/field.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { asFen, subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { contains, findAll, findByIds, insert, insertAll, requireById, update } from '#kit/server/table.ts'
import type { Scope } from '#kit/server/scope.ts'
import { issueBatch } from '#modules/bills/server/public.ts'
import { feeItem } from '#modules/fees/contract/item.ts'
import { merchant, merchantState, type Merchant } from '#modules/merchants/contract/merchant.ts'
import { merchantCoupon, type MerchantCoupon } from '../contract/coupon.ts'
import {
  exportMerchantOrders,
  getOrderAndDetails,
  listOrderDetails,
  merchantOrder,
  merchantOrderDetail,
  merchantOrders,
  saveMerchantOrder,
  type MerchantOrder,
  type MerchantOrderDetail,
} from '../contract/order.ts'
import { couponRefusal } from '../domain/coupon.ts'
import { moveSold } from './coupons.ts'
import type { CouponContext } from './coupon-context.ts'
import { grant } from './order-stock.ts'
import { merchantOrderRef } from './order-ref.ts'

/** What the numbers of orders of merchants begin with (G-14). */
export const merchantOrderPrefix = 'SQ'

interface BoughtLine {
  readonly couponId: Id
  readonly qty: number
}

export interface PurchaseInput {
  readonly merchantId: Id
  readonly details: readonly BoughtLine[]
  readonly discountAmount?: Fen | undefined
  readonly refundsExpired?: boolean | undefined
  readonly remark?: string | undefined
}

export const findDetails = (db: Db, scope: Scope, orderId: Id): Promise<MerchantOrderDetail[]> =>
  findAll(db, merchantOrderDetail, scope, {}, { where: [sql`t.order_id = ${orderId}`] })

export function assertOpen({ name, state }: Merchant): void {
  if (state !== 'open') {
    refuse(`商户「${name}」为“${labelOf(merchantState, state)}”，不能购券与发券`)
  }
}

interface PricedLine extends BoughtLine {
  readonly coupon: MerchantCoupon
  readonly amount: Fen
}

/** The coupons of an order, all of the merchant's project, in use and booked under one fee item. */
async function priceLines(
  { tx, scope, today }: CouponContext,
  { projectCode }: Merchant,
  details: readonly BoughtLine[],
): Promise<PricedLine[]> {
  const ids = details.map(({ couponId }) => couponId)
  if (new Set(ids).size < ids.length) {
    refuseField('Details', '同一停车券请合并为一行')
  }
  const coupons = await findByIds(tx, merchantCoupon, scope, ids, { lock: true })
  const priced = details.map(({ couponId, qty }) => {
    const coupon = coupons.find(({ id }) => id === couponId)
    if (coupon?.projectCode !== projectCode)
      return refuseField('Details', '停车券不存在或不属于该商户的项目，请重新选择')
    const refusal = couponRefusal(coupon, today)
    if (refusal) {
      refuseField('Details', refusal)
    }
    return { couponId, qty, coupon, amount: asFen(coupon.sellPrice * qty) }
  })
  if (new Set(priced.map(({ coupon }) => coupon.feeItemId)).size > 1) {
    refuseField('Details', '所选停车券的收费项目不同，请分开下单')
  }
  return priced
}

const describeLines = (lines: readonly PricedLine[]): string =>
  lines.map(({ coupon, qty }) => `${coupon.couponName}×${qty}`).join('、')

/** The bill of an order: of the project, as other income is; it is due today. */
async function issueBill(
  { tx, scope, today }: CouponContext,
  order: MerchantOrder,
  buyer: Merchant,
  lines: readonly PricedLine[],
): Promise<Id> {
  const [item] = await findByIds(tx, feeItem, scope, [lines[0]?.coupon.feeItemId ?? 0])
  if (!item) return refuse('停车券的收费项目已删除，请编辑停车券')
  const content = describeLines(lines)
  const { ids } = await issueBatch(
    tx,
    scope,
    { project: order.projectCode, source: 'parking', state: 'normal' },
    'temporary',
    [
      {
        sourceType: 'publicArea',
        sourceCode: order.projectCode,
        sourceName: buyer.name,
        item,
        begin: today,
        end: today,
        amount: order.payableAmount,
        dueDate: today,
        canOverlap: true,
        order: { type: merchantOrderRef, id: order.id },
        remark: content.slice(0, 200),
      },
    ],
    today,
    { message: `停车券 ${buyer.name} ${order.orderNo}` },
  )
  return parseId(ids[0])
}

/** An order with its bill, which waits for its payment; one that costs nothing is paid at once (PAY-7). */
export async function createOrder(c: CouponContext, input: PurchaseInput): Promise<MerchantOrder> {
  const { tx, scope, now, today } = c
  const buyer = await requireById(tx, merchant, scope, input.merchantId)
  assertOpen(buyer)
  const lines = await priceLines(c, buyer, input.details)
  const totalAmount = sumFen(lines.map(({ amount }) => amount))
  const discountAmount = input.discountAmount ?? asFen(0)
  if (discountAmount > totalAmount) {
    refuseField('DiscountAmount', '优惠不能大于金额')
  }
  await moveSold(tx, scope, lines)
  const order = await insert(tx, merchantOrder, scope, {
    projectCode: buyer.projectCode,
    orderNo: await tx.numbers.next(scope.ownerId, merchantOrderPrefix, today),
    merchantId: buyer.id,
    orderType: 'coupon',
    totalQty: lines.reduce((sum, { qty }) => sum + qty, 0),
    totalAmount,
    discountAmount,
    payableAmount: subtractFen(totalAmount, discountAmount),
    paidAmount: asFen(0),
    orderTime: now,
    refundsExpired: input.refundsExpired ?? false,
    refundedQty: 0,
    refundedAmount: asFen(0),
    netAmount: asFen(0),
    operatorName: scope.name,
    remark: input.remark,
    state: 'pending',
  })
  await insertAll(
    tx,
    merchantOrderDetail,
    scope,
    lines.map(({ couponId, qty, coupon, amount }) => ({
      projectCode: order.projectCode,
      orderId: order.id,
      couponId,
      qty,
      unitPrice: coupon.sellPrice,
      amount,
      refundedQty: 0,
    })),
  )
  if (order.payableAmount === 0) {
    await grant(tx, scope, order, await findDetails(tx, scope, order.id))
    return update(tx, merchantOrder, scope, order.id, { state: 'paid', payTime: now })
  }
  return update(tx, merchantOrder, scope, order.id, { billId: await issueBill(c, order, buyer, lines) })
}

export const orderServer = crudHandlers(merchantOrders, {
  keyword: (word, { scope }) =>
    sql`(${contains(sql`t.order_no`, word.toUpperCase())} or t.merchant_id in (
      select m.id from merchant m where m.owner_id = ${scope.ownerId} and ${contains(sql`m.name`, word)}
    ))`,
  export: exportMerchantOrders,
})

export const orderHandlers = [
  writes(saveMerchantOrder, (input, c) => createOrder(c, input)),
  reads(getOrderAndDetails, async ({ id }, { db, scope }) => ({
    ...(await requireById(db, merchantOrder, scope, id)),
    details: await findDetails(db, scope, id),
  })),
  reads(listOrderDetails, async ({ id }, { db, scope }) => {
    await requireById(db, merchantOrder, scope, id)
    return findDetails(db, scope, id)
  }),
]
