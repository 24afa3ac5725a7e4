import './personal-data.ts'
import './project-removal.ts'
import './refund-listener.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { actionHandlers } from './actions.ts'
import { invoiceEntries } from './notify-entry.ts'
import { getInvoiceableHandler } from './invoiceable.ts'
import { invoiceExport, recordHandlers } from './record.ts'
import { invoiceCrons, sendInvoicesJob } from './sync-jobs.ts'
import { goodHandlers } from './good.ts'
import { settingHandlers } from './setting.ts'
import { titleHandlers } from './title.ts'
import { listWaitingPaymentsHandler } from './waiting-payments.ts'
import { workQueues } from './work-queues.ts'
import { companyData } from './company-data.ts'

export const server: ServerModule = {
  companyData,
  queues: workQueues,
  handlers: [
    ...settingHandlers,
    ...goodHandlers,
    ...titleHandlers,
    getInvoiceableHandler,
    listWaitingPaymentsHandler,
    ...actionHandlers,
    ...recordHandlers,
    ...invoiceExport.handlers,
  ],
  jobs: [sendInvoicesJob, invoiceExport.job],
  crons: invoiceCrons,
  rawEndpoints: invoiceEntries,
}
