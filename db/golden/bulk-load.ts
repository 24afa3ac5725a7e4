import { sql, type Database } from '#kit/server/db.ts'

/**
 * Tables that are filled by the ten thousand, and those of their indexes that the filling itself asks for.
 */
const bulkTables = ['bill', 'bill_month', 'bill_move', 'pay_record', 'pay_detail', 'fc_summary']
export const keptIndexes = [
  'bill_source',
  'bill_freed',
  'bill_gone',
  'bill_move_bill',
  'pay_detail_record',
  'pay_record_report',
]

/**
 * Does `work` without the other indexes and makes them afterwards: keeping them up to date costs a third of a
 * step, and bills are written twice, when they are made and when they are paid. Sound only in a database of
 * our own, where a demo that was killed halfway starts from the beginning.
 */
export async function withoutIndexes(database: Database, work: () => Promise<void>): Promise<void> {
  const spared = await database.tx('*', async tx => {
    const all = await tx.rows<{
      name: string
      def: string
    }>(sql`
      select c.relname as name, pg_get_indexdef(c.oid) as def
      from pg_index i
      join pg_class c on c.oid = i.indexrelid
      where i.indrelid = any(${bulkTables}::regclass[])
        and not i.indisunique
        and not i.indisexclusion
        and c.relname <> all(${keptIndexes})
      order by 1
    `)
    for (const { name } of all) {
      await tx.execute(sql`drop index ${sql.id(name)}`)
    }
    return all
  })
  await work()
  await Promise.all(
    [0, 1].map(lane =>
      database.tx('*', async tx => {
        for (const [n, { def }] of spared.entries()) {
          if (n % 2 === lane) {
            await tx.execute(sql.raw(def))
          }
        }
      }),
    ),
  )
}
