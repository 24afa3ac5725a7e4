import './resident-part.ts'
import { billHandlers } from './bills.ts'
import { orderHandlers } from './orders.ts'
import { receiptHandlers } from './receipts.ts'

export const server = { handlers: [...billHandlers, ...orderHandlers, ...receiptHandlers] }
