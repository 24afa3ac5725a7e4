import type { Id } from '#kit/domain/id.ts'
import { addDays } from '#kit/domain/day.ts'
import { dayOfMoment, startOfDay, type Moment } from '#kit/domain/moment.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Tx } from '#kit/server/db.ts'
import { closedDayRefusal } from '../domain/day-close.ts'
import { assertDayOpen, isDayClosed, lockDays } from './day-lock.ts'
import { goesToNextDay } from './settings.ts'

/**
 * Locks the day on which money at the counter counts and returns when it counts: as requested, or, where
 * today is closed already and the project lets it, at the start of tomorrow (CLO-3), as for money of a
 * channel. Refuses a closed day otherwise (PAY-9): `settle` need not look again (`isDayOpen`).
 */
export async function lockReceivingDay(
  tx: Tx,
  ownerId: Id,
  projectCode: string,
  requested: Moment,
  now: Moment,
): Promise<Moment> {
  const today = dayOfMoment(now)
  const requestedDay = dayOfMoment(requested)
  if (requestedDay !== today) {
    await Promise.all([
      lockDays(tx, ownerId, projectCode, [requestedDay]),
      assertDayOpen(tx, ownerId, projectCode, requestedDay),
    ])
    return requested
  }
  const tomorrow = addDays(today, 1)
  // Sent together and answered in order: the day is looked at once its lock is there.
  const [, isClosed] = await Promise.all([
    lockDays(tx, ownerId, projectCode, [today, tomorrow]),
    isDayClosed(tx, ownerId, projectCode, today),
  ])
  if (!isClosed) return requested
  if (!(await goesToNextDay(tx, ownerId, projectCode))) refuse(closedDayRefusal(today))
  await assertDayOpen(tx, ownerId, projectCode, tomorrow)
  return startOfDay(tomorrow)
}
