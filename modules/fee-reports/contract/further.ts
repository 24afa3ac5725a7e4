import { invoiceBy, issuedInvoices } from './issued.ts'
import { parkBy, parking } from './park.ts'
import { reserveBy, reserveMonthBy, reserveMonths, reserves } from './reserves.ts'
import { convergeBy, feeBills, roomBills, roomBy, sourceBills, sourceBillsSum, spreadBy } from './rooms.ts'
import { trade, tradeBy } from './trade.ts'
import { meterMonthBy, meterMonths, meters, usageBy } from './usage.ts'

/** Reports of rooms, trades, meters, prestore, parking and invoices. */
export const furtherReports = [
  roomBills,
  feeBills,
  sourceBills,
  trade,
  meters,
  meterMonths,
  reserves,
  reserveMonths,
  parking,
  issuedInvoices,
]

export const furtherCalls = [sourceBillsSum]

export const furtherChoices = [
  roomBy,
  spreadBy,
  convergeBy,
  tradeBy,
  usageBy,
  meterMonthBy,
  reserveBy,
  reserveMonthBy,
  parkBy,
  invoiceBy,
]
