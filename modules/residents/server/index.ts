import './append.ts'
import './guards.ts'
import './parts.ts'
import type { ServerModule } from '#kit/server/handle.ts'
import { importHandlers } from '#kit/server/import-job.ts'
import { cron } from '#kit/server/jobs.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { blockHandlers } from './block.ts'
import { cardHandlers } from './card.ts'
import { residentExport } from './export.ts'
import { residentImporter } from './import.ts'
import { listHandlers } from './list.ts'
import { mergeHandlers } from './merge.ts'
import { moveHandlers } from './move.ts'
import { panelHandlers } from './panel.ts'
import { residencyHandlers } from './residency.ts'
import { residentHandlers } from './resident.ts'
import { statisticsHandlers } from './statistics.ts'
import { wechatHandlers } from './wechat.ts'

const residentImport = importHandlers(residentImporter)

/** Cards past their last day. May run any number of times. */
const expiring = cron({
  name: 'residents-cards',
  at: '4 0 * * *',
  run: async world => {
    const today = dayOfMoment(fromInstant(world.clock()))
    await world.store.tx('*', tx =>
      tx.run(
        sql`
          update identity_card
          set state = 40, version = version + 1, update_time = now()
          where delete_tag = 0 and state = 10 and end_date < ${today}
        `,
      ),
    )
  },
})

export const server: ServerModule = {
  handlers: [
    ...listHandlers,
    ...residentHandlers,
    ...mergeHandlers,
    ...residencyHandlers,
    ...moveHandlers,
    ...blockHandlers,
    ...cardHandlers,
    ...statisticsHandlers,
    ...panelHandlers,
    ...wechatHandlers,
    ...residentImport.handlers,
    ...residentExport.handlers,
  ],
  jobs: [residentImport.job, residentExport.job],
  crons: [expiring],
}
