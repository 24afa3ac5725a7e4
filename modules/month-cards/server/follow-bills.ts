import { addDays, type Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { sumFen } from '#kit/domain/money.ts'
import type { Tx } from '#kit/server/db.ts'
import { systemScope, type Scope } from '#kit/server/scope.ts'
import { findByIds, requireById, update } from '#kit/server/table.ts'
import { onBillsChanged, findOrderBills, findOrdersOfBills } from '#modules/bills/server/public.ts'
import { car } from '#modules/parking/contract/car.ts'
import { changeValidity } from '#modules/parking/server/public.ts'
import { onPaid, onRefundDeclined } from '#modules/payments/server/public.ts'
import type { MonthOrderState } from '../contract/choices.ts'
import { monthOrder, type MonthOrder } from '../contract/month-order.ts'
import { daysToGrant, grantDays, takeBackDays } from '../domain/granted-days.ts'
import { stateOfBills } from '../domain/order-state.ts'
import { monthOrderRef } from './order-ref.ts'

/** The cashier may know nothing of cars: this is the product's own step. */
const ownScope = (scope: Scope): Scope => ({
  ...systemScope(scope.ownerId, scope.time),
  operatorId: scope.operatorId,
  name: scope.name,
})

const nowOf = ({ time }: Scope) => fromInstant(Date.parse(time))
const todayOf = (scope: Scope): Day => dayOfMoment(nowOf(scope))

/** Gives the car the days of an order that was paid. A car that is there for good needs none. */
async function grant(tx: Tx, own: Scope, order: MonthOrder): Promise<Partial<MonthOrder>> {
  const [row] = await findByIds(tx, car, own, [order.carId], { lock: true })
  if (row?.endDate === undefined) return { grantedEnd: order.newEnd }
  const granted = daysToGrant(row, order)
  await changeValidity(tx, own, [row], {
    type: 'renewed',
    days: grantDays(granted),
    today: todayOf(own),
    reason: `月卡续费 ${order.months} 个月`,
  })
  return { ...granted, grantedEnd: granted.newEnd }
}

/** Takes the days after `end` away again, all of them where there is no end. */
async function takeBack(
  tx: Tx,
  own: Scope,
  order: MonthOrder,
  end: Day | undefined,
): Promise<Partial<MonthOrder>> {
  const [row] = await findByIds(tx, car, own, [order.carId], { lock: true })
  const from = end === undefined ? order.newBegin : addDays(end, 1)
  if (row) {
    await changeValidity(tx, own, [row], {
      type: 'refunded',
      days: takeBackDays(row, order, from),
      today: todayOf(own),
      reason: '月卡款已退或收款已作废',
    })
  }
  return { grantedEnd: end }
}

/** The last day that an order gives in a state; none where it gives nothing. */
function endOf(order: MonthOrder, state: MonthOrderState): Day | undefined {
  if (state === 'paid') return order.newEnd
  if (state !== 'refunded' || order.refundFrom === undefined) return undefined
  return order.refundFrom > order.newBegin ? addDays(order.refundFrom, -1) : undefined
}

/** From what the car has of the order now to what it is to have. */
async function moveDays(
  tx: Tx,
  own: Scope,
  order: MonthOrder,
  end: Day | undefined,
): Promise<Partial<MonthOrder>> {
  if (order.grantedEnd === undefined) return end === undefined ? {} : grant(tx, own, order)
  return end === undefined || end < order.grantedEnd ? takeBack(tx, own, order, end) : {}
}

/** That days are given back is no debt: the bill stays paid by what they cost. */
const isRefundOf = (order: MonthOrder, refundId: Id | undefined): boolean =>
  order.refundId !== undefined && (order.state === 'refunded' || order.refundId === refundId)

/**
 * An order is what its bills say, in the transaction that changes them: paid, it gives the car its days, and
 * takes them back when the money is (PAY-4, REF-8). The bills are locked; the order and its car follow.
 */
async function followBills(tx: Tx, scope: Scope, orderId: Id, refundId?: Id): Promise<void> {
  const own = ownScope(scope)
  const order = await requireById(tx, monthOrder, own, orderId, { lock: true })
  const bills = await findOrderBills(tx, own.ownerId, monthOrderRef, orderId)
  const isPaid = bills.every(bill => bill.isPaid)
  const byBills = stateOfBills({ count: bills.length, isPaid }, order.state)
  const state = byBills === 'paid' && isRefundOf(order, refundId) ? 'refunded' : byBills
  const end = endOf(order, state)
  const isOwed = state === 'pending' || state === 'cancelled'
  await update(tx, monthOrder, own, orderId, {
    ...(await moveDays(tx, own, order, end)),
    state,
    paidAmount: sumFen(bills.map(bill => bill.paid)),
    paidTime: isOwed ? undefined : (order.paidTime ?? nowOf(own)),
    ...(isOwed ? { refundFrom: undefined, refundId: undefined } : {}),
  })
}

onPaid(async (tx, scope, { billIds, refTypes, kind, refundId }) => {
  if (!billIds.length || refTypes?.has(monthOrderRef) === false) return
  for (const { id } of await findOrdersOfBills(tx, scope.ownerId, monthOrderRef, billIds)) {
    await followBills(tx, scope, id, kind === 'refunded' ? refundId : undefined)
  }
})

onBillsChanged(async (tx, scope, { bills }) => {
  const ids = bills.filter(bill => bill.refType === monthOrderRef).map(bill => bill.id)
  if (!ids.length) return
  for (const { id } of await findOrdersOfBills(tx, scope.ownerId, monthOrderRef, ids)) {
    await followBills(tx, scope, id)
  }
})

onRefundDeclined(async (tx, scope, { billIds }) => {
  const own = ownScope(scope)
  for (const { id } of await findOrdersOfBills(tx, scope.ownerId, monthOrderRef, billIds)) {
    const order = await requireById(tx, monthOrder, own, id, { lock: true })
    if (order.state === 'paid') {
      await update(tx, monthOrder, own, id, { refundFrom: undefined, refundId: undefined })
    }
  }
})
