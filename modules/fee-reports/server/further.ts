import type { Report } from '../contract/report.ts'
import { issuedInvoices } from '../contract/issued.ts'
import { parking } from '../contract/park.ts'
import { reserveMonths, reserves } from '../contract/reserves.ts'
import { feeBills, roomBills, sourceBills } from '../contract/rooms.ts'
import { trade } from '../contract/trade.ts'
import { meterMonths, meters } from '../contract/usage.ts'
import { invoiceSource } from './issued.ts'
import { parkSource } from './park.ts'
import type { Source } from './report.ts'
import { reserveMonthSource, reserveSource } from './reserves.ts'
import { roomHandlers, roomSource, spreadSource } from './rooms.ts'
import { tradeSource } from './trade.ts'
import { meterMonthSource, meterSource } from './usage.ts'

export const furtherSources: readonly (readonly [Report, Source])[] = [
  [roomBills, roomSource],
  [feeBills, spreadSource],
  [sourceBills, spreadSource],
  [trade, tradeSource],
  [meters, meterSource],
  [meterMonths, meterMonthSource],
  [reserves, reserveSource],
  [reserveMonths, reserveMonthSource],
  [parking, parkSource],
  [issuedInvoices, invoiceSource],
]

export const furtherHandlers = roomHandlers
