import './personal-data.ts'
import './project-removal.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { channelHandlers } from './channel.ts'
import { dayCloseHandlers } from './day-close.ts'
import { cashierHandlers } from './cashier.ts'
import { recordExport, tradeExport } from './export.ts'
import { importHandlers } from '#kit/server/sheet-import.ts'
import { historyImporter } from './history.ts'
import { handoverHandlers } from './handover.ts'
import { orderEntries } from './order-entry.ts'
import { orderCrons } from './order-jobs.ts'
import { orderHandlers } from './order.ts'
import { otherIncomeHandlers } from './other-income.ts'
import { paymentHandlers } from './payment.ts'
import { receiptHandlers } from './receipt-printing.ts'
import { recordHandlers } from './record.ts'
import { endingCreditHandlers } from './ended-charge-credit.ts'
import { refundHandlers } from './refund.ts'
import { terminalHandlers } from './terminal.ts'
import { tradeHandlers } from './trade.ts'
import { voidHandlers } from './void.ts'
import { workQueues } from './work-queues.ts'
import { companyData } from './company-data.ts'

const history = importHandlers(historyImporter)

export const server: ServerModule = {
  companyData,
  queues: workQueues,
  handlers: [
    ...cashierHandlers,
    ...paymentHandlers,
    ...recordHandlers,
    ...tradeHandlers,
    ...receiptHandlers,
    ...voidHandlers,
    ...refundHandlers,
    ...endingCreditHandlers,
    ...handoverHandlers,
    ...dayCloseHandlers,
    ...otherIncomeHandlers,
    ...orderHandlers,
    ...channelHandlers,
    ...terminalHandlers,
    ...history.handlers,
    ...recordExport.handlers,
    ...tradeExport.handlers,
  ],
  jobs: [history.job, recordExport.job, tradeExport.job],
  crons: orderCrons,
  rawEndpoints: orderEntries,
}
