import { addMonths, type Day } from '#kit/domain/day.ts'
import { monthOf, shiftMonth, type Month } from '#kit/domain/month.ts'
import { compare, sum, type Dec } from '#kit/domain/decimal.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import { findByIds } from '#kit/server/table.ts'
import { live } from '#kit/server/sql.ts'
import { meter, meterReading, type Meter, type MeterReading } from '../contract/meter.ts'
import type { Entry } from '../contract/reading.ts'
import { detectAnomalies, windowRefusal, type Anomaly } from '../domain/anomaly.ts'
import { placeReading, planRemoval } from '../domain/reading.ts'
import {
  estimateReading,
  canRollOver,
  readingRefusal,
  isRegisterRollover,
  sumRegisters,
  registersRefusal,
  computeUsage,
} from '../domain/usage.ts'
import { loadActivePlans, findWindow, type PlansByProject } from './active-plans.ts'

type ReadingRegisters = MeterReading['registers']

/**
 * An entry whose registers may leave out what is known: where they began, and the price of the one before.
 */
export interface EntryInput extends Omit<Entry, 'registers'> {
  readonly registers?:
    | readonly {
        readonly name: string
        readonly current: Dec
        readonly last?: Dec | undefined
        readonly price?: Dec | undefined
      }[]
    | undefined
}

/** A reading of the book: its row's values; those not written yet have a negative id. */
export interface BookReading {
  readonly id: number
  readonly version: number
  readonly month: Month
  readonly readDate: Day
  readonly curNum: Dec
  readonly isEstimate: boolean
  readonly multiple: Dec
  readonly loss: Dec
  readonly state: MeterReading['state']
  readonly billNo?: string
  readonly photo?: string
  readonly remark?: string
  readonly source: MeterReading['source']
  readonly readerId?: number
  isBase: boolean
  registers?: ReadingRegisters
  isRollover: boolean
  lastNum?: Dec | undefined
  lastDate?: Day | undefined
  usage?: Dec | undefined
  replacedUsage: Dec
  anomalies?: readonly Anomaly[] | undefined
  confirmed: boolean
}

/** One meter's live readings by day, and what its predecessor counted since its own last one (MTR-11). */
export interface BookMeter {
  readonly meter: Meter
  readonly rows: BookReading[]
  readonly carried: Dec
  readonly since?: Day | undefined
}

export interface ReadingBook {
  readonly meters: ReadonlyMap<number, BookMeter>
  readonly plans: PlansByProject
  readonly changed: Set<BookReading>
  readonly removed: Set<BookReading>
  readonly previous: Map<number, Partial<BookReading>>
  /** Usage by meter and month, a year before. */ readonly lastYear: ReadonlyMap<string, Dec>
}

export type EntryOutcome =
  | { readonly kind: 'same'; readonly id: number }
  | { readonly kind: 'placed'; readonly row: BookReading }
  | { readonly kind: 'refused'; readonly why: string; readonly field: string }

export interface EntryOptions {
  readonly source: MeterReading['source']
  readonly today: Day
  readonly readerId?: number | undefined
  readonly monthly: boolean
}

export const modulusOf = (m: Pick<Meter, 'digits'>): Dec | undefined =>
  m.digits === undefined ? undefined : `1${'0'.repeat(m.digits)}`

const readingColumns = sql`r.id, r.meter_id, r.version, r.month, r.read_date, r.cur_num, r.is_estimate, r.is_base,
  r.multiple, r.loss, r.state, r.bill_no, r.registers, r.photo, r.remark, r.source, r.reader_id,
  r.is_rollover, r.last_num, r.last_date, r.usage, r.replaced_usage, r.anomalies, r.confirmed`

const liveCondition = (owner: number): RawBuilder<unknown> =>
  sql`r.owner_id = ${owner} and ${live('r')} and r.state <> 30`

/**
 * Opens the book of some meters from a day on: what was read since, the three readings before it (averages,
 * MTR-8) and last year's of the same months, no more: a file may name twenty thousand meters. With `lock` for
 * a transaction that will change it: two readers of one meter come one after the other.
 */
export async function openBook(
  db: Db,
  scope: Scope,
  ids: readonly number[],
  from: Day,
  lock = false,
  to: Day = from,
): Promise<ReadingBook> {
  const wanted = [...new Set(ids)]
  const meters = await findByIds(db, meter, scope, wanted, lock)
  const known = meters.map(m => m.id)
  const lastYear = addMonths(from, -13)
  const [found, years, old] = await db.all<
    [
      Record<string, unknown>,
      { meterId: number; month: Month; usage: Dec },
      { meterId: number; usage: Dec; since?: Day },
    ]
  >(
    sql`
      select x.*
      from unnest(${known}::bigint[]) w(id)
      cross join lateral (
        (
          select ${readingColumns}
          from meter_reading r
          where ${liveCondition(scope.ownerId)} and r.meter_id = w.id and r.read_date >= ${from}
        )
        union all (
          select ${readingColumns}
          from meter_reading r
          where ${liveCondition(scope.ownerId)} and r.meter_id = w.id and r.read_date < ${from}
          order by r.read_date desc
          limit 3
        )
      ) x
      order by x.meter_id, x.read_date
    `,
    sql`
      select r.meter_id, r.month, trim_scale(r.usage)::text as usage
      from meter_reading r
      where ${liveCondition(scope.ownerId)}
        and r.meter_id = any(${known})
        and r.usage is not null
        and r.read_date >= ${lastYear}
        and r.read_date < ${from}
        and r.month >= ${monthOf(lastYear)}
        and r.month <= ${monthOf(addMonths(to, -9))}
    `,
    sql`
      select new_meter_id as meter_id, trim_scale(old_usage)::text as usage, since
      from meter_replace
      where owner_id = ${scope.ownerId} and new_meter_id = any(${known}) and ${live()}
    `,
  )
  const rows = Map.groupBy(
    found.map(r => toEntityRow(meterReading, r) as unknown as BookReading & { meterId: number }),
    r => r.meterId,
  )
  const carried = new Map(old.map(o => [o.meterId, o]))
  const before = new Map(years.map(y => [`${y.meterId}/${y.month}`, y.usage]))
  const leaves = new Map(
    meters.map(m => [
      m.id,
      {
        meter: m,
        rows: rows.get(m.id) ?? [],
        carried: carried.get(m.id)?.usage ?? '0',
        ...(carried.get(m.id)?.since ? { since: carried.get(m.id)!.since } : {}),
      },
    ]),
  )
  return {
    meters: leaves,
    plans: await loadActivePlans(db, scope.ownerId, [...new Set(meters.map(m => m.projectCode))]),
    changed: new Set(),
    removed: new Set(),
    previous: new Map(),
    lastYear: before,
  }
}

const toReadingRow = (r: BookReading) => ({
  id: r.id,
  month: r.month,
  day: r.readDate,
  last: r.lastNum,
  lastDay: r.lastDate,
  current: r.curNum,
  rollover: r.isRollover,
  estimate: r.isEstimate,
  state: r.state,
  bill: r.billNo,
})

export const toMeterBase = (l: BookMeter) => ({ initial: l.meter.initNum, installed: l.meter.installDate })
export const toReadingRows = (l: BookMeter) => l.rows.map(toReadingRow)

/**
 * MTR-15: each register goes on from the newest reading before that has it. One that none has is taken at its
 * word where all adds up with the counter; else it has no base, and what it shows is no usage (MTR-4).
 * Answers whether the registers alone say what was used: after a reading without them the counter does.
 */
function linkRegisters(l: BookMeter, i: number, last: Dec): boolean {
  const r = l.rows[i]!
  const before = l.rows[i - 1]
  const own = r.registers ?? []
  const had = findNewestRegisters(l.rows.slice(0, i))
  const at = own.map(x => ({ ...x, last: had.get(x.name)?.current ?? x.last }))
  const known = own.every(x => had.has(x.name))
  const sound = known || checkRegisters(l, at, r, last) === undefined
  r.registers = sound ? at : at.map(x => (had.has(x.name) ? x : { ...x, last: x.current }))
  return sound && (!before || !!before.registers?.length)
}

const findNewestRegisters = (
  rows: readonly BookReading[],
): ReadonlyMap<string, NonNullable<ReadingRegisters>[number]> =>
  new Map(rows.findLast(x => x.registers?.length)?.registers?.map(x => [x.name, x]))

function checkRegisters(
  l: BookMeter,
  own: NonNullable<ReadingRegisters>,
  r: Pick<BookReading, 'curNum' | 'isRollover'>,
  last: Dec,
  afterEstimate?: boolean,
): string | undefined {
  const modulus = modulusOf(l.meter)
  const how = { modulus, afterEstimate }
  try {
    return registersRefusal(
      own.map(x => ({
        ...how,
        last: x.last,
        current: x.current,
        rollover: isRegisterRollover(x.last, x.current, modulus, r.isRollover),
      })),
      { ...how, last, current: r.curNum, rollover: r.isRollover },
      l.meter.decimals,
    )
  } catch (e) {
    if (e instanceof RangeError) return e.message
    throw e
  }
}

/**
 * Registers that go on from the reading right before must agree with the counter: otherwise some of it would
 * be billed at no register's price, or twice.
 */
function checkRegisterSum(l: BookMeter, i: number): string | undefined {
  const r = l.rows[i]!
  const before = l.rows[i - 1]
  const had = new Set(before?.registers?.map(x => x.name))
  return before && r.registers?.length && r.registers.every(x => had.has(x.name))
    ? checkRegisters(l, r.registers, r, before.curNum, before.isEstimate)
    : undefined
}

/**
 * What a reading counts from its neighbours: last number, day, usage, what it shows that is odd. Throws
 * RangeError with a text for people.
 */
function recount(book: ReadingBook, l: BookMeter, i: number): void {
  const r = l.rows[i]
  if (!r) return
  const before = l.rows[i - 1]
  const last = before?.curNum ?? l.meter.initNum
  const modulus = modulusOf(l.meter)
  const was = { usage: r.usage, lastNum: r.lastNum, lastDate: r.lastDate }
  book.previous.set(
    r.id,
    book.previous.get(r.id) ?? {
      ...was,
      isRollover: r.isRollover,
      anomalies: r.anomalies,
      confirmed: r.confirmed,
    },
  )
  r.lastNum = last
  r.lastDate = before?.readDate ?? l.since ?? l.meter.installDate
  r.replacedUsage = before ? '0' : l.carried
  // Only the first one bills nothing.
  if (before) {
    r.isBase = false
  }
  if (last !== undefined) {
    r.isRollover =
      compare(r.curNum, last) < 0 && (r.isRollover || (r.id > 0 && canRollOver(last, r.curNum, modulus)))
  }
  if (last === undefined || r.isBase) {
    r.usage = undefined
    r.anomalies = undefined
  } else {
    const counted = { multiplier: r.multiple, modulus, afterEstimate: before?.isEstimate }
    const own =
      r.registers?.length && linkRegisters(l, i, last)
        ? sumRegisters(
            r.registers.map(x => ({
              ...counted,
              ...x,
              rollover: isRegisterRollover(x.last, x.current, modulus, r.isRollover),
            })),
          ).usage
        : computeUsage({ ...counted, last, current: r.curNum, rollover: r.isRollover })
    r.usage = sum([own, r.loss, r.replacedUsage])
    const flags = detectAnomalies(r.usage, r.readDate, toUsageHistory(book, l, i))
    r.anomalies = flags.length ? flags : undefined
  }
  // Who confirmed looked at other numbers.
  if (r.usage !== was.usage) {
    r.confirmed = false
  }
  if (r.id > 0) {
    book.changed.add(r)
  }
}

export function toUsageHistory(book: ReadingBook, l: BookMeter, i: number) {
  const r = l.rows[i]!
  const recent = l.rows
    .slice(0, i)
    .toReversed()
    .flatMap(x => x.usage ?? [])
    .slice(0, 3)
  const year = shiftMonth(r.month, -12)
  const lastYear = l.rows.find(x => x.month === year)?.usage ?? book.lastYear.get(`${l.meter.id}/${year}`)
  const window = findWindow(book.plans, l.meter, r.month)
  return {
    recent,
    ...(lastYear === undefined ? {} : { sameMonthLastYear: lastYear }),
    ...(window ? { window } : {}),
  }
}

/** The number that an estimate would say, on a day, from up to three periods before (MTR-13). */
export function estimateOn(l: BookMeter, day: Day): Dec | undefined {
  const earlier = l.rows.filter(r => r.readDate < day)
  const before = earlier.at(-1)
  const since = before?.readDate ?? l.meter.installDate
  const last = before?.curNum ?? l.meter.initNum
  if (since === undefined || last === undefined) return undefined
  const days = (a: Day, b: Day): number => Math.round((Date.parse(b) - Date.parse(a)) / 86_400_000)
  const past = earlier
    .slice(-3)
    .flatMap(r =>
      r.usage !== undefined && r.lastDate ? [{ usage: r.usage, days: days(r.lastDate, r.readDate) }] : [],
    )
  return estimateReading(past, days(since, day), last, l.meter.multiple, l.meter.decimals)
}

const refuseEntry = (why: string, field = 'CurNum'): EntryOutcome => ({ kind: 'refused', why, field })
let lastTemporaryId = 0

/**
 * Takes an entry into the book, new or (with `id`) changed, and moves the reading after it (MTR-3 to MTR-8).
 * What is refused leaves the book as it was.
 */
export function applyEntry(
  book: ReadingBook,
  meterId: number,
  e: EntryInput & { readonly id?: number | undefined },
  how: EntryOptions,
): EntryOutcome {
  const l = book.meters.get(meterId)
  if (!l) return refuseEntry('没有这只表，请核对表号', 'MeterNo')
  const m = l.meter
  const month = e.month ?? monthOf(e.readDate)
  const at = l.rows.findIndex(r => r.id === e.id)
  const mine = l.rows[at]
  if (e.id !== undefined && !mine) return refuseEntry('读数不存在或已作废', 'ID')
  if (m.state === 'replaced') return refuseEntry(`仪表「${m.meterNo}」已更换，读数不能再变动`, 'MeterID')
  if (m.state === 'stopped') return refuseEntry(`仪表「${m.meterNo}」已停用，请先启用`, 'MeterID')
  if (e.readDate > how.today) return refuseEntry('抄表日期不能晚于今天', 'ReadDate')
  if (
    Math.abs(
      Number(month.slice(0, 4)) * 12 +
        Number(month.slice(5)) -
        Number(e.readDate.slice(0, 4)) * 12 -
        Number(e.readDate.slice(5, 7)),
    ) > 1
  )
    return refuseEntry('月份与抄表日期相差超过一个月，请核对', 'Month')
  const window = findWindow(book.plans, m, month)
  if (window?.strict && how.source !== 'automatic') {
    const late =
      windowRefusal(window, e.readDate, true) ??
      (how.today > window.end ? windowRefusal(window, how.today, true) : undefined)
    if (late) return refuseEntry(late, 'ReadDate')
  }
  const before = l.rows.filter(r => r !== mine && r.readDate < e.readDate).at(-1)
  const had = findNewestRegisters(l.rows.filter(r => r !== mine && r.readDate < e.readDate))
  const given = e.registers ?? mine?.registers
  // The total alone says nothing of what each register showed.
  if (
    e.registers === undefined &&
    mine?.registers?.length &&
    e.curNum !== undefined &&
    compare(e.curNum, mine.curNum) !== 0
  )
    return refuseEntry('这只表分时计量，请连同各时段的读数一起修改', 'RegistersJson')
  const registers = given?.length
    ? given.map(x => ({
        name: x.name,
        last: x.last ?? '0',
        current: x.current,
        price: x.price ?? had.get(x.name)?.price ?? '0',
      }))
    : undefined
  const isBase = e.isBase ?? (!before && mine?.isBase === true)
  const current =
    e.curNum ??
    (registers ? sum(registers.map(x => x.current)) : e.isEstimate ? estimateOn(l, e.readDate) : undefined)
  if (current === undefined)
    return refuseEntry(e.isEstimate ? '没有可以参照的用量，不能估抄，请填写读数' : '请填写本期读数')
  const standing = before?.curNum ?? m.initNum
  const isRollover =
    e.isRollover ??
    (how.source === 'automatic' && standing !== undefined && canRollOver(standing, current, modulusOf(m)))
  const shows = readingRefusal(current, modulusOf(m), m.decimals)
  if (shows) return refuseEntry(shows)
  for (const [i, x] of (registers ?? []).entries()) {
    const why =
      registers!.findIndex(y => y.name === x.name) < i
        ? '填了两次'
        : readingRefusal(x.current, modulusOf(m), m.decimals)
    if (why) return refuseEntry(`时段「${x.name}」${why}`, 'RegistersJson')
  }
  if (isBase && before) return refuseEntry('只有第一次读数可以作为基准', 'IsBase')
  if (isBase && compare(l.carried, '0') !== 0)
    return refuseEntry(`换表前的用量 ${l.carried} 要并入新表的第一次读数，它不能作为基准`, 'IsBase')
  const got = placeReading(
    toReadingRows(l),
    toMeterBase(l),
    {
      ...(e.id === undefined ? {} : { id: e.id }),
      month,
      day: e.readDate,
      current,
      rollover: isRollover,
      estimate: e.isEstimate ?? false,
    },
    how.monthly,
  )
  if (got.kind === 'same') return got
  if (got.kind === 'refused')
    return refuseEntry(
      got.why,
      /同一天|安装日期|日期/.test(got.why) ? 'ReadDate' : /每月/.test(got.why) ? 'Month' : 'CurNum',
    )
  if (isRollover && (got.last === undefined || compare(current, got.last) >= 0))
    return refuseEntry('本期读数不小于上期读数，不是翻表，请取消勾选', 'IsRollover')
  const row: BookReading = {
    id: mine?.id ?? --lastTemporaryId,
    version: mine?.version ?? 1,
    month,
    readDate: e.readDate,
    curNum: current,
    isEstimate: e.isEstimate ?? false,
    isBase,
    isRollover,
    multiple: mine?.multiple ?? m.multiple,
    loss: e.loss ?? '0',
    state: 'open',
    replacedUsage: '0',
    confirmed: mine?.confirmed ?? false,
    source: mine?.source ?? how.source,
    ...(registers ? { registers } : {}),
    ...(e.photo ? { photo: e.photo } : {}),
    ...(e.remark ? { remark: e.remark } : {}),
    ...((mine?.readerId ?? how.readerId) === undefined
      ? {}
      : { readerId: (mine?.readerId ?? how.readerId)! }),
    usage: mine?.usage,
    lastNum: mine?.lastNum,
    lastDate: mine?.lastDate,
    anomalies: mine?.anomalies,
  }
  return runOrRollBack(book, l, () => {
    if (mine) {
      l.rows.splice(at, 1)
    }
    const i = l.rows.filter(r => r.readDate < row.readDate).length
    l.rows.splice(i, 0, row)
    recount(book, l, i)
    const apart = checkRegisterSum(l, i)
    if (apart) throw new RangeError(apart)
    recount(book, l, i + 1)
    if (row.id < 0) {
      book.changed.add(row)
    }
    return { kind: 'placed', row }
  })
}

/** Takes a reading out of the book; answers why it must stay (MTR-7, MTR-9). */
export function removeReading(book: ReadingBook, meterId: number, id: number): string | undefined {
  const l = book.meters.get(meterId)
  const i = l?.rows.findIndex(r => r.id === id) ?? -1
  if (!l || i < 0) return '读数不存在或已作废'
  if (l.meter.state === 'replaced') return `仪表「${l.meter.meterNo}」已更换，读数不能再变动`
  const may = planRemoval(toReadingRows(l), toMeterBase(l), id)
  const gone = l.rows[i]!
  if (typeof may === 'string') return may
  const done = runOrRollBack(book, l, () => {
    l.rows.splice(i, 1)
    const next = l.rows[i]
    // What the registers began from goes over to the one after; a reading before that has them says better.
    if (next?.registers && gone.registers) {
      next.registers = next.registers.map(x => ({
        ...x,
        last: gone.registers!.find(b => b.name === x.name)?.last ?? x.last,
      }))
    }
    recount(book, l, i)
    book.changed.delete(gone)
    book.removed.add(gone)
    return { kind: 'placed', row: gone }
  })
  return done.kind === 'refused' ? `删除后后一次读数不成立：${done.why}` : undefined
}

/** A change of one leaf that may not stand: then everything is as before. */
function runOrRollBack(book: ReadingBook, l: BookMeter, change: () => EntryOutcome): EntryOutcome {
  const rows = [...l.rows]
  const held = rows.map(r => ({ ...r }))
  const had = rows.filter(r => book.changed.has(r))
  try {
    return change()
  } catch (e) {
    if (!(e instanceof RangeError)) throw e
    for (const r of l.rows) {
      book.changed.delete(r)
    }
    l.rows.splice(0, l.rows.length, ...rows)
    for (const [i, r] of rows.entries()) {
      Object.assign(
        r,
        { usage: undefined, lastNum: undefined, lastDate: undefined, anomalies: undefined },
        held[i],
      )
    }
    for (const r of had) {
      book.changed.add(r)
    }
    return refuseEntry(e.message)
  }
}
