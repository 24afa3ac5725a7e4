import { sql, type Tx } from './db.ts'

/** Below it any plan is quick. */
const manyRows = 1000

/**
 * After many rows were added to a table of which PostgreSQL knows fewer: has it look at the table again.
 * Until it does so by itself, it takes the table for empty, and what the same transaction asks next reads
 * all of the rows for each of them. Waits for nobody who analyzes the table at the moment.
 */
export async function analyzeIfGrown(tx: Tx, table: string, added: number): Promise<void> {
  if (added < manyRows) return
  const known = await tx.one<{ rows: number }>(
    sql`select reltuples::bigint as rows from pg_class where oid = ${table}::regclass`,
  )
  if ((known?.rows ?? 0) >= added) return
  await tx.execute(sql`analyze (skip_locked) ${sql.table(table)}`)
}
