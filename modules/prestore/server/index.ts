import './purse.ts'
import type { ServerModule } from '#kit/server/handle.ts'
import { accountHandlers } from './account.ts'
import { deductHandlers, nightly } from './deduct.ts'

export const server: ServerModule = { handlers: [...accountHandlers, ...deductHandlers], crons: [nightly] }
