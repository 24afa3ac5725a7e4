import type { ServerModule } from '#kit/server/handle.ts'
import { channelHandlers } from './channel.ts'
import { closeHandlers } from './close.ts'
import { deskHandlers } from './desk.ts'
import { recordExport, tradeExport } from './export.ts'
import { importHandlers } from '#kit/server/import-job.ts'
import { historyImporter } from './history.ts'
import { handoverHandlers } from './handover.ts'
import { orderDoors } from './order-door.ts'
import { orderCrons } from './order-jobs.ts'
import { orderHandlers } from './order.ts'
import { otherHandlers } from './other.ts'
import { payHandlers } from './pay.ts'
import { receiptHandlers } from './receipt-print.ts'
import { recordHandlers } from './record.ts'
import { refundHandlers } from './refund.ts'
import { terminalHandlers } from './terminal.ts'
import { voidHandlers } from './void.ts'

const history = importHandlers(historyImporter)

export const server: ServerModule = {
  handlers: [
    ...deskHandlers,
    ...payHandlers,
    ...recordHandlers,
    ...receiptHandlers,
    ...voidHandlers,
    ...refundHandlers,
    ...handoverHandlers,
    ...closeHandlers,
    ...otherHandlers,
    ...orderHandlers,
    ...channelHandlers,
    ...terminalHandlers,
    ...history.handlers,
    ...recordExport.handlers,
    ...tradeExport.handlers,
  ],
  jobs: [history.job, recordExport.job, tradeExport.job],
  crons: orderCrons,
  plain: orderDoors,
}
