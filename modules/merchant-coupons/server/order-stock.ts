import { refuse } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { touch } from '#kit/server/sql.ts'
import { requireById } from '#kit/server/table.ts'
import { merchantCoupon } from '../contract/coupon.ts'
import type { MerchantOrder, MerchantOrderDetail } from '../contract/order.ts'
import { moveSold } from './coupons.ts'
import { lockStock, moveStock, tryMoveStock } from './stock.ts'

/** In one order everywhere, so that two steps of a merchant never wait for each other. */
const byCoupon = (details: readonly MerchantOrderDetail[]): MerchantOrderDetail[] =>
  details.toSorted((a, b) => a.couponId - b.couponId)

const keyOf = ({ merchantId }: MerchantOrder, { projectCode, couponId }: MerchantOrderDetail) => ({
  projectCode,
  merchantId,
  couponId,
})

/** An order that was paid gives the merchant its coupons (PAY-4). */
export async function grant(
  tx: Tx,
  scope: Scope,
  order: MerchantOrder,
  details: readonly MerchantOrderDetail[],
): Promise<void> {
  for (const detail of byCoupon(details)) {
    const qty = detail.qty - detail.refundedQty
    await moveStock(tx, scope, { ...keyOf(order, detail), type: 'bought', qty, refNo: order.orderNo })
  }
}

/** The money of an order is not there any more: its coupons go, or the money stays. */
export async function takeBack(
  tx: Tx,
  scope: Scope,
  order: MerchantOrder,
  details: readonly MerchantOrderDetail[],
): Promise<void> {
  for (const detail of byCoupon(details)) {
    const qty = detail.refundedQty - detail.qty
    const key = keyOf(order, detail)
    const isTaken = await tryMoveStock(tx, scope, { ...key, type: 'refunded', qty, refNo: order.orderNo })
    if (!isTaken) {
      const { couponName } = await requireById(tx, merchantCoupon, scope, detail.couponId)
      const balance = await lockStock(tx, scope.ownerId, key)
      refuse(`订单 ${order.orderNo} 的「${couponName}」已发放，结余 ${balance} 张，请先撤回，或在订单中退券`)
    }
  }
}

export interface ReturnedCoupons {
  readonly detail: MerchantOrderDetail
  readonly qty: number
}

/** Moves the coupons of a return: out of the stock, or into it again. */
export async function moveReturned(
  tx: Tx,
  scope: Scope,
  order: MerchantOrder,
  moves: readonly ReturnedCoupons[],
): Promise<void> {
  for (const { detail, qty } of moves.toSorted((a, b) => a.detail.couponId - b.detail.couponId)) {
    const key = keyOf(order, detail)
    await moveStock(tx, scope, { ...key, type: 'refunded', qty: -qty, refNo: order.orderNo })
    await tx.execute(sql`
      update merchant_order_detail
      set refunded_qty = refunded_qty + ${qty}::integer, ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = ${detail.id}
    `)
  }
  await moveSold(
    tx,
    scope,
    moves.map(({ detail, qty }) => ({ couponId: detail.couponId, qty: -qty })),
  )
}
