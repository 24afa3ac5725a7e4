import type { ServerModule } from '#kit/server/handler.ts'
import { guideHandlers } from './guide.ts'
import { sampleHandlers } from './sample.ts'

export const server: ServerModule = { handlers: [...guideHandlers, ...sampleHandlers] }
