import './personal-data.ts'
import './project-removal.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { defineCron, onTaskEnd } from '#kit/server/jobs.ts'
import { importHandlers } from '#kit/server/sheet-import.ts'
import { announcementHandlers, publishDueAnnouncements } from './announcement.ts'
import { enumHandlers } from './enums.ts'
import { fileHandlers } from './file.ts'
import { holidayImporter } from './holiday-import.ts'
import { holidayHandlers } from './holiday.ts'
import { notificationHandlers } from './notification.ts'
import { sendDueMails } from './notification-mail.ts'
import { deleteOldNotifications, ringAfterQuietHours } from './notify.ts'
import { userSettingHandlers } from './user-setting.ts'
import { suggestionHandlers } from './suggestion.ts'
import { notifyTaskEnded } from './task-ended.ts'
import { taskHandlers } from './task.ts'
import { workQueueHandlers } from './work-queue.ts'
import { menuCounts, workQueues } from './work-queues.ts'
import { companyData } from './company-data.ts'

onTaskEnd(notifyTaskEnded)

const holidayImport = importHandlers(holidayImporter)

const everyMinuteJob = defineCron({
  name: 'system-bell',
  schedule: '* * * * *',
  run: async app => {
    await publishDueAnnouncements(app)
    await ringAfterQuietHours(app)
  },
})

const mailJob = defineCron({ name: 'system-mail', schedule: '* * * * *', run: sendDueMails })

/** Messages are no records: those older than half a year are deleted. */
const cleanupJob = defineCron({
  name: 'system-messages',
  schedule: '40 3 * * *',
  run: deleteOldNotifications,
})

export const server: ServerModule = {
  companyData,
  queues: workQueues,
  menuCounts,
  handlers: [
    ...taskHandlers,
    ...fileHandlers,
    ...enumHandlers,
    ...userSettingHandlers,
    ...notificationHandlers,
    ...announcementHandlers,
    ...suggestionHandlers,
    ...holidayHandlers,
    ...workQueueHandlers,
    ...holidayImport.handlers,
  ],
  jobs: [holidayImport.job],
  crons: [everyMinuteJob, mailJob, cleanupJob],
}
