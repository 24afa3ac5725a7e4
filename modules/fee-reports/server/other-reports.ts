import type { Report } from '../contract/report.ts'
import { issuedInvoices } from '../contract/invoice.ts'
import { parking } from '../contract/parking.ts'
import { prestoreMonths, prestoreSummary } from '../contract/prestore.ts'
import { feeBills, roomBills, sourceBills } from '../contract/room.ts'
import { trade } from '../contract/trade.ts'
import { meterMonths, meterReadings } from '../contract/meter.ts'
import { invoiceSource } from './invoice.ts'
import { parkingSource } from './parking.ts'
import type { ReportSource } from './report-source.ts'
import { prestoreMonthSource, prestoreSource } from './prestore.ts'
import { roomBillsSource, feeBillsSource } from './room.ts'
import { tradeSource } from './trade.ts'
import { meterMonthSource, meterSource } from './meter.ts'

export const otherSources: readonly (readonly [Report, ReportSource])[] = [
  [roomBills, roomBillsSource],
  [feeBills, feeBillsSource],
  [sourceBills, feeBillsSource],
  [trade, tradeSource],
  [meterReadings, meterSource],
  [meterMonths, meterMonthSource],
  [prestoreSummary, prestoreSource],
  [prestoreMonths, prestoreMonthSource],
  [parking, parkingSource],
  [issuedInvoices, invoiceSource],
]
