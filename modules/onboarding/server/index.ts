import type { ServerModule } from '#kit/server/handler.ts'
import { guideHandlers, workQueues } from './guide.ts'
import { sampleHandlers } from './sample.ts'
import { companyData } from './company-data.ts'

export const server: ServerModule = {
  companyData,
  handlers: [...guideHandlers, ...sampleHandlers],
  queues: workQueues,
}
