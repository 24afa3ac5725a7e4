import { sql, type RawBuilder, type Tx } from './db.ts'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import type { Scope } from './scope.ts'
import { notDeleted } from './sql.ts'
import { defined } from '#kit/domain/defined.ts'

/** What still hangs on a record, counted by kind in people's words: `{ label: '房间', count: 12 }`. */
export interface DependentCount {
  readonly label: string
  readonly count: number
}

type CountDependents = (tx: Tx, scope: Scope, rows: readonly any[]) => Promise<readonly DependentCount[]>
const dependentCounters = new Map<string, CountDependents[]>()

/**
 * A module that hangs things on another's entity says how to count them; the owner asks before it deletes
 * (BASE-5).
 */
export const registerDependents = (entity: string, countDependents: CountDependents): void => {
  dependentCounters.set(entity, [...(dependentCounters.get(entity) ?? []), countDependents])
}

/** Live rows of a table that hang on a record: what people call them, and the condition that finds them. */
export interface DependentRows {
  readonly label: string
  readonly table: string
  readonly where: (row: any, scope: Scope) => RawBuilder<unknown>
  /** Counts no further, where there may be very many. */
  readonly atMost?: number
}

/** The same where what hangs on a record are rows of the company's tables: counted in one statement. */
export const registerDependentRows = (entity: string, ...counted: readonly DependentRows[]): void =>
  registerDependents(entity, async (tx, scope, [row]) => {
    const counts = counted.map(
      ({ table, where, atMost }, i) => sql`(
        select count(*)
        from (
          select
          from ${sql.table(table)}
          where owner_id = ${scope.ownerId} and ${notDeleted()} and ${where(row, scope)}
          ${atMost === undefined ? sql`` : sql`limit ${atMost}`}
        ) x
      )::int as ${sql.id(`n${i}`)}`,
    )
    const found = defined(await tx.one<Record<string, number>>(sql`select ${sql.join(counts)}`))
    return counted.map(({ label }, i) => ({ label, count: defined(found[`n${i}`]) }))
  })

/** Refuses to delete what is still in use; the message lists the counts by kind. */
export async function assertDeletable(
  tx: Tx,
  scope: Scope,
  entity: string,
  label: string,
  rows: readonly unknown[],
): Promise<void> {
  const blocking: DependentCount[] = []
  for (const countDependents of dependentCounters.get(entity) ?? []) {
    blocking.push(...(await countDependents(tx, scope, rows)).filter(h => h.count > 0))
  }
  if (blocking.length)
    throw new Refused(
      resultCode.refused,
      `${label}不能删除：还有${blocking.map(h => `${h.label} ${h.count} 个`).join('、')}，请先处理`,
    )
}
