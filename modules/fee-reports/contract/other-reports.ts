import { invoiceBy, issuedInvoices } from './invoice.ts'
import { parkingBy, parking } from './parking.ts'
import { prestoreBy, prestoreMonthBy, prestoreMonths, prestoreSummary } from './prestore.ts'
import {
  sourceBillsBy,
  feeBills,
  roomBills,
  roomBillsBy,
  sourceBills,
  getSourceBillTotals,
  feeBillsBy,
} from './room.ts'
import { trade, tradeBy } from './trade.ts'
import { meterMonthBy, meterMonths, meterReadings, meterBy } from './meter.ts'

/** Reports of rooms, trades, meters, prestore, parking and invoices. */
export const otherReports = [
  roomBills,
  feeBills,
  sourceBills,
  trade,
  meterReadings,
  meterMonths,
  prestoreSummary,
  prestoreMonths,
  parking,
  issuedInvoices,
]

export const otherCalls = [getSourceBillTotals]

export const otherChoices = [
  roomBillsBy,
  feeBillsBy,
  sourceBillsBy,
  tradeBy,
  meterBy,
  meterMonthBy,
  prestoreBy,
  prestoreMonthBy,
  parkingBy,
  invoiceBy,
]
