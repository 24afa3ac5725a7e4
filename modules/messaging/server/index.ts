import './personal-data.ts'
import './dependents.ts'
import { joinServers } from '#kit/server/crud.ts'
import { defineInterval } from '#kit/server/intervals.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { blockServer } from './blocks.ts'
import { companyData } from './company-data.ts'
import { dispatchMessages, settleMessages } from './dispatcher.ts'
import { numberFileHandlers } from './number-file.ts'
import { numberFileCron } from './number-file-store.ts'
import { ledgerServer, quotaHandlers } from './quota-handlers.ts'
import { lowQuotaCron } from './low-quota.ts'
import { recordHandlers, recordServer } from './records.ts'
import { earlyReportsCron } from './receive-reports.ts'
import { reportEndpoints } from './report-endpoint.ts'
import { refreshLargeTasks } from './task-figures.ts'
import { statisticHandlers } from './statistics.ts'
import { taskHandlers, taskServer } from './tasks.ts'
import { templateHandlers, templateServer } from './templates.ts'

const intervals = [defineInterval({ name: 'messages', everyMs: 500, run: app => dispatchMessages(app) })]
const settleCron = defineCron({ name: 'messages-settle', schedule: '*/10 * * * *', run: settleMessages })
const tasksCron = defineCron({ name: 'messages-tasks', schedule: '* * * * *', run: refreshLargeTasks })

export const server = {
  ...joinServers(taskServer, recordServer, ledgerServer, blockServer, templateServer, {
    companyData,
    intervals,
    crons: [settleCron, tasksCron, numberFileCron, earlyReportsCron, lowQuotaCron],
    handlers: [
      ...taskHandlers,
      ...recordHandlers,
      ...quotaHandlers,
      ...templateHandlers,
      ...numberFileHandlers,
      ...statisticHandlers,
    ],
  }),
  rawEndpoints: reportEndpoints,
}
