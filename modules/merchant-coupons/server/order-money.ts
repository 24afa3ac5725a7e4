import { notFound, refuse, refuseField } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { displayYuan, parseYuan } from '#kit/domain/money.ts'
import { dayOfInstant, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { addDays } from '#kit/domain/day.ts'
import { keyOf } from '#kit/contract/field.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { clockScope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findByIds, requireById, update } from '#kit/server/table.ts'
import { defined } from '#kit/domain/defined.ts'
import { abolishByIds, payableBills, findOrderBills } from '#modules/bills/server/public.ts'
import { merchant } from '#modules/merchants/contract/merchant.ts'
import { offlineMethods, payMethod } from '#modules/payments/contract/choices.ts'
import { payOrder, type OrderView } from '#modules/payments/contract/order.ts'
import {
  assertPayable,
  lockDays,
  lockReceivingDay,
  openBillOrder,
  registerBillOrderNeeds,
  settle,
  toOrderView,
} from '#modules/payments/server/public.ts'
import { merchantOrderState } from '../contract/choices.ts'
import {
  cancelMerchantOrder,
  listOrderPayments,
  merchantOrder,
  payMerchantOrderOffline,
  type MerchantOrder,
} from '../contract/order.ts'
import { getMerchantPayOrder, prepayMerchantOrder } from '../contract/order-payment.ts'
import { menu } from '../module.ts'
import type { CouponContext } from './coupon-context.ts'
import { merchantOrderRef } from './order-ref.ts'

registerBillOrderNeeds(merchantOrderRef, menu.order.permissions.buy)

function assertPending({ state, orderNo }: MerchantOrder): void {
  if (state !== 'pending') {
    refuse(`订单 ${orderNo} 不是待支付状态，请刷新`)
  }
}

/** The pay order that waits for an order is answered again; else a new one holds the bill (PAY-1). */
export async function startPayment(c: CouponContext, id: Id): Promise<OrderView> {
  const { tx, scope, now, today } = c
  const { projectCode } = await requireById(tx, merchantOrder, scope, id)
  await lockDays(tx, scope.ownerId, projectCode, [today])
  const bills = await findOrderBills(tx, scope.ownerId, merchantOrderRef, id)
  const order = await requireById(tx, merchantOrder, scope, id)
  assertPending(order)
  const [before] = order.payOrderId ? await findByIds(tx, payOrder, scope, [order.payOrderId]) : []
  const isWaiting = before?.state === 'waiting' || before?.state === 'paying'
  if (before && isWaiting && before.expireTime > now) return toOrderView(before)
  const buyer = await requireById(tx, merchant, scope, order.merchantId)
  const opened = await openBillOrder(c, {
    projectCode,
    billIds: bills.filter(bill => !bill.isPaid).map(bill => bill.id),
    payer: { name: buyer.name },
    remark: `停车券 ${order.orderNo}`,
    ref: { type: merchantOrderRef, id },
  })
  await update(tx, merchantOrder, scope, id, { payOrderId: opened.id })
  return toOrderView(opened)
}

const offlineSet: ReadonlySet<string> = new Set(offlineMethods)

type OfflineInput = NonNullable<typeof payMerchantOrderOffline.input.T>

/** Money that came to the counter: the whole of the order, today. */
async function payOffline(c: WriteContext, input: OfflineInput): Promise<MerchantOrder> {
  const { tx, scope, now, today } = c
  const { id, amount, remark } = input
  if (!offlineSet.has(input.payMethod)) {
    refuseField('PayMethod', '请选择现金、转账等线下方式；线上支付请用扫码支付')
  }
  const { projectCode, merchantId } = await requireById(tx, merchantOrder, scope, id)
  const at = await lockReceivingDay(tx, scope.ownerId, projectCode, now, now)
  const billIds = (await findOrderBills(tx, scope.ownerId, merchantOrderRef, id)).map(bill => bill.id)
  const bills = await payableBills(tx, scope, billIds, today, { lock: true })
  assertPending(await requireById(tx, merchantOrder, scope, id))
  assertPayable(bills, projectCode, now)
  const [bill] = bills
  if (!bill || bills.length > 1) return refuse('订单的账单已拆分，请到收银台收款')
  const { principal } = bill.owed
  if (principal !== amount) {
    refuseField('Amount', `应收 ${displayYuan(principal)} 元，请按此金额登记`)
  }
  const buyer = await requireById(tx, merchant, scope, merchantId)
  await settle(tx, scope, {
    projectCode,
    type: 'payment',
    bills,
    allocations: [{ billId: bill.row.id, principal, late: 0 }],
    tenders: [{ method: input.payMethod, amount }],
    change: 0,
    toPrestore: 0,
    payer: { name: buyer.name },
    at,
    isDayOpen: true,
    cashier: { id: scope.operatorId, name: scope.name },
    remark,
  })
  return requireById(tx, merchantOrder, scope, id)
}

/** Ends an order that waits, with its bill. */
export async function cancelOrder(
  { tx, scope, today, now }: CouponContext,
  id: Id,
  reason: string,
): Promise<MerchantOrder> {
  const order = await requireById(tx, merchantOrder, scope, id)
  assertPending(order)
  const ids = (await findOrderBills(tx, scope.ownerId, merchantOrderRef, id)).map(bill => bill.id)
  const context = { scope, today, now, reason, periodAfter: 'waived' } as const
  const { success, rows } = await abolishByIds(tx, context, ids)
  if (success < ids.length) return refuse(`订单不能取消：${rows[0]?.reason ?? '账单不能作废'}`)
  return update(tx, merchantOrder, scope, id, { reason })
}

/** A purchase that nobody pays ends, and what it had of the total is for others. */
const unpaidDays = 7

/** May run any number of times. */
export async function cancelUnpaidOrders(app: App): Promise<void> {
  const now = fromInstant(app.clock())
  const today = dayOfInstant(app.clock())
  const isDue = sql`${notDeleted()}
    and state = ${code(merchantOrderState, 'pending')}
    and order_time < ${addDays(today, -unpaidDays)}::date`
  const due = sql<{ ownerId: Id }>`select distinct owner_id from merchant_order where ${isDue}`
  await forEachDueCompany(app.database, due, async (tx, ownerId) => {
    const scope = clockScope(app, ownerId)
    const orders = await tx.rows<{ id: Id }>(sql`
      select id from merchant_order where owner_id = ${ownerId} and ${isDue} order by id
    `)
    const reason = `${unpaidDays} 天内未支付`
    for (const { id } of orders) {
      const ids = (await findOrderBills(tx, ownerId, merchantOrderRef, id)).map(bill => bill.id)
      const context = { scope, today, now, reason, periodAfter: 'waived' } as const
      const { success } = await abolishByIds(tx, context, ids)
      if (success === ids.length) {
        await update(tx, merchantOrder, scope, id, { reason })
      }
    }
  })
}

export const unpaidMerchantOrdersCron = defineCron({
  name: 'merchant-orders-unpaid',
  schedule: '7 0 * * *',
  run: cancelUnpaidOrders,
})

interface PaymentRow {
  readonly recordId: Id
  readonly recordNo: string
  readonly amount: string
  readonly payMethod: number
  readonly payTime: Moment
}

export const orderMoneyHandlers = [
  writes(prepayMerchantOrder, ({ id }, c) => startPayment(c, id)),
  writes(payMerchantOrderOffline, (input, c) => payOffline(c, input)),
  writes(cancelMerchantOrder, ({ id, reason }, c) => cancelOrder(c, id, reason)),
  reads(getMerchantPayOrder, async ({ id }, { db, scope }) => {
    const { payOrderId } = await requireById(db, merchantOrder, scope, id)
    if (!payOrderId) throw notFound()
    return toOrderView(await requireById(db, payOrder, scope, payOrderId))
  }),
  reads(listOrderPayments, async ({ id }, { db, scope }) => {
    await requireById(db, merchantOrder, scope, id)
    const rows = await db.rows<PaymentRow>(sql`
      select r.id as record_id, r.record_no, sum(d.principal + d.late_fee)::text as amount, r.pay_method,
        to_char(r.pay_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS') as pay_time
      from bill b
      join pay_detail d on d.owner_id = ${scope.ownerId} and d.bill_id = b.id
      join pay_record r on r.owner_id = ${scope.ownerId} and r.id = d.record_id
      where b.owner_id = ${scope.ownerId} and b.ref_type = ${merchantOrderRef} and b.ref_id = ${id}
      group by r.id, r.record_no, r.pay_method, r.pay_time
      order by r.id
    `)
    return rows.map(row => ({
      ...row,
      amount: parseYuan(row.amount),
      payMethod: defined(keyOf(payMethod, row.payMethod)),
    }))
  }),
]
