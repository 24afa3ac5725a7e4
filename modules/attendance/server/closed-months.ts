import { monthOf, type Month } from '#kit/domain/month.ts'
import type { Day } from '#kit/domain/day.ts'
import { invalidField } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
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

export const closedText = (month: string): string => `${month} 考勤已封存，请先解除封存`

/** Refuses a change of days whose month is closed (ATT-12). */
export async function assertOpen(
  db: Db,
  scope: Pick<Scope, 'ownerId'>,
  days: readonly Day[],
  field: string,
): Promise<void> {
  const [closed] = await closedMonthsOf(db, scope, days)
  if (closed !== undefined) throw invalidField(field, closedText(closed))
}
