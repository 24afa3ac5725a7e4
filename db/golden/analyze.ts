import { sql, type Tx } from '#kit/server/db.ts'

/**
 * Analyzes what the database has so far: tables that were empty a moment ago have no statistics, and without
 * them a join of two thousand rows is planned as one of two. A small sample will do; autovacuum analyzes in
 * more detail later.
 */
export const analyzeTables = async (tx: Tx, ...tables: readonly string[]): Promise<void> => {
  await tx.execute(sql`set local default_statistics_target = 10`)
  await tx.execute(sql`analyze ${sql.raw(tables.join(', '))}`)
}
