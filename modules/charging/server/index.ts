import './dependents.ts'
import './personal-data.ts'
import { joinServers } from '#kit/server/crud.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { companyData } from './company-data.ts'
import { exceptionHandlers, exceptionServer } from './exception-handlers.ts'
import { hubHandlers, hubServer } from './hubs.ts'
import { ocppEndpoint } from './ocpp/endpoint.ts'
import { listenToHubNotices } from './ocpp/notices.ts'
import { orderHandlers, orderServer } from './orders.ts'
import { payerHandlers } from './payer-page.ts'
import { standardServer } from './standards.ts'
import { intervals } from './sweeps.ts'
import { menuCounts, workQueues } from './work-queues.ts'

export const server: ServerModule = {
  ...joinServers(standardServer, hubServer, orderServer, exceptionServer, {
    companyData,
    queues: workQueues,
    menuCounts,
    intervals,
    handlers: [...hubHandlers, ...orderHandlers, ...exceptionHandlers, ...payerHandlers],
  }),
  sockets: [ocppEndpoint],
  onStart: listenToHubNotices,
}
