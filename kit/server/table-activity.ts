import { sql, type Db } from './db.ts'

interface Counted {
  readonly count: string
}

const changes = 'coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::text'

/**
 * How many rows of these tables were ever written, by the database's own counters: the same answer twice
 * means that nothing has changed. Where companies are spread over several nodes, the rows are in the nodes'
 * tables `name_102008`, and the coordinator counts none of them.
 */
export async function countTableChanges(db: Db, tables: readonly string[]): Promise<string> {
  const [own, [engine]] = await db.all<[Counted, { spread: boolean }]>(
    sql`select ${sql.raw(changes)} as count from pg_stat_user_tables where relname = any(${tables})`,
    sql`select exists (select 1 from pg_extension where extname = 'citus') as spread`,
  )
  const counts = own.map(row => row.count)
  if (engine?.spread) {
    const onNodes = `select ${changes} from pg_stat_user_tables where relname ~ '^(${tables.join('|')})_[0-9]+$'`
    const nodes = await db.rows<{ result: string }>(
      sql`select result from run_command_on_workers(${onNodes}) order by nodename, nodeport`,
    )
    counts.push(...nodes.map(node => node.result))
  }
  return counts.join('/')
}
