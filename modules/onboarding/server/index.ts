import type { ServerModule } from '#kit/server/handler.ts'
import { guideHandlers, workQueues } from './guide.ts'
import { sampleHandlers } from './sample.ts'

export const server: ServerModule = { handlers: [...guideHandlers, ...sampleHandlers], queues: workQueues }
