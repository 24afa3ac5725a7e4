import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { prepareGeneratedColumnsOnce } from './generated-columns.ts'

/**
 * Writes how far relations are billed now (CYC-4). The version of a relation stays: somebody who edits it at
 * the same time must not be refused because bills were generated.
 */
export async function advanceBilledTo(
  tx: Tx,
  ownerId: Id,
  advanced: readonly { readonly id: Id; readonly to: Day }[],
): Promise<number> {
  if (!advanced.length) return 0
  const ids = sqlArray(
    'bigint',
    advanced.map(a => a.id),
  )
  const days = sqlArray(
    'date',
    advanced.map(a => a.to),
  )
  return tx.execute(sql`
    update fee_relation r
    set billed_to = w.day, ${prepareGeneratedColumnsOnce('r')}
    from unnest(${ids}, ${days}) as w(id, day)
    where r.owner_id = ${ownerId} and r.id = w.id and r.billed_to is distinct from w.day
  `)
}

/**
 * Recomputes how far relations are billed: to the last day of their effective bills, never before the day
 * they started with (C3.2, CYC-4). `lastBilledDay` is the scalar query for that day of the relation with
 * alias `i`; the module that owns the bills writes it.
 */
export async function recomputeBilledTo(
  tx: Tx,
  ownerId: Id,
  relationIds: readonly Id[],
  lastBilledDay: RawBuilder<unknown>,
): Promise<void> {
  if (!relationIds.length) return
  await tx.execute(sql`
    update fee_relation r
    set billed_to = greatest(x.day, r.run_floor), ${prepareGeneratedColumnsOnce('r')}
    from (
      select i.id, (${lastBilledDay}) as day
      from fee_relation i
      where i.owner_id = ${ownerId} and i.id = any(${[...relationIds]}::bigint[])
    ) x
    where r.owner_id = ${ownerId}
      and r.id = x.id
      and r.billed_to is distinct from greatest(x.day, r.run_floor)
  `)
}
