import { refuse } from '#kit/contract/wire.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, insert, requireById, update } from '#kit/server/table.ts'
import type { FeeRefund } from '#modules/payments/contract/refund.ts'
import { lockDays, refundPartOfBill } from '#modules/payments/server/public.ts'
import { findOrderBills } from '#modules/bills/server/public.ts'
import { merchantCoupon } from '../contract/coupon.ts'
import {
  merchantOrderReturn,
  quoteOrderRefund,
  refundMerchantOrder,
  type MerchantOrderReturn,
} from '../contract/order-return.ts'
import { merchantOrder, type MerchantOrder, type MerchantOrderDetail } from '../contract/order.ts'
import { refundAmount } from '../domain/coupon.ts'
import { isBought } from '../domain/order-state.ts'
import { merchantOrderRef } from './order-ref.ts'
import { finishReturn } from './order-returns.ts'
import { moveReturned, type ReturnedCoupons } from './order-stock.ts'
import { findDetails } from './orders.ts'

interface ReturnedLine {
  readonly detail: MerchantOrderDetail
  readonly couponName: string
  readonly unpresented: number
  readonly refundable: number
}

interface OrderRefund {
  readonly lines: readonly ReturnedLine[]
  readonly qty: number
  readonly amount: Fen
}

/** The stock of a merchant by coupon; read under the lock of the order. */
async function findBalances(db: Db, ownerId: number, order: MerchantOrder): Promise<Map<number, number>> {
  const rows = await db.rows<{ couponId: number; balance: number }>(sql`
    select coupon_id, balance
    from merchant_coupon_stock
    where owner_id = ${ownerId} and merchant_id = ${order.merchantId}
  `)
  return new Map(rows.map(({ couponId, balance }) => [couponId, balance]))
}

/** What of an order is not presented; what has ended goes back where the order says so (C10.3). */
async function planRefund(db: Db, scope: Scope, order: MerchantOrder, today: Day): Promise<OrderRefund> {
  if (!isBought(order.state)) return refuse('只能退已支付的订单')
  if (order.refundId !== undefined) return refuse('已申请退券，请在「退款」中办结或取消后再试')
  const details = await findDetails(db, scope, order.id)
  const coupons = await findByIds(
    db,
    merchantCoupon,
    scope,
    details.map(({ couponId }) => couponId),
  )
  const balances = await findBalances(db, scope.ownerId, order)
  const lines = details.map(detail => {
    const coupon = coupons.find(({ id }) => id === detail.couponId)
    const isExpired = coupon?.validTo !== undefined && coupon.validTo < today
    const unpresented = Math.min(balances.get(detail.couponId) ?? 0, detail.qty - detail.refundedQty)
    const refundable = isExpired && !order.refundsExpired ? 0 : unpresented
    return { detail, couponName: detail.couponName ?? '', unpresented, refundable }
  })
  const qty = lines.reduce((sum, { refundable }) => sum + refundable, 0)
  if (qty === 0) return refuse('订单没有可退的停车券：已全部发放，或已过期且订单未约定过期可退')
  const priced = lines.map(({ detail, refundable }) => ({
    qty: detail.qty,
    unitPrice: detail.unitPrice,
    refunded: detail.refundedQty,
    refundable,
  }))
  return { lines, qty, amount: refundAmount(priced, order.paidAmount, order.refundedAmount) }
}

interface AskedReturn extends Pick<OrderRefund, 'qty' | 'amount'> {
  readonly moves: readonly ReturnedCoupons[]
  readonly reason: string
}

/** What goes back with a refund is written down before it is asked for. */
const writeAsked = (
  { tx, scope, now }: WriteContext,
  order: MerchantOrder,
  { moves, qty, amount, reason }: AskedReturn,
): Promise<MerchantOrderReturn> =>
  insert(tx, merchantOrderReturn, scope, {
    projectCode: order.projectCode,
    orderId: order.id,
    content: moves
      .map(move => `${move.detail.couponName ?? ''}×${move.qty}`)
      .join('、')
      .slice(0, 500),
    qty,
    amount,
    lines: moves.map(move => ({ detailId: move.detail.id, qty: move.qty })),
    askTime: now,
    operatorName: scope.name,
    reason,
    state: 'asked',
  })

type RefundInput = NonNullable<typeof refundMerchantOrder.input.T>

async function refundOrder(c: WriteContext, input: RefundInput): Promise<MerchantOrder> {
  const { tx, scope, now, today } = c
  const { id, refundWay, reason } = input
  const { projectCode } = await requireById(tx, merchantOrder, scope, id)
  await lockDays(tx, scope.ownerId, projectCode, [today])
  const bills = await findOrderBills(tx, scope.ownerId, merchantOrderRef, id)
  const order = await requireById(tx, merchantOrder, scope, id, { lock: true })
  const { lines, qty, amount } = await planRefund(tx, scope, order, today)
  const moves = lines
    .filter(({ refundable }) => refundable > 0)
    .map(({ detail, refundable }) => ({ detail, qty: refundable }))
  await moveReturned(tx, scope, order, moves)
  const asked = await writeAsked(c, order, { moves, qty, amount, reason })
  if (amount === 0) return finishReturn(tx, scope, order, undefined, now)
  const [bill, ...others] = bills
  if (!bill || others.length) return refuse('订单的账单已拆分，请到「退款」逐笔办理')
  await refundPartOfBill(
    tx,
    scope,
    {
      billId: bill.id,
      amount,
      refundWay,
      reason: `停车券退 ${qty} 张：${reason}`.slice(0, 200),
      onAsked: async ({ id: refundId }: FeeRefund) => {
        await update(tx, merchantOrderReturn, scope, asked.id, { refundId })
        await update(tx, merchantOrder, scope, id, { refundId, reason })
      },
    },
    now,
  )
  return requireById(tx, merchantOrder, scope, id)
}

export const refundHandlers = [
  reads(quoteOrderRefund, async ({ id }, { db, scope, today }) => {
    const order = await requireById(db, merchantOrder, scope, id)
    const { lines, qty, amount } = await planRefund(db, scope, order, today)
    return {
      qty,
      amount,
      details: lines.map(({ couponName, unpresented, refundable }) => ({
        couponName,
        qty: refundable,
        expiredQty: unpresented - refundable,
      })),
    }
  }),
  writes(refundMerchantOrder, (input, c) => refundOrder(c, input)),
]
