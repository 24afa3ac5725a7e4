import './application-kinds.ts'
import './personal-data.ts'
import './dependents.ts'
import './holidays.ts'
import { joinServers } from '#kit/server/crud.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { applyHandlers, applyServer } from './apply.ts'
import { dayImportHandlers, dayImportJob } from './day-import.ts'
import { dayHandlers, dayServer } from './day.ts'
import { exemptionServer } from './exemption.ts'
import { groupHandlers, groupServer } from './group.ts'
import { deviceServer, logHandlers, logImportHandlers, logImportJob, logServer } from './log.ts'
import { monthSheetHandlers } from './month-sheet.ts'
import { monthExportJob, monthHandlers } from './month.ts'
import { computeYesterday } from './nightly.ts'
import { ownApplyHandlers } from './own-apply.ts'
import { phoneHandlers } from './phone.ts'
import { scheduleImportHandlers, scheduleImportJob } from './schedule-import.ts'
import { scheduleHandlers } from './schedule.ts'
import { shiftHandlers, shiftServer } from './shift.ts'
import { statisticsHandlers } from './statistics.ts'

export const server = joinServers(
  shiftServer,
  groupServer,
  deviceServer,
  logServer,
  dayServer,
  applyServer,
  exemptionServer,
  {
    handlers: [
      ...shiftHandlers,
      ...groupHandlers,
      ...scheduleHandlers,
      ...scheduleImportHandlers,
      ...logHandlers,
      ...logImportHandlers,
      ...phoneHandlers,
      ...dayHandlers,
      ...dayImportHandlers,
      ...monthHandlers,
      ...monthSheetHandlers,
      ...statisticsHandlers,
      ...applyHandlers,
      ...ownApplyHandlers,
    ],
    jobs: [scheduleImportJob, logImportJob, dayImportJob, monthExportJob],
    crons: [
      // At night, and after the last night shift's window has ended.
      defineCron({ name: 'attendance-days', schedule: '20 4,13 * * *', run: computeYesterday }),
    ],
  },
)
