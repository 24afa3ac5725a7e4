import type { Id } from '#kit/domain/id.ts'
import { sql, type Database } from './db.ts'
import { defineCron, type JobRunner, type Cron } from './jobs.ts'
import { uploadLifetimeMs } from './resumable-upload.ts'
import { removeStaleUploads } from './upload.ts'
import { forEachDueCompany, removeEntries } from './directory.ts'

/** Logs of the kit; modules name theirs (`ServerModule.monthlyTables`). */
const logTables = ['audit_log', 'operation_log']

/** Months of the log tables, made ahead of time. */
export const makeLogMonths = (database: Database, moduleTables: readonly string[]): Promise<void> =>
  database.tx('*', async tx => {
    for (const table of [...logTables, ...moduleTables]) {
      await tx.execute(sql`call make_months(${table}, current_date, 4)`)
    }
  })

async function deleteEndedSessions(database: Database, before: Date): Promise<void> {
  const isOld = sql`(expire_time < ${before} or end_time < ${before})`
  await forEachDueCompany(
    database,
    sql`select distinct owner_id from session_token where ${isOld}`,
    async (tx, ownerId) => {
      const deleted = await tx.rows<{ id: Id }>(
        sql`delete from session_token where owner_id = ${ownerId} and ${isOld} returning id`,
      )
      await removeEntries(
        tx,
        'session',
        ownerId,
        deleted.map(row => row.id),
      )
    },
  )
}

const deleteExpiredRows = defineCron({
  name: 'spent-rows',
  schedule: '20 * * * *',
  run: async ({ database, clock }) => {
    const hoursAgo = (hours: number): Date => new Date(clock() - hours * 3_600_000)
    const isSpent = sql`create_time < ${hoursAgo(24)}`
    await forEachDueCompany(
      database,
      sql`select distinct owner_id from idempotent_request where ${isSpent}`,
      (tx, ownerId) =>
        tx.execute(sql`delete from idempotent_request where owner_id = ${ownerId} and ${isSpent}`),
    )
    const isStale = sql`create_time < ${new Date(clock() - uploadLifetimeMs)}`
    await forEachDueCompany(
      database,
      sql`select distinct owner_id from upload_session where ${isStale}`,
      (tx, ownerId) =>
        tx.execute(sql`
          delete from upload_session
          where owner_id = ${ownerId}
            and ${isStale}
        `),
    )
    // Ended sessions stay a month, to be looked up.
    await deleteEndedSessions(database, hoursAgo(720))
    await database.tx('*', tx => tx.execute(sql`delete from rate_count where since < ${hoursAgo(24)}`))
  },
})

const deleteExpiredFiles = defineCron({
  name: 'spent-files',
  schedule: '40 3 * * *',
  run: async ({ database, files, dataDir, clock }) => {
    const hasSpentFile = sql`expire_time < ${new Date(clock())}
      and (result_file is not null or fault_file is not null)`
    // Ended tasks stay half a year.
    const isOld = sql`end_time < ${new Date(clock() - 180 * 86_400_000)}`
    await forEachDueCompany(
      database,
      sql`select distinct owner_id from task_center where (${hasSpentFile}) or ${isOld}`,
      async (tx, ownerId) => {
        await tx.execute(sql`
          update task_center
          set result_file = null, fault_file = null
          where owner_id = ${ownerId} and ${hasSpentFile}
        `)
        await tx.execute(sql`delete from task_center where owner_id = ${ownerId} and ${isOld}`)
      },
    )
    await files.sweep()
    await removeStaleUploads(dataDir)
  },
})

/** What the kit's own tables need from time to time. Each run may be repeated without harm. */
export const maintenanceCrons = (
  jobs: Pick<JobRunner, 'requeueStalledTasks'>,
  monthlyTables: readonly string[] = [],
): readonly Cron[] => [
  defineCron({
    name: 'log-months',
    schedule: '10 3 * * *',
    run: ({ database }) => makeLogMonths(database, monthlyTables),
  }),
  deleteExpiredRows,
  deleteExpiredFiles,
  defineCron({ name: 'silent-tasks', schedule: '*/5 * * * *', run: () => jobs.requeueStalledTasks() }),
]
