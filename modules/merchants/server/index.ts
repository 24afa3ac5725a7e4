import type { ServerModule } from '#kit/server/handle.ts'
import { importHandlers } from '#kit/server/import-job.ts'
import { merchantExport, merchantImporter } from './import.ts'
import { merchantHandlers } from './merchant.ts'

const merchantImport = importHandlers(merchantImporter)

export const server: ServerModule = {
  handlers: [...merchantHandlers, ...merchantImport.handlers, ...merchantExport.handlers],
  jobs: [merchantImport.job, merchantExport.job],
}
