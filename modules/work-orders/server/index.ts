import './personal-data.ts'
import './bill-subjects.ts'
import './dependents.ts'
import './hand-over.ts'
import './move-step.ts'
import './paid-bills.ts'
import './resident-part.ts'
import { joinServers } from '#kit/server/crud.ts'
import { defineInterval } from '#kit/server/intervals.ts'
import { defineCron } from '#kit/server/jobs.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { chargeHandlers, chargeServer } from './charge.ts'
import { sweepUnrated } from './default-evaluation.ts'
import { evaluationHandlers, evaluationServer } from './evaluation-handlers.ts'
import { functionSettingHandlers } from './function-settings.ts'
import { orderActionHandlers } from './order-actions.ts'
import { orderDetailHandlers } from './order-detail.ts'
import { orderListHandlers, orderListServer } from './order-list.ts'
import { orderTypeHandlers, orderTypeServer } from './order-type.ts'
import { orderHandlers, orderRecordServer } from './order.ts'
import { sweepCrossings } from './overtime.ts'
import { setRunningApp } from './live-orders.ts'
import { personConfigHandlers, personConfigServer } from './person-config.ts'
import { placeCodeHandlers } from './place-codes.ts'
import { residentHandlers } from './resident.ts'
import { statisticsHandlers } from './statistics.ts'
import { sweepWarnings } from './time-warnings.ts'
import { notifyServer, warningSettingHandlers } from './warning-settings.ts'
import { workQueues } from './work-queues.ts'
import { companyData } from './company-data.ts'

export const server: ServerModule = {
  companyData,
  ...joinServers(
    orderTypeServer,
    personConfigServer,
    orderListServer,
    orderRecordServer,
    chargeServer,
    evaluationServer,
    notifyServer,
    {
      handlers: [
        ...orderTypeHandlers,
        ...personConfigHandlers,
        ...orderListHandlers,
        ...orderDetailHandlers,
        ...orderHandlers,
        ...orderActionHandlers,
        ...chargeHandlers,
        ...evaluationHandlers,
        ...functionSettingHandlers,
        ...warningSettingHandlers,
        ...residentHandlers,
        ...placeCodeHandlers,
        ...statisticsHandlers,
      ],
      queues: workQueues,
      crons: [
        defineCron({
          name: 'work-orders-unrated',
          schedule: '*/10 * * * *',
          run: async app => {
            await sweepUnrated(app)
          },
        }),
      ],
      intervals: [
        defineInterval({ name: 'work-order-crossings', everyMs: 15_000, run: sweepCrossings }),
        defineInterval({
          name: 'work-order-warnings',
          everyMs: 30_000,
          run: async app => {
            await sweepWarnings(app)
          },
        }),
      ],
    },
  ),
  onStart: setRunningApp,
}
