import { keyOf } from '#kit/contract/field.ts'
import { lastDay } from '#kit/domain/month.ts'
import { today } from '#kit/web/when.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { meterKind, readingSource } from '#modules/meters/contract/choices.ts'
import { listReadings } from '#modules/meters/contract/reading.ts'
import { payMethod, recordType } from '#modules/payments/contract/choices.ts'
import { listRecords } from '#modules/payments/contract/record.ts'
import { listAccounts, listEntries } from '#modules/prestore/contract/account.ts'
import { ownerKind } from '#modules/prestore/contract/choices.ts'
import { parking } from '../contract/park.ts'
import { reserves } from '../contract/reserves.ts'
import { kinds } from '../contract/usage.ts'
import { narrowed, type Filter, type From, type Way } from './way.ts'
import { bare, bills, billsOnly, last, narrow, places, type Only } from './ways.ts'

const choice = (of: Parameters<typeof keyOf>[0], name: string) => (key: string): Filter => ({ [name]: [keyOf(of, Number(key))!] })
const month = (key: string): Filter => ({ monthFrom: key, monthTo: key })
const objects: Only = { ...billsOnly, source: key => ({ sourceType: [keyOf(sourceType, Number(key.split('/')[1]))!], sourceCode: last(key) }), kind: choice(sourceType, 'sourceType') }
const owed = { payState: ['unpaid'] }, inForce = { state: ['normal'] }
const billFigures = { ...bills.figures, lateFee: owed, unpaid: owed, overdue: { overdue: true } }
const listed = (only: Only) => (f: From): Filter | undefined => { const said = narrow(only)(f); return said && { ...inForce, ...said } }
export const roomWay: Way = { ...bills, filter: listed(objects), figures: billFigures }

/** A bill lies in the months of its period (STAT-2). */
const within = (f: From): Filter | undefined => {
  const { monthFrom, monthTo, ...said } = (narrow({ ...objects, month })(f) ?? { none: true }) as { monthFrom?: string; monthTo?: string; none?: true }
  return said.none ? undefined : { ...inForce, ...said, ...(monthTo ? { beginDateTo: lastDay(monthTo) } : {}), ...(monthFrom ? { endDateFrom: `${monthFrom}-01` } : {}) }
}
export const spreadWay: Way = { ...bills, filter: within, figures: { unpaid: owed, discount: { discounted: true } } }

const records: Only = {
  type: choice(recordType, 'recordType'), method: choice(payMethod, 'payMethod'), day: (key, f) => narrowed('payDay', f.asked, key), month: (key, f) => narrowed('payDay', f.asked, key), cashier: key => ({ cashierId: [key] }), build: key => ({ buildCode: [last(key)] }),
}
/** Whole records: parts of them have no list. */
export const tradeWay: Way = {
  path: places.records, list: listRecords, filter: f => { const said = narrow(records)(f); return said && { ...said, state: ['normal', 'partRefunded', 'refunded'] } },
  figures: { received: { receivedAmountFrom: 1 }, refunded: { receivedAmountTo: -1 } }, without: ['principal', 'lateFee', 'rest', 'offset', 'roundOff'],
}

const readingFigures = { estimated: { isEstimate: true }, doubtful: { doubtful: true }, billed: { state: ['billed'] }, ...Object.fromEntries(kinds.map(k => [k, { meterKind: [k] }])) }
const readings: Only = { kind: choice(meterKind, 'meterKind'), build: key => ({ buildCode: [last(key)] }), month, day: key => ({ readDateFrom: key, readDateTo: key }), way: choice(readingSource, 'source') }
const read: Omit<Way, 'filter'> = { path: '/intelligentMeter/checkmeter/records', list: listReadings }
export const meterWay: Way = {
  ...read, filter: f => { const said = narrow(readings)(f); return said && { ...said, state: said.state ?? ['open', 'billed'] } },
  figures: { ...readingFigures, receivable: { state: ['billed'] }, paid: { state: ['billed'] }, unpaid: { state: ['billed'] } },
}
/** What was not read has no reading; the list of readings knows no use of a meter. */
export const meterMonthWay: Way = {
  ...read, without: ['due', 'left'], figures: readingFigures,
  filter: f => { const now = today().slice(0, 7), said = narrow(readings)(f), { meterUse, ...rest } = (said ?? {}) as { meterUse?: unknown }; return said && !meterUse ? { ...month(now), ...rest, state: ['open', 'billed'] } : undefined },
}

const accounts: Only = { owner: key => ({ ownerKind: [keyOf(ownerKind, Number(key.split('/')[1]))!], ownerCode: last(key) }), kind: choice(ownerKind, 'ownerKind'), item: key => ({ feeItem: Number(key) }), build: key => ({ buildCode: [last(key)] }) }
const reservePath = '/finance/reportCenter/financialManagement/summaryofreserves'
/** Balances are shown as they are now: the way of a closing balance of today alone. */
const held: Way = { path: '/finance/reservemanagement/depositaccount', list: listAccounts, filter: f => { const { dayFrom: _, dayTo, ...said } = (narrow(accounts)(f) ?? { dayTo: '-' }) as Filter; return dayTo === undefined || String(dayTo) >= today() ? said : undefined } }
/** The same figure owner by owner, on this screen. */
const owners: Way = { path: reservePath, list: reserves.list as never, filter: f => { const said = narrow(accounts)(f); return said && { ...said, by: 'owner' } } }
/** Entries stand under their account alone. */
const moved = (path: string, types?: readonly string[]): Way => ({
  path: `/finance/reservemanagement/${path}`, list: listEntries,
  filter: f => {
    const { ownerKind: kind, buildCode, state, feeItem, dayFrom, dayTo } = bare(f), row = f.row?.key
    if (kind || buildCode || state || feeItem !== undefined || (row && f.by !== 'owner' && f.by !== 'month')) return undefined
    const days = row && f.by === 'month' ? narrowed('day', { dayFrom, dayTo }, row) : { dayFrom, dayTo }
    return { ...(days.dayFrom ? { entryTimeFrom: `${String(days.dayFrom)} 00:00:00` } : {}), ...(days.dayTo ? { entryTimeTo: `${String(days.dayTo)} 00:00:00` } : {}), ...(row && f.by === 'owner' ? { ownerCode: last(row) } : {}), ...(types ? { entryType: types } : {}) }
  },
})
const movements: Readonly<Record<string, Way>> = { came: moved('preservedrecords', ['topUp', 'change', 'deposit', 'gift']), offset: moved('offsetrecord'), refund: moved('preservedrecords', ['refund']), other: moved('preservedrecords', ['moveIn', 'moveOut', 'adjust', 'giftGone']) }
export const reserveWay = (figure: string, f: From): Way | undefined => (f.row && f.by !== 'owner' ? owners : figure === 'close' ? held : movements[figure])
export const reserveMonthWay = (figure: string): Way | undefined => movements[figure]

export const parkPath = '/finance/reportCenter/financialManagement/park'
/** A car park's bills are found place by place, on this screen; all else in the list of bills. */
const lots: Way = { path: parkPath, list: parking.list as never, filter: f => ({ ...bare(f), ...(f.row ? { park: [f.row.key!] } : {}), by: 'place' }), figures: { lateFee: owed, unpaid: owed } }
const parked: Way = { ...bills, filter: f => { const { park: _, ...asked } = f.asked; return listed({ ...objects, place: objects.source! })({ ...f, asked: { sourceType: ['car', 'parkPlace'], ...asked } }) }, figures: billFigures }
export const parkWay = (_: string, f: From): Way | undefined => (f.by === 'park' && f.row ? lots : f.asked.park && !(f.row && f.by === 'place') ? f.row ? undefined : lots : parked)
