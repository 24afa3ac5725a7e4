import './personal-data.ts'
import './targets.ts'
import { joinServers } from '#kit/server/crud.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { exportTaskRecords, exportTasks } from '../contract/exports.ts'
import { listTasks } from '../contract/task-calls.ts'
import { menu, paths } from '../module.ts'
import { closeDue } from './close.ts'
import { companyData } from './company-data.ts'
import { workExports } from './exports.ts'
import { countDue } from './figures.ts'
import { generateDue } from './generate.ts'
import { allAgainQueue, kindQueues } from './kind-queues.ts'
import { overviewHandlers } from './overview.ts'
import { rateServer } from './rate-list.ts'
import { remindDue } from './reminders.ts'
import { scheduleHandlers, scheduleServer } from './schedule.ts'
import { standardHandlers, standardServer } from './standard.ts'
import { taskHandlers } from './task.ts'

const sheets = workExports('standard', {
  key: 'planned-work',
  name: '任务',
  tasks: exportTasks,
  records: exportTaskRecords,
})

export const server = joinServers(standardServer, scheduleServer, rateServer, sheets, {
  handlers: [...standardHandlers, ...scheduleHandlers, ...taskHandlers, ...overviewHandlers],
  crons: [
    defineCron({ name: 'work-tasks', schedule: '5 0 * * *', run: generateDue }),
    defineCron({ name: 'work-closing', schedule: '* * * * *', run: closeDue }),
    defineCron({ name: 'work-reminders', schedule: '* * * * *', run: remindDue }),
    defineCron({ name: 'work-figures', schedule: '*/4 * * * *', run: countDue }),
  ],
  queues: [
    allAgainQueue,
    ...kindQueues('standard', {
      noun: '标准',
      list: listTasks,
      arrange: menu.plan.permissions.arrange,
      execute: menu.plan.permissions.execute,
      paths,
    }),
  ],
  companyData,
})
