import './receipt-lines.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { depositExport, depositHandlers } from './deposit.ts'

export const server: ServerModule = {
  handlers: [...depositHandlers, ...depositExport.handlers],
  jobs: [depositExport.job],
}
