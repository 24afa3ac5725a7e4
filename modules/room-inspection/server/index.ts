import './personal-data.ts'
import './dependents.ts'
import { joinServers } from '#kit/server/crud.ts'
import { checkServer } from './check.ts'
import { findingHandlers, findingServer } from './finding.ts'
import { inspectionHandlers, inspectionServer } from './inspection.ts'
import { standardHandlers, standardServer } from './standard.ts'
import { workQueues } from './work-queues.ts'

export const server = joinServers(standardServer, inspectionServer, findingServer, checkServer, {
  handlers: [...standardHandlers, ...inspectionHandlers, ...findingHandlers],
  queues: workQueues,
})
