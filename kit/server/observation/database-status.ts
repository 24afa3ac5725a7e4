import type { Database } from '../db.ts'
import { taskState } from '../jobs/task-table.ts'

/** What monitoring asks of the database itself. */
export interface DatabaseStatus {
  readonly waitingTasks: number
  readonly runningTasks: number
  /** Seconds that the oldest waiting task has waited. */
  readonly oldestWaitingSeconds: number
  /** Bytes of write-ahead log written since the database was made; 0 on a replica. */
  readonly walBytes: number
  readonly databaseBytes: number
}

const question = `
  select
    count(*) filter (where state = ${taskState.waiting})::int as "waitingTasks",
    count(*) filter (where state = ${taskState.running})::int as "runningTasks",
    coalesce(
      extract(epoch from now() - min(create_time) filter (where state = ${taskState.waiting})), 0
    )::float8 as "oldestWaitingSeconds",
    case when pg_is_in_recovery() then 0
      else pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') end::float8 as "walBytes",
    pg_database_size(current_database())::float8 as "databaseBytes"
  from task_center
  where state in (${taskState.waiting}, ${taskState.running}) and delete_tag = 0
`

const keptMs = 5000

/** Asks at most every five seconds, however many monitors scrape; nothing while the database is away. */
export function openDatabaseStatus(
  database: Pick<Database, 'monitor'>,
): () => Promise<DatabaseStatus | undefined> {
  let asked: Promise<DatabaseStatus | undefined> | undefined
  let askedAt = 0
  return () => {
    if (!asked || performance.now() - askedAt > keptMs) {
      askedAt = performance.now()
      asked = database.monitor<DatabaseStatus>(question).then(
        rows => rows[0],
        () => undefined,
      )
    }
    return asked
  }
}
