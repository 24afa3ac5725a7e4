import type { ServerModule } from '#kit/server/handle.ts'
import { sql } from '#kit/server/db.ts'
import { cron, whenTaskEnds } from '#kit/server/jobs.ts'
import { announcementHandlers, releaseDue } from './announcement.ts'
import { enumHandlers } from './enums.ts'
import { fileHandlers } from './file.ts'
import { importHandlers } from '#kit/server/import-job.ts'
import { holidayHandlers, holidayImporter } from './holiday.ts'
import { messageHandlers } from './message.ts'
import { ringLate } from './notify.ts'
import { setupHandlers } from './setup.ts'
import { suggestHandlers } from './suggest.ts'
import { tellTaskEnded } from './task-ended.ts'
import { taskHandlers } from './task.ts'

whenTaskEnds(tellTaskEnded)

const holidays = importHandlers(holidayImporter)
const keepDays = 180

const minute = cron({
  name: 'system-bell',
  at: '* * * * *',
  run: async world => {
    await releaseDue(world)
    await ringLate(world)
  },
})

/** Messages are news, not records: half a year is enough. */
const nightly = cron({
  name: 'system-messages',
  at: '40 3 * * *',
  run: world =>
    world.store
      .tx('*', tx =>
        tx.run(
          sql`delete from notification where create_time < ${new Date(world.clock() - keepDays * 86_400_000)}`,
        ),
      )
      .then(() => undefined),
})

export const server: ServerModule = {
  handlers: [
    ...taskHandlers,
    ...fileHandlers,
    ...enumHandlers,
    ...setupHandlers,
    ...messageHandlers,
    ...announcementHandlers,
    ...suggestHandlers,
    ...holidayHandlers,
    ...holidays.handlers,
  ],
  jobs: [holidays.job],
  crons: [minute, nightly],
}
