import './dependents.ts'
import './personal-data.ts'
import './moves.ts'
import './sync/plan.ts'
import { joinServers } from '#kit/server/crud.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { alarmHandlers, alarmServer } from './alarm.ts'
import { callServer } from './call-record.ts'
import { companyData } from './company-data.ts'
import { elevatorHandlers } from './elevator-calls.ts'
import { elevatorServer } from './elevator.ts'
import { maintenanceServer } from './maintenance.ts'
import { reachHandlers } from './reach/handlers.ts'
import { commandHandlers, commandServer } from './remote.ts'
import { rightServer } from './right.ts'
import { menuCounts, workQueues } from './work-queues.ts'

export const server: ServerModule = {
  ...joinServers(
    elevatorServer,
    maintenanceServer,
    rightServer,
    callServer,
    alarmServer,
    commandServer,
    { handlers: [...elevatorHandlers, ...reachHandlers, ...alarmHandlers, ...commandHandlers] },
    { companyData, queues: workQueues, menuCounts },
  ),
  monthlyTables: ['elevator_call'],
}
