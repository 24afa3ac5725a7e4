import { defined } from '#kit/domain/defined.ts'
import { today } from '#kit/web/date-format.ts'
import { summaryFigure } from '../contract/month.ts'
import { ageFigureKey, ageKeys } from '../contract/receivable.ts'
import { lastKeyPart, createDrilldownFilter, type DimensionFilters } from './drilldown-filter.ts'
import { narrowRange, type Filter, type DrilldownOrigin, type Drilldown } from './drilldown.ts'
import { paths } from './paths.ts'

/** Lines of records are listed in 交易中心, with the same data domain and filters. */
const tradeDimensionFilters: DimensionFilters = {
  item: key => ({ feeItem: Number(key) }),
  day: (key, origin) => narrowRange('payDay', origin.query, key),
  month: (key, origin) => narrowRange('payDay', origin.query, key),
  build: key => ({ buildCode: [lastKeyPart(key)] }),
  source: key => ({ roomCode: lastKeyPart(key) }),
  cashier: key => ({ cashierId: [key] }),
}

export const tradesDrilldown: Drilldown = {
  path: paths.trades,
  filter: createDrilldownFilter(tradeDimensionFilters),
  figures: { refunded: { recordType: ['refund'] }, received: { recordType: ['payment', 'deduction'] } },
}

export const refundTradesDrilldown: Drilldown = {
  path: paths.trades,
  filter: origin => {
    const { refundWay, ...filter } = createDrilldownFilter(tradeDimensionFilters)(origin) ?? {
      refundWay: true,
    }
    return refundWay ? undefined : { ...filter, recordType: ['refund'] }
  },
}

export const billDimensionFilters: DimensionFilters = {
  item: key => ({ feeItemId: [key] }),
  month: key => ({ belongMonthFrom: key, belongMonthTo: key }),
  due: (key, origin) => narrowRange('dueDate', origin.query, key),
  build: key => ({ buildCode: [lastKeyPart(key)] }),
  source: key => ({ sourceCode: lastKeyPart(key) }),
}

/** Reports of bills count no deposits (C27-8). */
export const inForceFilter = { state: ['normal'], feesOnly: true }

export const billsDrilldown: Drilldown = {
  path: paths.bills,
  filter: origin => {
    const filter = createDrilldownFilter(billDimensionFilters)(origin)
    return filter && { ...inForceFilter, ...filter }
  },
  figures: { unpaid: { payState: ['unpaid'] }, discount: { discounted: true } },
}

/** Bills of whatever state. */
export const anyBillsDrilldown: Drilldown = {
  ...billsDrilldown,
  filter: origin => {
    const filter = createDrilldownFilter(billDimensionFilters)(origin)
    return filter && { feesOnly: true, ...(filter.state ? {} : { anyState: true }), ...filter }
  },
}

/** The days overdue of each age (AGE-1). */
const ageBounds = [
  [undefined, 0],
  [1, 30],
  [31, 60],
  [61, 90],
  [91, 180],
  [181, 365],
  [366, 730],
  [731, 1095],
  [1096, undefined],
] as const

export const toAgeFilter = (age: number): Filter => {
  const [from, to] = defined(ageBounds[age])
  return age === 0
    ? { dueDateFrom: today() }
    : { overdueDaysFrom: from, ...(to ? { overdueDaysTo: to } : {}) }
}

export const unpaidDrilldown: Drilldown = {
  path: paths.unpaid,
  filter: origin => {
    const filter = createDrilldownFilter({
      ...billDimensionFilters,
      age: key => (ageBounds[Number(key)] ? toAgeFilter(Number(key)) : undefined),
    })(origin)
    return filter && { feesOnly: true, ...filter }
  },
  figures: {
    overdue: { overdue: true },
    ...Object.fromEntries(ageKeys.map((key, age) => [ageFigureKey(key), toAgeFilter(age)])),
  },
}

/** The day summary with the same query and dimension. */
export const collectionDrilldown: Drilldown = {
  path: paths.chargeSummary,
  filter: origin => ({ ...origin.query, by: origin.by }),
}

const filterMonth = createDrilldownFilter({
  item: key => ({ feeItemId: [key] }),
  build: key => ({ buildCode: [lastKeyPart(key)] }),
  month: key => ({ monthFrom: key, monthTo: key }),
})

const billDrilldown: Drilldown = {
  path: paths.bills,
  filter: origin => ({ keyword: defined(defined(origin.row).name.split(' ').at(-1)), anyState: true }),
}

/** The first and the last month of a query, as the report of months resolves them. */
function monthRangeOf(query: Filter): { readonly monthFrom: string; readonly monthTo: string } {
  const thisMonth = today().slice(0, 7)
  const from = typeof query.monthFrom === 'string' ? query.monthFrom : undefined
  const to = typeof query.monthTo === 'string' ? query.monthTo : undefined
  const monthFrom = from ?? to ?? thisMonth
  return { monthFrom, monthTo: to ?? (monthFrom > thisMonth ? monthFrom : thisMonth) }
}

/**
 * From a month's figure to the same report bill by bill, each bill with its own share of the month (STAT-2),
 * so that the rows add up to the figure; from a bill on to the bill. `figures`: which the bills have a part
 * in.
 */
const createShareDrilldown = (...figures: readonly string[]): Drilldown => ({
  path: paths.feeSummary,
  filter: origin => {
    const filter = filterMonth(origin)
    return filter && { ...monthRangeOf(origin.query), ...filter, by: 'bill', nonZeroFigures: figures }
  },
})

const figureKeys = Object.keys(summaryFigure.rows)

/** Some figures of the finance home are two of the report's (STAT-4, STAT-5). */
const monthDrilldowns: Readonly<Record<string, Drilldown>> = {
  ...Object.fromEntries(figureKeys.map(key => [key, createShareDrilldown(key)])),
  due: createShareDrilldown('billed', 'discount'),
  paid: createShareDrilldown('paidBefore', 'received'),
  openingAdjusted: createShareDrilldown('opening', 'adjusted'),
}

export const selectMonthDrilldown = (figure: string, origin?: DrilldownOrigin): Drilldown | undefined =>
  origin?.by === 'bill'
    ? origin.row && figureKeys.includes(figure)
      ? billDrilldown
      : undefined
    : monthDrilldowns[figure]
