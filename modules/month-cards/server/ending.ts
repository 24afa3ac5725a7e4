import type { Id } from '#kit/domain/id.ts'
import { refuse, refuseField } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { dayOfInstant, fromInstant } from '#kit/domain/moment.ts'
import { defined } from '#kit/domain/defined.ts'
import { asFen, displayYuan, maxFen, subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findAll, findByIds, requireById, update } from '#kit/server/table.ts'
import {
  abolishByIds,
  type ActionContext,
  findOrderBills,
  type OrderBill,
} from '#modules/bills/server/public.ts'
import { car } from '#modules/parking/contract/car.ts'
import type { FeeRefund } from '#modules/payments/contract/refund.ts'
import { lockDays, refundPartsOfBills, type BillPart } from '#modules/payments/server/public.ts'
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

/** Unused days of one order, out of its one bill. */
interface UnusedOrder {
  readonly order: MonthOrder
  readonly bill: OrderBill
  readonly unused: UnusedDays
}

function assertRefundable(order: MonthOrder): void {
  if (order.state === 'refunded') refuse('月卡已退款，无需再次申请')
  if (order.state !== 'paid') refuse('只能退已支付的月卡')
  if (order.refundFrom) refuse('已申请退款，请在「退款」中办结或取消后再试')
}

/** What the car was renewed by afterwards, the newest first: it goes back with an earlier order. */
const findLater = (db: Db, scope: Scope, order: MonthOrder): Promise<MonthOrder[]> =>
  findAll(
    db,
    monthOrder,
    scope,
    { order: '-newBegin' },
    {
      where: [
        sql`t.car_id = ${order.carId}`,
        sql`t.state = ${code(monthOrderState, 'paid')}`,
        sql`t.new_begin > ${order.newEnd}::date`,
      ],
    },
  )

/** What is still to be had of an order and of those after it, the newest first (PRK-5). */
async function planUnused(db: Db, scope: Scope, order: MonthOrder, today: Day): Promise<UnusedOrder[]> {
  assertRefundable(order)
  const basis = await getDayPriceBasis(db, scope.ownerId, order.projectCode)
  const parts: UnusedOrder[] = []
  for (const each of [...(await findLater(db, scope, order)), order]) {
    if (each.refundFrom) refuse('该车辆较晚的月卡已申请退款，请在「退款」中办结或取消后再试')
    const [bill, ...others] = await findOrderBills(db, scope.ownerId, monthOrderRef, each.id)
    if (!bill || others.length) return refuse('月卡的账单已拆分，请到「退款」逐笔办理')
    const { newBegin: begin, newEnd: end, unitPrice: price, amount } = each
    const unused = countUnused({ begin, end, price, amount, paid: bill.paid }, today, basis)
    if (!unused || unused.amount === 0) return refuse('没有可退的天数或金额')
    parts.push({ order: each, bill, unused })
  }
  return parts
}

const sumUnused = (parts: readonly UnusedOrder[]) => ({
  days: parts.reduce((sum, { unused }) => sum + unused.days, 0),
  amount: sumFen(parts.map(({ unused }) => unused.amount)),
})

/** The fee is kept of the largest part, so that each of the others goes back whole. */
function partsLessFee(parts: readonly UnusedOrder[], fee: Fen): BillPart[] {
  const largest = maxFen(asFen(0), ...parts.map(({ unused }) => unused.amount))
  if (fee >= largest) {
    refuseField('Fee', `手续费应小于可退金额 ${displayYuan(largest)} 元`)
  }
  const at = parts.findIndex(({ unused }) => unused.amount === largest)
  return parts.map(({ bill, unused }, i) => ({
    billId: bill.id,
    amount: i === at ? subtractFen(unused.amount, fee) : unused.amount,
  }))
}

/** An earlier card whose days went back at the same time has moved this one: the quote is no longer right. */
async function assertUnmoved(tx: Tx, scope: Scope, { id, newBegin, state }: MonthOrder): Promise<void> {
  const current = await requireById(tx, monthOrder, scope, id, { lock: true })
  if (current.newBegin !== newBegin || current.state !== state) refuse('月卡的有效期已变化，请重新试算')
}

/** One refund of a car's months after the other: the next one sees what was asked for. */
const lockRefund = (tx: Tx, { ownerId }: Scope, carId: Id): Promise<unknown> =>
  tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`month-cards/refund/${carId}`}, ${ownerId}))`,
  )

const describeUnused = (from: Day, days: number, reason: string): string =>
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
    const parts = await planUnused(db, scope, order, today)
    const from = defined(parts.at(-1)).unused.from
    return {
      refundFrom: from,
      newEnd: defined(parts[0]).order.newEnd,
      ...sumUnused(parts),
      isWhole: from === order.newBegin,
      parts: parts.map(({ order: each, unused }) => ({
        refundFrom: unused.from,
        newEnd: each.newEnd,
        days: unused.days,
        amount: unused.amount,
      })),
    }
  }),
  writes(refundMonthOrder, async ({ id, fee = 0, refundWay, reason }, { tx, scope, today, now }) => {
    const { projectCode, carId } = await requireById(tx, monthOrder, scope, id)
    await lockDays(tx, scope.ownerId, projectCode, [today])
    await lockRefund(tx, scope, carId)
    const order = await requireById(tx, monthOrder, scope, id)
    const parts = await planUnused(tx, scope, order, today)
    const [first, ...others] = partsLessFee(parts, fee)
    const onAsked = async ({ id: refundId }: FeeRefund) => {
      await findByIds(tx, car, scope, [carId], { lock: true })
      for (const { order: each, unused } of parts) {
        await assertUnmoved(tx, scope, each)
        await update(tx, monthOrder, scope, each.id, { refundId, refundFrom: unused.from, reason })
      }
    }
    const from = defined(parts.at(-1)).unused.from
    const refund = {
      parts: [defined(first), ...others] as const,
      refundWay,
      reason: describeUnused(from, sumUnused(parts).days, reason),
      onAsked,
    }
    await refundPartsOfBills(tx, scope, refund, now)
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
