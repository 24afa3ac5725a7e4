import type { ServerModule } from '#kit/server/handle.ts'
import { closeHandlers } from './close.ts'
import { deskHandlers } from './desk.ts'
import { recordExport, tradeExport } from './export.ts'
import { handoverHandlers } from './handover.ts'
import { payHandlers } from './pay.ts'
import { receiptHandlers } from './receipt-print.ts'
import { recordHandlers } from './record.ts'
import { refundHandlers } from './refund.ts'
import { voidHandlers } from './void.ts'

export const server: ServerModule = { handlers: [...deskHandlers, ...payHandlers, ...recordHandlers, ...receiptHandlers, ...voidHandlers, ...refundHandlers, ...handoverHandlers, ...closeHandlers, ...recordExport.handlers, ...tradeExport.handlers], jobs: [recordExport.job, tradeExport.job] }
