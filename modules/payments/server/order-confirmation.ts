import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { addDays } from '#kit/domain/day.ts'
import { displayYuan } from '#kit/domain/money.ts'
import { dayOfMoment, fromInstant, startOfDay, type Moment } from '#kit/domain/moment.ts'
import { Refused } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { toRefused } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { requireById } from '#kit/server/table.ts'
import { payRefusal, payableBills, type PayableBill } from '#modules/bills/server/public.ts'
import { payOrder, type PayOrder } from '../contract/order.ts'
import { orderStates, judgePayment } from '../domain/order.ts'
import { lockDays } from './day-lock.ts'
import { bookOrder, bookSubjectPayment, creditToPrestore, type ChannelPayment } from './order-booking.ts'
import { holdForReview } from './order-review.ts'
import { orderSystemScope } from './order-state.ts'
import { orderSubjectOf } from './order-subjects.ts'

/**
 * The bills of an order, locked, if each still owes what the order asks for it and no other order holds it;
 * otherwise nothing.
 */
async function findStillOwed(
  tx: Tx,
  scope: Scope,
  order: PayOrder,
  now: Moment,
): Promise<readonly PayableBill[] | undefined> {
  if (!order.lines?.length) return []
  const billIds = order.lines.map(line => line.billId)
  try {
    // As of the day on which the order was made: a late fee that grew over midnight was not asked for.
    const bills = await payableBills(tx, scope, billIds, dayOfMoment(order.createTime ?? now), { lock: true })
    const billById = new Map(bills.map(bill => [bill.row.id, bill]))
    const isOwed = order.lines.every(line => {
      const { row, owed } = defined(billById.get(line.billId))
      return (
        owed.principal >= line.principal &&
        owed.late >= line.late &&
        payRefusal(row, now, order.id) === undefined
      )
    })
    return isOwed ? bills : undefined
  } catch (e) {
    if (e instanceof Refused) return undefined
    throw e
  }
}

/** When money may count, the best first: when it was paid, now, at the start of tomorrow. */
const bookableMoments = (paidAt: Moment | undefined, now: Moment): readonly Moment[] => [
  ...(paidAt && paidAt <= now ? [paidAt] : []),
  now,
  startOfDay(addDays(dayOfMoment(now), 1)),
]

/** The first bookable moment on a day that is not closed (CLO-3). */
async function findBookingMoment(
  tx: Tx,
  ownerId: Id,
  projectCode: string,
  paidAt: Moment | undefined,
  now: Moment,
): Promise<Moment> {
  const moments = bookableMoments(paidAt, now)
  const rows = await tx.rows<{ day: string }>(
    sql`
      select day
      from day_close
      where owner_id = ${ownerId}
        and project_code = ${projectCode}
        and closed
        and ${notDeleted()}
        and day = any(${moments.map(dayOfMoment)}::date[])
    `,
  )
  const closedDays = new Set(rows.map(row => row.day))
  return moments.find(moment => !closedDays.has(dayOfMoment(moment))) ?? defined(moments.at(-1))
}

/**
 * What the channel says it has got for an order is booked once, from whatever source the news comes and
 * however often (PAY-3). What cannot be booked holds the order for a person.
 */
export async function confirmPayment(
  app: App,
  ownerId: Id,
  orderId: Id,
  payment: ChannelPayment,
): Promise<void> {
  const now = fromInstant(app.clock())
  try {
    await app.database.tx(ownerId, tx => bookPayment(tx, app, ownerId, orderId, payment, now))
  } catch (e) {
    const refusal = toRefused(e)
    if (!refusal) throw e
    const scope = orderSystemScope(app, ownerId)
    await app.database.tx(ownerId, async tx => {
      const order = await requireById(tx, payOrder, scope, orderId, { lock: true })
      await holdForReview(tx, app, scope, order, `渠道已收款，但不能入账：${refusal.message}`)
    })
  }
}

/** Locks the days on which the money may count, then the order. */
async function lockOrder(
  app: App,
  tx: Tx,
  ownerId: Id,
  orderId: Id,
  paidAt: Moment | undefined,
  now: Moment,
): Promise<PayOrder> {
  const scope = orderSystemScope(app, ownerId)
  const { projectCode } = await requireById(tx, payOrder, scope, orderId)
  await lockDays(tx, ownerId, projectCode, bookableMoments(paidAt, now).map(dayOfMoment))
  return requireById(tx, payOrder, scope, orderId, { lock: true })
}

/** This transaction was booked already as a second payment of the order. */
const isDuplicateKnown = async (tx: Tx, ownerId: Id, orderId: Id, transactionId: string): Promise<boolean> =>
  (await tx.one(
    sql`
      select 1 as found
      from pay_order
      where owner_id = ${ownerId}
        and channel = (select channel from pay_order where owner_id = ${ownerId} and id = ${orderId})
        and transaction_id = ${transactionId}
        and ref_type = 'double'
        and ref_id = ${orderId}
    `,
  )) !== undefined

async function bookPayment(
  tx: Tx,
  app: App,
  ownerId: Id,
  orderId: Id,
  payment: ChannelPayment,
  now: Moment,
): Promise<void> {
  const order = await lockOrder(app, tx, ownerId, orderId, payment.at, now)
  const scope = orderSystemScope(app, ownerId, order.projectCode)
  if (await isDuplicateKnown(tx, ownerId, orderId, payment.transactionId)) return
  const canBePaid = orderStates.canTransition(order.state, 'paid') || order.state === 'failed'
  const bills = canBePaid ? await findStillOwed(tx, scope, order, now) : undefined
  const outcome = judgePayment(order, payment, bills !== undefined)
  if (outcome === 'known') return
  const subject = orderSubjectOf(order)
  if (outcome === 'odd' && payment.source !== 'manual' && !subject?.returnsOddAmounts) {
    const amounts = `渠道实收 ${displayYuan(payment.amount)} 元与订单 ${displayYuan(order.amount)} 元不符`
    return holdForReview(tx, app, scope, order, amounts)
  }
  const bookingTime = await findBookingMoment(tx, ownerId, order.projectCode, payment.at, now)
  const booking = { tx, app, scope, order, payment, bookingTime }
  if (subject) return bookSubjectPayment(booking, subject, outcome === 'late' ? 'settle' : outcome, now)
  if (outcome !== 'settle') return creditToPrestore(booking, outcome)
  await bookOrder(tx, scope, order, defined(bills), payment, bookingTime)
}
