import type { ServerModule } from '#kit/server/handle.ts'
import { importHandlers } from '#kit/server/import-job.ts'
import { departmentHandlers } from './department.ts'
import { staffExport, staffImporter } from './import.ts'
import { staffHandlers } from './staff.ts'
import { tagHandlers } from './tag.ts'

const staffImport = importHandlers(staffImporter)

export const server: ServerModule = {
  handlers: [
    ...departmentHandlers,
    ...staffHandlers,
    ...tagHandlers,
    ...staffImport.handlers,
    ...staffExport.handlers,
  ],
  jobs: [staffImport.job, staffExport.job],
}
