import './personal-data.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { reconcileHandlers, reconcileItemExport, channelBillLineExport } from './channel-bill.ts'
import { pullMissingBills } from './missing-bills.ts'
import { workQueues } from './work-queues.ts'
import { companyData } from './company-data.ts'

// The channels make a day's bill in the morning after, none of them at the same hour: asked for until it is
// there.
export const server: ServerModule = {
  companyData,
  queues: workQueues,
  handlers: reconcileHandlers,
  jobs: [reconcileItemExport.job, channelBillLineExport.job],
  crons: [
    defineCron({ name: 'reconcile-pull', schedule: '20 2,9,10,11,14,18 * * *', run: pullMissingBills }),
  ],
}
