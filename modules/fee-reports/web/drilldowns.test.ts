import { defined } from '#kit/domain/defined.ts'
import { expect, it } from 'vitest'
import { listBills } from '#modules/bills/contract/list.ts'
import { listReadings } from '#modules/meters/contract/reading.ts'
import { listRecords, listTrades } from '#modules/payments/contract/record.ts'
import { listAccounts } from '#modules/prestore/contract/account.ts'
import { listEntries } from '#modules/prestore/contract/entry.ts'
import { listInvoices } from '#modules/invoices/contract/record.ts'
import { feeMonths, feeSummary } from '../contract/month.ts'
import { issuedInvoices } from '../contract/invoice.ts'
import { parking } from '../contract/parking.ts'
import { unpaidBills, receivables, billSummary } from '../contract/receivable.ts'
import { received } from '../contract/received.ts'
import type { Report } from '../contract/report.ts'
import { prestoreMonths, prestoreSummary } from '../contract/prestore.ts'
import { feeBills, roomBills } from '../contract/room.ts'
import { trade } from '../contract/trade.ts'
import { meterMonths, meterReadings } from '../contract/meter.ts'
import type { Filter, Drilldowns } from './drilldown.ts'
import { invoiceDrilldown } from './drilldowns-invoice.ts'
import { selectParkingDrilldown } from './drilldowns-parking.ts'
import { selectPrestoreMonthDrilldown, selectPrestoreDrilldown } from './drilldowns-prestore.ts'
import { roomDrilldown, spreadDrilldown } from './drilldowns-room.ts'
import { tradeDrilldown } from './drilldowns-trade.ts'
import { meterMonthDrilldown, meterDrilldown } from './drilldowns-meter.ts'
import {
  anyBillsDrilldown,
  billsDrilldown,
  selectMonthDrilldown,
  tradesDrilldown,
  unpaidDrilldown,
} from './drilldowns.ts'

const listsByPath: Readonly<Record<string, { readonly input: { readonly fields: object } }>> = {
  chargeList: listBills,
  unpaidbills: listBills,
  paidbills: listRecords,
  tradingcenter: listTrades,
  records: listReadings,
  depositaccount: listAccounts,
  preservedrecords: listEntries,
  offsetrecord: listEntries,
  summaryofreserves: prestoreSummary.list,
  park: parking.list,
  invoiceList: listInvoices,
  feeSummary: feeSummary.list,
}

const keysByDimension: Readonly<Record<string, string>> = {
  source: 'GOLD0001/10/R1',
  place: 'GOLD0001/30/P1',
  owner: 'GOLD0001/10/R1',
  build: 'GOLD0001/B1',
  project: 'GOLD0001',
  month: '2026-10',
  due: '2026-10',
  period: '2026-10',
  day: '2026-10-05',
  age: '3',
}

const sampleByKind: ReadonlyMap<string, string | boolean> = new Map<string, string | boolean>([
  ['month', '2026-10'],
  ['day', '2026-10-31'],
  ['moment', '2026-10-31 00:00:00'],
  ['flag', true],
])

/** A filter for each that the report's screen has. */
const createReportFilter = (report: Report): Filter =>
  Object.fromEntries(
    Object.entries(report.list.input.fields)
      .filter(([key]) =>
        (report.list.input.filters ?? []).some(
          filter => key === filter || key === `${filter}From` || key === `${filter}To`,
        ),
      )
      .map(([key, field]) => [
        key,
        sampleByKind.get(field.kind) ??
          (field.kind === 'choices' ? [defined(Object.keys(defined(field.choices).rows)[0])] : ['1']),
      ]),
  )

const screens: readonly [Report, Drilldowns][] = [
  [roomBills, roomDrilldown],
  [feeBills, spreadDrilldown],
  [trade, tradeDrilldown],
  [meterReadings, meterDrilldown],
  [meterMonths, meterMonthDrilldown],
  [prestoreSummary, selectPrestoreDrilldown],
  [prestoreMonths, selectPrestoreMonthDrilldown],
  [parking, selectParkingDrilldown],
  [issuedInvoices, invoiceDrilldown],
  [received, tradesDrilldown],
  [receivables, billsDrilldown],
  [unpaidBills, unpaidDrilldown],
  [billSummary, anyBillsDrilldown],
  [feeSummary, selectMonthDrilldown],
  [feeMonths, selectMonthDrilldown],
]

it.each(screens)('links every figure to a filter that its list has: $key', (report, drilldowns) => {
  let found = 0
  for (const by of Object.keys(report.dimensions.rows)) {
    for (const figure of Object.keys(report.figures)) {
      for (const query of [{}, createReportFilter(report)]) {
        for (const row of [undefined, { key: keysByDimension[by] ?? '10', name: '' }]) {
          const from = { query, by, row }
          const drilldown = typeof drilldowns === 'function' ? drilldowns(figure, from) : drilldowns
          const filter = drilldown && !drilldown.excludedFigures?.includes(figure) && drilldown.filter(from)
          if (!filter) continue
          found++
          const listFields = Object.keys(
            defined(listsByPath[defined(drilldown.path.split('/').at(-1))]).input.fields,
          )
          for (const [key, value] of Object.entries({ ...filter, ...drilldown.figures?.[figure] })) {
            expect(listFields, `${figure} by ${by} → ${drilldown.path}`).toContain(key)
            if (Array.isArray(value)) {
              expect(value).not.toContain(undefined)
            }
          }
        }
      }
    }
  }
  expect(found).toBeGreaterThan(0)
})

// The rows of the former dimension stay on the screen until those of the next have come.
it.each(screens)('has a filter or none for rows of another dimension: $key', (report, drilldowns) => {
  const keys = [...Object.values(keysByDimension), '10', 'GOLD0001/P9', '']
  for (const by of Object.keys(report.dimensions.rows)) {
    for (const figure of Object.keys(report.figures)) {
      for (const key of keys) {
        const from = { query: {}, by, row: { key, name: '' } }
        const drilldown = typeof drilldowns === 'function' ? drilldowns(figure, from) : drilldowns
        expect(() => drilldown?.filter(from), `${figure} by ${by} of ${key}`).not.toThrow()
      }
    }
  }
})

it('links every figure of the month to its bills by item, building, month, project and in total; a bill to itself', () => {
  for (const figure of Object.keys(feeSummary.figures)) {
    for (const [by, key] of [
      ['item', '10'],
      ['build', 'GOLD0001/B1'],
      ['month', '2026-10'],
      ['project', 'GOLD0001'],
      ['', undefined],
    ] as const) {
      const from = {
        query: { monthFrom: '2026-09', monthTo: '2026-10' },
        by,
        row: key === undefined ? undefined : { key, name: '' },
      }
      expect(selectMonthDrilldown(figure, from)?.filter(from), `${figure} by ${by}`).toMatchObject({
        by: 'bill',
        nonZeroFigures: [figure],
        monthFrom: by === 'month' ? '2026-10' : '2026-09',
        monthTo: '2026-10',
      })
    }
  }
  const origin = { query: {}, by: 'bill', row: { key: '7', name: '1-1-101 物业费 ZD20261101000001' } }
  expect(selectMonthDrilldown('closing', origin)?.filter(origin)).toEqual({
    keyword: 'ZD20261101000001',
    anyState: true,
  })
})
