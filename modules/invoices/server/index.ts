import './refund-listener.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { actionHandlers } from './actions.ts'
import { invoiceEntries } from './notify-entry.ts'
import { invoicingHandlers } from './invoicing.ts'
import { invoiceExport, recordHandlers } from './record.ts'
import { invoiceCrons, sendInvoicesJob } from './platform-sync.ts'
import { goodHandlers, settingHandlers } from './setting.ts'
import { titleHandlers } from './title.ts'

export const server: ServerModule = {
  handlers: [
    ...settingHandlers,
    ...goodHandlers,
    ...titleHandlers,
    ...invoicingHandlers,
    ...actionHandlers,
    ...recordHandlers,
    ...invoiceExport.handlers,
  ],
  jobs: [sendInvoicesJob, invoiceExport.job],
  crons: invoiceCrons,
  rawEndpoints: invoiceEntries,
}
