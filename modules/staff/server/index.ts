import type { ServerModule } from '#kit/server/handler.ts'
import { importHandlers } from '#kit/server/sheet-import.ts'
import { departmentHandlers } from './department.ts'
import { staffExport, staffImporter } from './staff-import.ts'
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
