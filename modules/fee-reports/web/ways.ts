import { today } from '#kit/web/when.ts'
import { holds } from '../contract/month.ts'
import { ageKey, agesAt } from '../contract/owed.ts'
import { last, narrow, places, type Only } from './narrow.ts'
import { narrowed, type Filter, type From, type Way } from './way.ts'

/** Lines of records stand in 交易中心: the same wall, the same filter. */
const tradesOnly: Only = {
  item: key => ({ feeItem: Number(key) }),
  day: (key, f) => narrowed('payDay', f.asked, key),
  month: (key, f) => narrowed('payDay', f.asked, key),
  build: key => ({ buildCode: [last(key)] }),
  source: key => ({ roomCode: last(key) }),
  cashier: key => ({ cashierId: [key] }),
}

export const trades: Way = {
  path: places.trades,
  filter: narrow(tradesOnly),
  figures: { refunded: { recordType: ['refund'] }, received: { recordType: ['payment', 'deduction'] } },
}

export const refundTrades: Way = {
  path: places.trades,
  filter: f => {
    const { refundWay, ...asked } = (narrow(tradesOnly)(f) ?? { refundWay: true }) as { refundWay?: unknown }
    return refundWay ? undefined : { ...asked, recordType: ['refund'] }
  },
}

export const billsOnly: Only = {
  item: key => ({ feeItemId: [key] }),
  month: key => ({ belongMonthFrom: key, belongMonthTo: key }),
  due: (key, f) => narrowed('dueDate', f.asked, key),
  build: key => ({ buildCode: [last(key)] }),
  source: key => ({ sourceCode: last(key) }),
}

const inForce = { state: ['normal'] }

export const bills: Way = {
  path: places.bills,
  filter: f => {
    const said = narrow(billsOnly)(f)
    return said && { ...inForce, ...said }
  },
  figures: { unpaid: { payState: ['unpaid'] }, discount: { discounted: true } },
}

/** Bills of whatever state. */
export const anyBills: Way = {
  ...bills,
  filter: f => {
    const said = narrow(billsOnly)(f)
    return said && (said.state ? said : { anyState: true, ...said })
  },
}

/** The days overdue of each age (AGE-1). */
const bounds = [
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

export const ageFilter = (i: number): Filter => {
  const [from, to] = bounds[i]!
  return i === 0 ? { dueDateFrom: today() } : { overdueDaysFrom: from, ...(to ? { overdueDaysTo: to } : {}) }
}

export const unpaid: Way = {
  path: places.unpaid,
  filter: narrow({ ...billsOnly, age: key => ageFilter(Number(key)) }),
  figures: {
    overdue: { overdue: true },
    ...Object.fromEntries(agesAt.map((k, i) => [ageKey(k), ageFilter(i)])),
  },
}

/** The tills as they were asked, broken down alike. */
export const tills: Way = {
  path: '/finance/reportCenter/financialManagement/chargesummary',
  filter: f => ({ ...f.asked, by: f.by }),
}

/**
 * Of a month's figures: the same report bill by bill, each bill with its own share of the month (STAT-2), so
 * that what stands there adds up to the figure. From a bill it goes on to the bill. What a report of months
 * asks is said as its first and last month.
 */
interface MonthOf {
  readonly monthFrom?: string
  readonly monthTo?: string
}

export const summaryPath = '/finance/chargemanage/feeSummary'

const narrowMonth = narrow({
  item: key => ({ feeItemId: [key] }),
  build: key => ({ buildCode: [last(key)] }),
  month: key => ({ monthFrom: key, monthTo: key }),
})

const theBill: Way = {
  path: places.bills,
  filter: f => ({ keyword: f.row!.name.split(' ').at(-1)!, anyState: true }),
}

const shares = (...of: readonly string[]): Way => ({
  path: summaryPath,
  filter: f => {
    const q = f.asked as MonthOf
    const now = today().slice(0, 7)
    const from = q.monthFrom ?? q.monthTo ?? now
    const to = q.monthTo ?? (q.monthFrom && q.monthFrom > now ? q.monthFrom : q.monthFrom ? now : from)
    const said = narrowMonth(f)
    return said && { monthFrom: from, monthTo: to, ...said, by: 'bill', holding: of }
  },
})

const figures = Object.keys(holds.rows)

/** Some of the home's figures are two of the report's (STAT-4, STAT-5). */
const monthly: Readonly<Record<string, Way>> = {
  ...Object.fromEntries(figures.map(k => [k, shares(k)])),
  due: shares('billed', 'discount'),
  paid: shares('paidBefore', 'received'),
  old: shares('opening', 'adjusted'),
}

export const monthWays = (figure: string, f?: From): Way | undefined =>
  f?.by === 'bill' ? (f.row && figures.includes(figure) ? theBill : undefined) : monthly[figure]
