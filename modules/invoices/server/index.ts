import './follow.ts'
import type { ServerModule } from '#kit/server/handle.ts'
import { actHandlers } from './acts.ts'
import { invoiceDoors } from './door.ts'
import { openHandlers } from './open.ts'
import { invoiceExport, recordHandlers } from './record.ts'
import { invoiceCrons, sendJob } from './send.ts'
import { goodHandlers, setHandlers } from './set.ts'
import { titleHandlers } from './title.ts'

export const server: ServerModule = {
  handlers: [
    ...setHandlers,
    ...goodHandlers,
    ...titleHandlers,
    ...openHandlers,
    ...actHandlers,
    ...recordHandlers,
    ...invoiceExport.handlers,
  ],
  jobs: [sendJob, invoiceExport.job],
  crons: invoiceCrons,
  plain: invoiceDoors,
}
