import type { ServerModule } from '#kit/server/handler.ts'
import { importHandlers } from '#kit/server/sheet-import.ts'
import { merchantExport, merchantImporter } from './merchant-import.ts'
import { merchantHandlers } from './merchant.ts'

const merchantImport = importHandlers(merchantImporter)

export const server: ServerModule = {
  handlers: [...merchantHandlers, ...merchantImport.handlers, ...merchantExport.handlers],
  jobs: [merchantImport.job, merchantExport.job],
}
