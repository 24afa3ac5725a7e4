import { defined } from '#kit/domain/defined.ts'
import { today } from '#kit/web/date-format.ts'
import { summaryFigure } from '../contract/month.ts'
import { ageFigureKey, ageKeys } from '../contract/receivable.ts'
import { lastKeyPart, createDrilldownFilter, listPaths, type DimensionFilters } from './drilldown-filter.ts'
import { narrowRange, type Filter, type DrilldownOrigin, type Drilldown } from './drilldown.ts'

/** Lines of records stand in 交易中心: the same wall, the same filter. */
const tradeDimensionFilters: DimensionFilters = {
  item: key => ({ feeItem: Number(key) }),
  day: (key, f) => narrowRange('payDay', f.asked, key),
  month: (key, f) => narrowRange('payDay', f.asked, key),
  build: key => ({ buildCode: [lastKeyPart(key)] }),
  source: key => ({ roomCode: lastKeyPart(key) }),
  cashier: key => ({ cashierId: [key] }),
}

export const tradesDrilldown: Drilldown = {
  path: listPaths.trades,
  filter: createDrilldownFilter(tradeDimensionFilters),
  figures: { refunded: { recordType: ['refund'] }, received: { recordType: ['payment', 'deduction'] } },
}

export const refundTradesDrilldown: Drilldown = {
  path: listPaths.trades,
  filter: f => {
    const { refundWay, ...asked } = (createDrilldownFilter(tradeDimensionFilters)(f) ?? {
      refundWay: true,
    }) as { refundWay?: unknown }
    return refundWay ? undefined : { ...asked, recordType: ['refund'] }
  },
}

export const billDimensionFilters: DimensionFilters = {
  item: key => ({ feeItemId: [key] }),
  month: key => ({ belongMonthFrom: key, belongMonthTo: key }),
  due: (key, f) => narrowRange('dueDate', f.asked, key),
  build: key => ({ buildCode: [lastKeyPart(key)] }),
  source: key => ({ sourceCode: lastKeyPart(key) }),
}

const inForceFilter = { state: ['normal'] }

export const billsDrilldown: Drilldown = {
  path: listPaths.bills,
  filter: f => {
    const said = createDrilldownFilter(billDimensionFilters)(f)
    return said && { ...inForceFilter, ...said }
  },
  figures: { unpaid: { payState: ['unpaid'] }, discount: { discounted: true } },
}

/** Bills of whatever state. */
export const anyBillsDrilldown: Drilldown = {
  ...billsDrilldown,
  filter: f => {
    const said = createDrilldownFilter(billDimensionFilters)(f)
    return said && (said.state ? said : { anyState: true, ...said })
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

export const toAgeFilter = (i: number): Filter => {
  const [from, to] = defined(ageBounds[i])
  return i === 0 ? { dueDateFrom: today() } : { overdueDaysFrom: from, ...(to ? { overdueDaysTo: to } : {}) }
}

export const unpaidDrilldown: Drilldown = {
  path: listPaths.unpaid,
  filter: createDrilldownFilter({ ...billDimensionFilters, age: key => toAgeFilter(Number(key)) }),
  figures: {
    overdue: { overdue: true },
    ...Object.fromEntries(ageKeys.map((k, i) => [ageFigureKey(k), toAgeFilter(i)])),
  },
}

/** The tills as they were asked, broken down alike. */
export const tillsDrilldown: Drilldown = {
  path: '/finance/reportCenter/financialManagement/chargesummary',
  filter: f => ({ ...f.asked, by: f.by }),
}

/**
 * Of a month's figures: the same report bill by bill, each bill with its own share of the month (STAT-2), so
 * that what stands there adds up to the figure. From a bill it goes on to the bill. What a report of months
 * asks is said as its first and last month.
 */
interface MonthRange {
  readonly monthFrom?: string
  readonly monthTo?: string
}

export const summaryPath = '/finance/chargemanage/feeSummary'

const filterMonth = createDrilldownFilter({
  item: key => ({ feeItemId: [key] }),
  build: key => ({ buildCode: [lastKeyPart(key)] }),
  month: key => ({ monthFrom: key, monthTo: key }),
})

const billDrilldown: Drilldown = {
  path: listPaths.bills,
  filter: f => ({ keyword: defined(defined(f.row).name.split(' ').at(-1)), anyState: true }),
}

const createShareDrilldown = (...of: readonly string[]): Drilldown => ({
  path: summaryPath,
  filter: f => {
    const q = f.asked as MonthRange
    const now = today().slice(0, 7)
    const from = q.monthFrom ?? q.monthTo ?? now
    const to = q.monthTo ?? (q.monthFrom && q.monthFrom > now ? q.monthFrom : q.monthFrom ? now : from)
    const said = filterMonth(f)
    return said && { monthFrom: from, monthTo: to, ...said, by: 'bill', holding: of }
  },
})

const figureKeys = Object.keys(summaryFigure.rows)

/** Some of the home's figures are two of the report's (STAT-4, STAT-5). */
const monthDrilldowns: Readonly<Record<string, Drilldown>> = {
  ...Object.fromEntries(figureKeys.map(k => [k, createShareDrilldown(k)])),
  due: createShareDrilldown('billed', 'discount'),
  paid: createShareDrilldown('paidBefore', 'received'),
  old: createShareDrilldown('opening', 'adjusted'),
}

export const selectMonthDrilldown = (figure: string, f?: DrilldownOrigin): Drilldown | undefined =>
  f?.by === 'bill'
    ? f.row && figureKeys.includes(figure)
      ? billDrilldown
      : undefined
    : monthDrilldowns[figure]
