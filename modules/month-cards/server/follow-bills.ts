import { addDays, type Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { sumFen } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { systemScope, type Scope } from '#kit/server/scope.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { findAll, findByIds, requireById, update } from '#kit/server/table.ts'
import { onBillsChanged, findOrderBills, findOrdersOfBills } from '#modules/bills/server/public.ts'
import { car } from '#modules/parking/contract/car.ts'
import { changeValidity } from '#modules/parking/server/public.ts'
import { findGroupProgress, onPaid, onRefundDeclined } from '#modules/payments/server/public.ts'
import type { MonthOrderState } from '../contract/choices.ts'
import { monthOrder, type MonthOrder } from '../contract/month-order.ts'
import { daysToGrant, grantDays, moveUp, takeBackDays } from '../domain/granted-days.ts'
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

/** The orders whose days came after those of an order, and that the car still has. */
const findGrantedAfter = (tx: Tx, own: Scope, carId: Id, end: Day): Promise<MonthOrder[]> =>
  findAll(
    tx,
    monthOrder,
    own,
    { order: 'newBegin' },
    { where: [sql`t.car_id = ${carId}`, sql`t.granted_end is not null`, sql`t.new_begin > ${end}::date`] },
  )

/** Takes the days after `end` away again, all where there is no end; later orders move up with them. */
async function takeBack(
  tx: Tx,
  own: Scope,
  order: MonthOrder,
  grantedEnd: Day,
  end: Day | undefined,
): Promise<Partial<MonthOrder>> {
  const [row] = await findByIds(tx, car, own, [order.carId], { lock: true })
  const from = end === undefined ? order.newBegin : addDays(end, 1)
  const granted = { ...order, newEnd: grantedEnd }
  if (row) {
    await changeValidity(tx, own, [row], {
      type: 'refunded',
      days: takeBackDays(row, granted, from),
      today: todayOf(own),
      reason: '月卡款已退或收款已作废',
    })
  }
  if (row?.endDate === undefined) return { grantedEnd: end }
  for (const later of await findGrantedAfter(tx, own, order.carId, grantedEnd)) {
    await update(tx, monthOrder, own, later.id, moveUp(later, granted, from))
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
  const { grantedEnd } = order
  if (grantedEnd === undefined) return end === undefined ? {} : grant(tx, own, order)
  return end === undefined || end < grantedEnd ? takeBack(tx, own, order, grantedEnd, end) : {}
}

/** Where a refund of unused days stands: asked for, or its money has gone back. */
async function findOwnRefund(tx: Tx, own: Scope, { refundId, state }: MonthOrder) {
  if (refundId === undefined) return { isOpen: false, isDone: false }
  const { open, done } = await findGroupProgress(tx, own.ownerId, refundId)
  return { isOpen: state === 'paid' && open > 0, isDone: state === 'refunded' || (open === 0 && done > 0) }
}

/**
 * An order is what its bills say, in the transaction that changes them: paid, it gives the car its days, and
 * takes them back when the money is (PAY-4, REF-8). The bills are locked; the car follows, for which all of
 * its orders wait, then the order. That days are given back is no debt: the bill stays paid by what they
 * cost, and the days go with the last of the refunds that were asked for together.
 */
async function followBills(tx: Tx, scope: Scope, orderId: Id): Promise<void> {
  const own = ownScope(scope)
  const { carId } = await requireById(tx, monthOrder, own, orderId)
  await findByIds(tx, car, own, [carId], { lock: true })
  const order = await requireById(tx, monthOrder, own, orderId, { lock: true })
  const bills = await findOrderBills(tx, own.ownerId, monthOrderRef, orderId)
  const isPaid = bills.every(bill => bill.isPaid)
  const byBills = stateOfBills({ count: bills.length, isPaid }, order.state)
  const { isOpen, isDone } = await findOwnRefund(tx, own, order)
  const paidAmount = sumFen(bills.map(bill => bill.paid))
  if (isOpen && byBills !== 'pending') {
    await update(tx, monthOrder, own, orderId, { paidAmount })
    return
  }
  const state = byBills === 'paid' && isDone ? 'refunded' : byBills
  const end = endOf(order, state)
  const isOwed = state === 'pending' || state === 'cancelled'
  await update(tx, monthOrder, own, orderId, {
    ...(await moveDays(tx, own, order, end)),
    state,
    paidAmount,
    paidTime: isOwed ? undefined : (order.paidTime ?? nowOf(own)),
    ...(isOwed ? { refundFrom: undefined, refundId: undefined } : {}),
  })
}

/** The orders of bills, and those whose days go back with a refund; the days that begin last go first. */
const findOrders = (tx: Tx, ownerId: Id, orderIds: readonly Id[], refundId: Id | undefined) =>
  tx.rows<{ id: Id }>(sql`
    select id
    from park_month_order
    where owner_id = ${ownerId}
      and (id = any(${sqlArray('bigint', [...orderIds])}) or refund_id = ${refundId ?? null}::bigint)
    order by new_begin desc, id desc
  `)

onPaid(async (tx, scope, { billIds, refTypes, refundId }) => {
  if (!billIds.length || refTypes?.has(monthOrderRef) === false) return
  const { ownerId } = scope
  const ofBills = await findOrdersOfBills(tx, ownerId, monthOrderRef, billIds)
  if (!ofBills.length) return
  const group = refundId === undefined ? undefined : await findGroupProgress(tx, ownerId, refundId)
  const ids = ofBills.map(({ id }) => id)
  for (const { id } of await findOrders(tx, ownerId, ids, group?.open === 0 ? group.firstId : undefined)) {
    await followBills(tx, scope, id)
  }
})

onBillsChanged(async (tx, scope, { bills }) => {
  const ids = bills.filter(bill => bill.refType === monthOrderRef).map(bill => bill.id)
  if (!ids.length) return
  for (const { id } of await findOrdersOfBills(tx, scope.ownerId, monthOrderRef, ids)) {
    await followBills(tx, scope, id)
  }
})

// Declined, the card stays as it is; what has gone back of those asked for together takes the days with it.
onRefundDeclined(async (tx, scope, { refundId }) => {
  const { firstId, open, done } = await findGroupProgress(tx, scope.ownerId, refundId)
  if (open > 0) return
  const own = ownScope(scope)
  for (const { id } of await findOrders(tx, scope.ownerId, [], firstId)) {
    await (done > 0
      ? followBills(tx, scope, id)
      : update(tx, monthOrder, own, id, { refundFrom: undefined, refundId: undefined }))
  }
})
