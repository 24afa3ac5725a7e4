import type { Day } from '#kit/domain/day.ts'
import { invalidField } from '#kit/contract/wire.ts'
import type { Db, Tx } from '#kit/server/db.ts'
import { defineEvent } from '#kit/server/event.ts'
import type { Scope } from '#kit/server/scope.ts'

/** Days of the calendar that must stay as they are, each with the reason and what to do. */
type SettledDays = (db: Db, scope: Scope, days: readonly Day[]) => Promise<ReadonlyMap<Day, string>>

const guards: SettledDays[] = []

/** A module that has settled days by the calendar refuses changes of them. */
export const registerHolidayGuard = (guard: SettledDays): void => void guards.push(guard)

/** The calendar of these days is another one now. */
export const [onHolidaysChanged, publishHolidaysChanged] =
  defineEvent<[tx: Tx, scope: Scope, days: readonly Day[]]>()

export async function findSettledDays(
  db: Db,
  scope: Scope,
  days: readonly Day[],
): Promise<ReadonlyMap<Day, string>> {
  const found = new Map<Day, string>()
  for (const guard of guards) {
    for (const [day, reason] of await guard(db, scope, days)) {
      found.set(day, reason)
    }
  }
  return found
}

export async function assertNotSettled(
  tx: Tx,
  scope: Scope,
  days: readonly Day[],
  field: string,
): Promise<void> {
  const [reason] = (await findSettledDays(tx, scope, days)).values()
  if (reason !== undefined) throw invalidField(field, reason)
}
