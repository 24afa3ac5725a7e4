import { addDays, firstOfMonth } from '#kit/domain/day.ts'
import { lastDay } from '#kit/domain/month.ts'
import { today } from '#kit/web/when.ts'
import { ageKey, agesAt } from '../contract/owed.ts'
import { last, narrow, places, type Only } from './narrow.ts'
import { narrowed, type Filter, type From, type Way } from './way.ts'

/** Lines of records stand in 交易中心: the same wall, the same filter. */
const tradesOnly: Only = { item: key => ({ feeItem: Number(key) }), day: (key, f) => narrowed('payDay', f.asked, key), month: (key, f) => narrowed('payDay', f.asked, key), build: key => ({ buildCode: [last(key)] }), source: key => ({ roomCode: last(key) }), cashier: key => ({ cashierId: [key] }) }
export const trades: Way = { path: places.trades, filter: narrow(tradesOnly), figures: { refunded: { recordType: ['refund'] }, received: { recordType: ['payment', 'deduction'] } } }
export const refundTrades: Way = { path: places.trades, filter: f => { const { refundWay, ...asked } = (narrow(tradesOnly)(f) ?? { refundWay: true }) as { refundWay?: unknown }; return refundWay ? undefined : { ...asked, recordType: ['refund'] } } }

export const billsOnly: Only = {
  item: key => ({ feeItemId: [key] }), month: key => ({ belongMonthFrom: key, belongMonthTo: key }), due: (key, f) => narrowed('dueDate', f.asked, key), build: key => ({ buildCode: [last(key)] }), source: key => ({ sourceCode: last(key) }),
}
const inForce = { state: ['normal'] }
export const bills: Way = { path: places.bills, filter: f => { const said = narrow(billsOnly)(f); return said && { ...inForce, ...said } }, figures: { unpaid: { payState: ['unpaid'] }, discount: { discounted: true } } }
/** Bills of whatever state. */
export const anyBills: Way = { ...bills, filter: f => { const said = narrow(billsOnly)(f); return said && (said.state ? said : { anyState: true, ...said }) } }
/** The days overdue of each age (AGE-1). */
const bounds = [[undefined, 0], [1, 30], [31, 60], [61, 90], [91, 180], [181, 365], [366, 730], [731, 1095], [1096, undefined]] as const
export const ageFilter = (i: number): Filter => { const [from, to] = bounds[i]!; return i === 0 ? { dueDateFrom: today() } : { overdueDaysFrom: from, ...(to ? { overdueDaysTo: to } : {}) } }
export const unpaid: Way = {
  path: places.unpaid, filter: narrow({ ...billsOnly, age: key => ageFilter(Number(key)) }),
  figures: { overdue: { overdue: true }, ...Object.fromEntries(agesAt.map((k, i) => [ageKey(k), ageFilter(i)])) },
}

/** Of a month's arrears: the bills with a share in it, what was paid in it, what is still open. A bill lies in the months of its period (STAT-2). */
interface MonthOf { readonly monthFrom?: string; readonly monthTo?: string; readonly feeItemId?: readonly string[]; readonly buildCode?: readonly string[] }
const said = (f: From): { first: string; end: string; item: readonly string[] | undefined; build: readonly string[] | undefined } | undefined => {
  const q = f.asked as MonthOf, now = today().slice(0, 7), from = f.by === 'month' && f.row ? f.row.key! : q.monthFrom ?? now, to = f.by === 'month' && f.row ? f.row.key! : q.monthTo ?? from
  if (f.row && f.by === 'project') return undefined
  return { first: `${from}-01`, end: lastDay(to), item: f.row && f.by === 'item' ? [f.row.key!] : q.feeItemId, build: f.row && f.by === 'build' ? [last(f.row.key!)] : q.buildCode }
}
const ofBills = (s: NonNullable<ReturnType<typeof said>>): Filter => ({ ...(s.item ? { feeItemId: s.item } : {}), ...(s.build ? { buildCode: s.build } : {}) })
const shares: Way = { path: places.bills, filter: f => { const s = said(f); return s && { state: ['normal', 'writtenOff'], beginDateTo: s.end, endDateFrom: s.first, ...ofBills(s) } }, figures: { discount: { discounted: true } } }
const open: Way = { path: places.unpaid, filter: f => { const s = said(f); return s && (s.end >= today() ? { beginDateTo: s.end, ...ofBills(s) } : undefined) } }
const off: Way = { path: places.bills, filter: f => { const s = said(f); return s && { state: ['writtenOff'], beginDateTo: s.end, ...ofBills(s) } } }
const paid: Way = { path: places.trades, filter: f => { const s = said(f); return s && (s.item === undefined || s.item.length === 1) ? { payDayFrom: s.first, payDayTo: s.end, ...(s.item ? { feeItem: Number(s.item[0]) } : {}), ...(s.build ? { buildCode: s.build } : {}) } : undefined } }
const before: Way = { ...paid, filter: f => { const s = said(f), found = paid.filter(f); return s && found && { ...found, payDayFrom: undefined, payDayTo: addDays(firstOfMonth(s.first), -1) } } }
const monthly: Readonly<Record<string, Way>> = { billed: shares, discount: shares, received: paid, recovered: paid, prepaid: paid, paidBefore: before, writtenOff: off, closing: open }
export const monthWays = (figure: string): Way | undefined => monthly[figure]
