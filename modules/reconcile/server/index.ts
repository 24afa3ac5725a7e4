import type { ServerModule } from '#kit/server/handle.ts'
import { cron } from '#kit/server/jobs.ts'
import { handlers, itemExport, lineExport } from './handlers.ts'
import { pullAll } from './run.ts'

// The channels make a day's bill in the morning after, none of them at the same hour: asked for until it is
// there.
export const server: ServerModule = {
  handlers,
  jobs: [itemExport.job, lineExport.job],
  crons: [cron({ name: 'reconcile-pull', at: '20 2,9,10,11,14,18 * * *', run: pullAll })],
}
