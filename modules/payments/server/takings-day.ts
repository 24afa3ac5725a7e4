import { addDays } from '#kit/domain/day.ts'
import { dayOfMoment, startOfDay, type Moment } from '#kit/domain/moment.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Tx } from '#kit/server/db.ts'
import { closedDayRefusal } from '../domain/day-close.ts'
import { isDayClosed, lockDays } from './day-lock.ts'
import { goesToNextDay } from './settings.ts'

/**
 * Locks the day on which money at the counter counts and answers when it counts: as requested, or, where
 * today is closed already and the project lets it, at the start of tomorrow (CLO-3), as for money of a
 * channel. A day gone by is no such case: `settle` refuses it when it is closed.
 */
export async function lockTakings(
  tx: Tx,
  ownerId: number,
  projectCode: string,
  requested: Moment,
  now: Moment,
): Promise<Moment> {
  const today = dayOfMoment(now)
  if (dayOfMoment(requested) !== today) {
    await lockDays(tx, ownerId, projectCode, [dayOfMoment(requested)])
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
  return startOfDay(tomorrow)
}
