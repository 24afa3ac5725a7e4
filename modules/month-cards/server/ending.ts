import type { Id } from '#kit/domain/id.ts'
import { refuse, refuseField } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { dayOfInstant, fromInstant } from '#kit/domain/moment.ts'
import { displayYuan, subtractFen, sumFen } from '#kit/domain/money.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { requireById, update } from '#kit/server/table.ts'
import {
  abolishByIds,
  type ActionContext,
  findOrderBills,
  type OrderBill,
} from '#modules/bills/server/public.ts'
import type { FeeRefund } from '#modules/payments/contract/refund.ts'
import { lockDays, refundPartOfBill } from '#modules/payments/server/public.ts'
import { monthOrderState } from '../contract/choices.ts'
import { cancelMonthOrder, monthOrder, type MonthOrder } from '../contract/month-order.ts'
import { quoteRefund, refundMonthOrder } from '../contract/renewal.ts'
import { countUnused, type UnusedDays } from '../domain/unused-days.ts'
import { monthOrderRef } from './order-ref.ts'
import { getDayPriceBasis } from './settings.ts'

/** Abolishes what an order asks for; the order ends with its bills. Returns why that cannot be. */
async function abolishBills(tx: Tx, context: ActionContext, orderId: Id): Promise<string | undefined> {
  const bills = await findOrderBills(tx, context.scope.ownerId, monthOrderRef, orderId)
  const ids = bills.map(bill => bill.id)
  const { success, rows } = await abolishByIds(tx, { ...context, periodAfter: 'waived' }, ids)
  return success === ids.length ? undefined : (rows[0]?.reason ?? '账单不能作废')
}

/** What is still to be had of an order, out of its one bill. */
async function requireUnused(
  db: Db,
  scope: Scope,
  order: MonthOrder,
  today: Day,
): Promise<{ readonly bill: OrderBill; readonly unused: UnusedDays }> {
  if (order.state === 'refunded') return refuse('月卡已退款，无需再次申请')
  if (order.state !== 'paid') return refuse('只能退已支付的月卡')
  if (order.refundFrom) return refuse('已申请退款，请在「退款」中办结或取消后再试')
  const later = await db.one<{ id: Id }>(sql`
    select id
    from park_month_order
    where owner_id = ${scope.ownerId}
      and car_id = ${order.carId}
      and state = ${code(monthOrderState, 'paid')}
      and new_begin > ${order.newEnd}::date
      and ${notDeleted()}
    limit 1
  `)
  if (later) return refuse('该车辆之后又续费过，请先退较晚的月卡')
  const [bill, ...others] = await findOrderBills(db, scope.ownerId, monthOrderRef, order.id)
  if (!bill || others.length) return refuse('月卡的账单已拆分，请到「退款」逐笔办理')
  const basis = await getDayPriceBasis(db, scope.ownerId, order.projectCode)
  const { newBegin: begin, newEnd: end, unitPrice: price, amount } = order
  const unused = countUnused({ begin, end, price, amount, paid: bill.paid }, today, basis)
  if (!unused || unused.amount === 0) return refuse('没有可退的天数或金额')
  return { bill, unused }
}

/** One refund of an order after the other: the next one sees what was asked for. */
const lockRefund = (tx: Tx, { ownerId }: Scope, orderId: Id): Promise<unknown> =>
  tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`month-cards/refund/${orderId}`}, ${ownerId}))`,
  )

const describeUnused = ({ from, days }: UnusedDays, reason: string): string =>
  `月卡退款（${from} 起 ${days} 天）：${reason}`.slice(0, 200)

export const endingHandlers = [
  writes(cancelMonthOrder, async ({ id, reason }, { tx, scope, today, now }) => {
    const order = await requireById(tx, monthOrder, scope, id)
    if (order.state !== 'pending') return refuse('只能取消待支付的月卡订单')
    const refusal = await abolishBills(tx, { scope, today, now, reason }, id)
    if (refusal) return refuse(`月卡订单不能取消：${refusal}`)
    return update(tx, monthOrder, scope, id, { reason })
  }),
  reads(quoteRefund, async ({ id }, { db, scope, today }) => {
    const order = await requireById(db, monthOrder, scope, id)
    const { unused } = await requireUnused(db, scope, order, today)
    return {
      refundFrom: unused.from,
      newEnd: order.newEnd,
      days: unused.days,
      amount: unused.amount,
      isWhole: unused.from === order.newBegin,
    }
  }),
  writes(refundMonthOrder, async ({ id, fee = 0, refundWay, reason }, { tx, scope, today, now }) => {
    const { projectCode } = await requireById(tx, monthOrder, scope, id)
    await lockDays(tx, scope.ownerId, projectCode, [today])
    await lockRefund(tx, scope, id)
    const order = await requireById(tx, monthOrder, scope, id)
    const { bill, unused } = await requireUnused(tx, scope, order, today)
    if (fee >= unused.amount) {
      refuseField('Fee', `手续费应小于可退金额 ${displayYuan(unused.amount)} 元`)
    }
    const refund = {
      billId: bill.id,
      amount: subtractFen(unused.amount, fee),
      refundWay,
      reason: describeUnused(unused, reason),
      onAsked: ({ id: refundId }: FeeRefund) =>
        update(tx, monthOrder, scope, id, { refundId, refundFrom: unused.from, reason }),
    }
    await refundPartOfBill(tx, scope, refund, now)
    return requireById(tx, monthOrder, scope, id)
  }),
]

/** An order that nobody paid on its day ends: a renewal is no debt. May run any number of times. */
export async function cancelUnpaidOrders(app: App): Promise<void> {
  const now = fromInstant(app.clock())
  const today = dayOfInstant(app.clock())
  const isDue = sql`${notDeleted()}
    and state = ${code(monthOrderState, 'pending')}
    and order_time < ${today}::date`
  const due = sql<{ ownerId: Id }>`select distinct owner_id from park_month_order where ${isDue}`
  await forEachDueCompany(app.database, due, async (tx, ownerId) => {
    const scope = clockScope(app, ownerId)
    const orders = await tx.rows<{ id: Id }>(sql`
      select id from park_month_order where owner_id = ${ownerId} and ${isDue} order by id
    `)
    const reason = '当日未支付'
    for (const { id } of orders) {
      const paid = sumFen((await findOrderBills(tx, ownerId, monthOrderRef, id)).map(bill => bill.paid))
      const refusal = paid > 0 ? '已部分支付' : await abolishBills(tx, { scope, today, now, reason }, id)
      if (!refusal) {
        await update(tx, monthOrder, scope, id, { reason })
      }
    }
  })
}

export const unpaidOrdersCron = defineCron({
  name: 'month-cards-unpaid',
  schedule: '6 0 * * *',
  run: cancelUnpaidOrders,
})
