import type { ServerModule } from '#kit/server/handler.ts'
import { sql } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { defineCron, onTaskEnd } from '#kit/server/jobs.ts'
import { announcementHandlers, publishDueAnnouncements } from './announcement.ts'
import { enumHandlers } from './enums.ts'
import { fileHandlers } from './file.ts'
import { importHandlers } from '#kit/server/sheet-import.ts'
import { holidayHandlers, holidayImporter } from './holiday.ts'
import { notificationHandlers } from './notification.ts'
import { ringAfterQuietHours } from './notify.ts'
import { userSettingHandlers } from './user-setting.ts'
import { suggestionHandlers } from './suggestion.ts'
import { notifyTaskEnded } from './task-ended.ts'
import { taskHandlers } from './task.ts'

onTaskEnd(notifyTaskEnded)

const holidayImport = importHandlers(holidayImporter)
const retentionDays = 180

const everyMinuteJob = defineCron({
  name: 'system-bell',
  schedule: '* * * * *',
  run: async app => {
    await publishDueAnnouncements(app)
    await ringAfterQuietHours(app)
  },
})

/** Messages are news, not records: half a year is enough. */
const cleanupJob = defineCron({
  name: 'system-messages',
  schedule: '40 3 * * *',
  run: async app => {
    const isOld = sql`create_time < ${new Date(app.clock() - retentionDays * 86_400_000)}`
    await forEachDueCompany(
      app.database,
      sql`select distinct owner_id from notification where ${isOld}`,
      (tx, ownerId) => tx.execute(sql`delete from notification where owner_id = ${ownerId} and ${isOld}`),
    )
  },
})

export const server: ServerModule = {
  handlers: [
    ...taskHandlers,
    ...fileHandlers,
    ...enumHandlers,
    ...userSettingHandlers,
    ...notificationHandlers,
    ...announcementHandlers,
    ...suggestionHandlers,
    ...holidayHandlers,
    ...holidayImport.handlers,
  ],
  jobs: [holidayImport.job],
  crons: [everyMinuteJob, cleanupJob],
}
