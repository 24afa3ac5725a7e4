import { monthOf, type Month } from '#kit/domain/month.ts'
import type { Day } from '#kit/domain/day.ts'
import { invalidField } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'

/** The closed ones among the months of these days. */
export async function closedMonthsOf(
  db: Db,
  { ownerId }: Pick<Scope, 'ownerId'>,
  days: readonly Day[],
): Promise<ReadonlySet<string>> {
  const rows = await db.rows<{ month: Month }>(sql`
    select month
    from attendance_month
    where owner_id = ${ownerId}
      and is_closed
      and month = any(${[...new Set(days.map(monthOf))]}::text[])
      and ${notDeleted()}
  `)
  return new Set(rows.map(({ month }) => month))
}

export const closedText = (month: string): string => `${month} 考勤已封存，请先在「月度汇总」解除封存`

const monthsLock = ({ ownerId }: Pick<Scope, 'ownerId'>) =>
  sql`hashtextextended('attendance_month', ${ownerId})`

/**
 * No month of the company is closed until this transaction has ended: before every other lock, so that who
 * closes a month waits for those who change it, and the others see it closed.
 */
export const keepMonthsOpen = (tx: Db, scope: Pick<Scope, 'ownerId'>): Promise<unknown> =>
  tx.rows(sql`select pg_advisory_xact_lock_shared(${monthsLock(scope)})`)

export const lockMonths = (tx: Tx, scope: Pick<Scope, 'ownerId'>): Promise<unknown> =>
  tx.rows(sql`select pg_advisory_xact_lock(${monthsLock(scope)})`)

/** Refuses a change of days whose month is closed (ATT-12). */
export async function assertOpen(
  tx: Tx,
  scope: Pick<Scope, 'ownerId'>,
  days: readonly Day[],
  field: string,
): Promise<void> {
  await keepMonthsOpen(tx, scope)
  const [closed] = await closedMonthsOf(tx, scope, days)
  if (closed !== undefined) throw invalidField(field, closedText(closed))
}

/** Checks each day of a range; without an end, every later day. */
export async function assertSpanOpen(
  tx: Tx,
  { ownerId }: Pick<Scope, 'ownerId'>,
  { from, to }: { readonly from: Day; readonly to?: Day | undefined },
  field: string,
): Promise<void> {
  await keepMonthsOpen(tx, { ownerId })
  const closed = await tx.one<{ month: Month }>(sql`
    select month
    from attendance_month
    where owner_id = ${ownerId}
      and is_closed
      and month >= ${monthOf(from)}
      ${to === undefined ? sql`` : sql`and month <= ${monthOf(to)}`}
      and ${notDeleted()}
    order by month
    limit 1
  `)
  if (closed) throw invalidField(field, closedText(closed.month))
}
