import { sql } from './db.ts'
import { cron, type Begun, type Cron } from './jobs.ts'
import { clearUploads } from './upload.ts'

/** What the kit's own tables need from time to time. Every act may run twice. */
export const careOf = (jobs: Begun): readonly Cron[] => [
  cron({
    name: 'log-months',
    at: '10 3 * * *',
    run: async ({ store }) => {
      await store.tx('*', async tx => {
        for (const log of ['audit_log', 'operation_log']) {
          await tx.run(sql`call make_months(${log}, current_date, 4)`)
        }
      })
    },
  }),
  cron({
    name: 'spent-rows',
    at: '20 * * * *',
    run: async ({ store, clock }) => {
      const before = (hours: number): Date => new Date(clock() - hours * 3_600_000)
      await store.tx('*', tx => tx.run(sql`delete from idempotent_request where create_time < ${before(24)}`))
      // Ended sessions stay a month, to be looked up.
      await store.tx('*', tx =>
        tx.run(
          sql`delete from session_token where expire_time < ${before(720)} or end_time < ${before(720)}`,
        ),
      )
      await store.tx('*', tx => tx.run(sql`delete from rate_count where since < now() - interval '1 day'`))
    },
  }),
  cron({
    name: 'spent-files',
    at: '40 3 * * *',
    run: async ({ store, files, dataDir }) => {
      await store.tx('*', tx =>
        tx.run(
          sql`
            update task_center
            set result_file = null, fault_file = null
            where expire_time < now() and (result_file is not null or fault_file is not null)
          `,
        ),
      )
      // Half a year of history is enough of tasks.
      await store.tx('*', tx =>
        tx.run(sql`delete from task_center where end_time < now() - interval '180 days'`),
      )
      await files.sweep()
      await clearUploads(dataDir)
    },
  }),
  cron({ name: 'silent-tasks', at: '*/5 * * * *', run: () => jobs.tend() }),
]
