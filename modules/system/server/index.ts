import type { ServerModule } from '#kit/server/handle.ts'
import { enumHandlers } from './enums.ts'
import { fileHandlers } from './file.ts'
import { setupHandlers } from './setup.ts'
import { taskHandlers } from './task.ts'

export const server: ServerModule = { handlers: [...taskHandlers, ...fileHandlers, ...enumHandlers, ...setupHandlers] }
