import type { Id } from '#kit/domain/id.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { provideClosedBooks } from '#modules/estates/server/public.ts'
import { closedDayRefusal } from '../domain/day-close.ts'

/** The advisory lock of one project and day; `day` may be a column. */
export const dayLockKey = (
  ownerId: Id,
  projectCode: string,
  day: Day | RawBuilder<unknown>,
): RawBuilder<unknown> =>
  sql`hashtextextended('day/' || ${projectCode}::text || '/' || ${day}::text, ${ownerId})`

/** The caller holds the lock of the day, so that it cannot be closed until the end. */
export const isDayClosed = async (tx: Tx, ownerId: Id, projectCode: string, day: Day): Promise<boolean> =>
  (await tx.one(
    sql`
      select 1 as found
      from day_close
      where owner_id = ${ownerId}
        and project_code = ${projectCode}
        and day = ${day}
        and closed
        and ${notDeleted()}
    `,
  )) !== undefined

/**
 * Refuses money booked into a closed day (PAY-9, CLO-3). The caller holds the lock of the day.
 */
export async function assertDayOpen(tx: Tx, ownerId: Id, projectCode: string, day: Day): Promise<void> {
  if (await isDayClosed(tx, ownerId, projectCode, day)) refuse(closedDayRefusal(day))
}

// A change that is entered late may not reach behind a closed day. Needs day_close_once.
provideClosedBooks(async (db, ownerId, projects) => {
  const rows = await db.rows<{ projectCode: string; day: Day }>(sql`
    select project_code, max(day) as day
    from day_close
    where owner_id = ${ownerId} and project_code = any(${[...projects]}::text[]) and closed and ${notDeleted()}
    group by project_code
  `)
  return new Map(rows.map(row => [row.projectCode, { lastClosedDay: row.day }]))
})

/** Payments share the lock of a project's day; closing the day takes it alone. */
export const lockDay = (tx: Tx, ownerId: Id, projectCode: string, day: Day): Promise<unknown> =>
  tx.rows(sql`select pg_advisory_xact_lock_shared(${dayLockKey(ownerId, projectCode, day)})`)

export const lockDayExclusively = (tx: Tx, ownerId: Id, projectCode: string, day: Day): Promise<unknown> =>
  tx.rows(sql`select pg_advisory_xact_lock(${dayLockKey(ownerId, projectCode, day)})`)

/**
 * Shares the locks of several days, in ascending order. Every movement of money calls this before locking any
 * row: a transaction that waits for a day being closed then holds nothing that the closing could wait for, so
 * there is no deadlock (locks.test.ts).
 */
export const lockDays = (tx: Tx, ownerId: Id, projectCode: string, days: readonly Day[]): Promise<unknown> =>
  tx.rows(
    sql`
      select pg_advisory_xact_lock_shared(${dayLockKey(ownerId, projectCode, sql`d`)})
      from unnest(${[...new Set(days)].toSorted()}::text[]) as d
    `,
  )
