import type { ServerModule } from '#kit/server/handle.ts'
import { payHandlers } from './pay.ts'

export const server: ServerModule = { handlers: [...payHandlers] }
