import type { Day } from '#kit/domain/day.ts'
import { monthOf, monthsBetween, type Month } from '#kit/domain/month.ts'
import { compare, sum, type Dec } from '#kit/domain/decimal.ts'
import type { MeterReading } from '../contract/meter.ts'
import type { Entry } from '../contract/reading.ts'
import { windowRefusal } from '../domain/anomaly.ts'
import { placeReading, planRemoval } from '../domain/reading.ts'
import { canRollOver, modulusOf, readingRefusal } from '../domain/usage.ts'
import { findWindow } from './active-plans.ts'
import {
  toMeterBase,
  toReadingRows,
  type BookMeter,
  type BookReading,
  type ReadingBook,
  type ReadingRegisters,
} from './reading-book.ts'
import { estimateOn, recount } from './reading-recount.ts'
import { checkRegisterSum, findNewestRegisters } from './reading-registers.ts'

/**
 * An entry whose registers may leave out what is known: the number they go on from, and the price of the
 * reading before.
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

export type EntryOutcome =
  | { readonly kind: 'same'; readonly id: number }
  | { readonly kind: 'placed'; readonly row: BookReading }
  | RefusedEntry

/** `field`: the wire name of the field at fault. */
interface RefusedEntry {
  readonly kind: 'refused'
  readonly why: string
  readonly field: string
}

export interface EntryOptions {
  readonly source: MeterReading['source']
  readonly today: Day
  readonly readerId?: number | undefined
  /** One reading a month at most (MTR-5). */
  readonly monthly: boolean
}

type EntryChange = EntryInput & { readonly id?: number | undefined }

/** An entry with everything it leaves out filled in from the book. `existing`: the reading it changes. */
interface CompleteEntry {
  readonly existing?: BookReading | undefined
  readonly before?: BookReading | undefined
  readonly month: Month
  readonly current: Dec
  readonly registers?: ReadingRegisters
  readonly isRollover: boolean
  readonly isBase: boolean
}

const refuseEntry = (why: string, field = 'CurNum'): RefusedEntry => ({ kind: 'refused', why, field })

const wireFields = { curNum: 'CurNum', readDate: 'ReadDate', month: 'Month' } as const

let lastTemporaryId = 0

/**
 * Takes an entry into the book, new or (with `id`) changed, and recomputes the reading after it (MTR-3 to
 * MTR-8). A refused entry leaves the book as it was.
 */
export function applyEntry(
  book: ReadingBook,
  meterId: number,
  entry: EntryChange,
  options: EntryOptions,
): EntryOutcome {
  const m = book.meters.get(meterId)
  if (!m) return refuseEntry('没有这只表，请核对表号', 'MeterNo')
  const existing = m.rows.find(r => r.id === entry.id)
  if (entry.id !== undefined && !existing) return refuseEntry('读数不存在或已作废', 'ID')
  const refusal =
    checkMeterState(m) ?? checkEntryDays(book, m, entry, options) ?? checkRegistersGiven(entry, existing)
  if (refusal) return refusal
  const complete = completeEntry(m, entry, options, existing)
  if ('why' in complete) return complete
  const fault = checkNumbers(m, complete) ?? checkBase(m, complete)
  if (fault) return fault
  const placement = placeReading(
    toReadingRows(m),
    toMeterBase(m),
    {
      ...(entry.id === undefined ? {} : { id: entry.id }),
      month: complete.month,
      day: entry.readDate,
      current: complete.current,
      rollover: complete.isRollover,
      estimate: entry.isEstimate ?? false,
    },
    options.monthly,
  )
  if (placement.kind === 'same') return placement
  if (placement.kind === 'refused') return refuseEntry(placement.why, wireFields[placement.field])
  const isLower = placement.last !== undefined && compare(complete.current, placement.last) < 0
  if (complete.isRollover && !isLower)
    return refuseEntry('本期读数不小于上期读数，不是翻表，请取消勾选', 'IsRollover')
  return insertRow(book, m, toRow(m, entry, complete, options), existing)
}

function checkMeterState(m: BookMeter): RefusedEntry | undefined {
  const { state, meterNo } = m.meter
  if (state === 'replaced') return refuseEntry(`仪表「${meterNo}」已更换，读数不能再变动`, 'MeterID')
  if (state === 'stopped') return refuseEntry(`仪表「${meterNo}」已停用，请先启用`, 'MeterID')
  return undefined
}

/** A strict plan (MTR-16) limits both the day of the reading and the day on which it is entered. */
function checkEntryDays(
  book: ReadingBook,
  m: BookMeter,
  entry: EntryChange,
  { today, source }: EntryOptions,
): RefusedEntry | undefined {
  const month = entry.month ?? monthOf(entry.readDate)
  if (entry.readDate > today) return refuseEntry('抄表日期不能晚于今天', 'ReadDate')
  if (Math.abs(monthsBetween(monthOf(entry.readDate), month)) > 1)
    return refuseEntry('月份与抄表日期相差超过一个月，请核对', 'Month')
  const window = findWindow(book.plans, m.meter, month)
  if (!window?.strict || source === 'automatic') return undefined
  const late =
    windowRefusal(window, entry.readDate, true) ??
    (today > window.end ? windowRefusal(window, today, true) : undefined)
  return late === undefined ? undefined : refuseEntry(late, 'ReadDate')
}

/** A changed total alone does not say what each register showed. */
const checkRegistersGiven = (
  entry: EntryChange,
  existing: BookReading | undefined,
): RefusedEntry | undefined =>
  entry.registers === undefined &&
  existing?.registers?.length &&
  entry.curNum !== undefined &&
  compare(entry.curNum, existing.curNum) !== 0
    ? refuseEntry('这只表分时计量，请连同各时段的读数一起修改', 'RegistersJson')
    : undefined

function completeEntry(
  m: BookMeter,
  entry: EntryChange,
  { source }: EntryOptions,
  existing: BookReading | undefined,
): CompleteEntry | RefusedEntry {
  const earlier = m.rows.filter(r => r !== existing && r.readDate < entry.readDate)
  const before = earlier.at(-1)
  const registers = completeRegisters(entry.registers ?? existing?.registers, earlier)
  const current = entry.curNum ?? deriveCurrent(m, entry, registers)
  if (current === undefined)
    return refuseEntry(entry.isEstimate ? '没有可以参照的用量，不能估抄，请填写读数' : '请填写本期读数')
  const last = before?.curNum ?? m.meter.initNum
  const isAutomaticRollover =
    source === 'automatic' && last !== undefined && canRollOver(last, current, modulusOf(m.meter))
  return {
    existing,
    before,
    month: entry.month ?? monthOf(entry.readDate),
    current,
    ...(registers ? { registers } : {}),
    isRollover: entry.isRollover ?? isAutomaticRollover,
    isBase: entry.isBase ?? (!before && existing?.isBase === true),
  }
}

function completeRegisters(
  given: EntryInput['registers'],
  earlier: readonly BookReading[],
): ReadingRegisters | undefined {
  if (!given?.length) return undefined
  const known = findNewestRegisters(earlier)
  return given.map(x => ({
    name: x.name,
    last: x.last ?? '0',
    current: x.current,
    price: x.price ?? known.get(x.name)?.price ?? '0',
  }))
}

/** The counter's number of an entry that does not say it: the sum of its registers, or an estimate. */
function deriveCurrent(
  m: BookMeter,
  entry: EntryChange,
  registers: ReadingRegisters | undefined,
): Dec | undefined {
  if (registers) return sum(registers.map(x => x.current))
  return entry.isEstimate ? estimateOn(m, entry.readDate) : undefined
}

/** Whether the meter can show these numbers at all. */
function checkNumbers(m: BookMeter, { current, registers = [] }: CompleteEntry): RefusedEntry | undefined {
  const { decimals } = m.meter
  const modulus = modulusOf(m.meter)
  const refusal = readingRefusal(current, modulus, decimals)
  if (refusal) return refuseEntry(refusal)
  for (const [i, x] of registers.entries()) {
    const isRepeated = registers.findIndex(y => y.name === x.name) < i
    const why = isRepeated ? '填了两次' : readingRefusal(x.current, modulus, decimals)
    if (why) return refuseEntry(`时段「${x.name}」${why}`, 'RegistersJson')
  }
  return undefined
}

/**
 * Only a first reading may be a base (MTR-4), and not one that takes over usage of the old meter (MTR-11).
 */
function checkBase(m: BookMeter, { isBase, before }: CompleteEntry): RefusedEntry | undefined {
  if (!isBase) return undefined
  if (before) return refuseEntry('只有第一次读数可以作为基准', 'IsBase')
  return compare(m.carried, '0') === 0
    ? undefined
    : refuseEntry(`换表前的用量 ${m.carried} 要并入新表的第一次读数，它不能作为基准`, 'IsBase')
}

function toRow(
  m: BookMeter,
  entry: EntryChange,
  complete: CompleteEntry,
  options: EntryOptions,
): BookReading {
  const { existing, registers } = complete
  const readerId = existing?.readerId ?? options.readerId
  return {
    id: existing?.id ?? --lastTemporaryId,
    version: existing?.version ?? 1,
    month: complete.month,
    readDate: entry.readDate,
    curNum: complete.current,
    isEstimate: entry.isEstimate ?? false,
    isBase: complete.isBase,
    isRollover: complete.isRollover,
    multiple: existing?.multiple ?? m.meter.multiple,
    loss: entry.loss ?? '0',
    state: 'open',
    replacedUsage: '0',
    confirmed: existing?.confirmed ?? false,
    source: existing?.source ?? options.source,
    ...(registers ? { registers } : {}),
    ...(entry.photo ? { photo: entry.photo } : {}),
    ...(entry.remark ? { remark: entry.remark } : {}),
    ...(readerId === undefined ? {} : { readerId }),
    usage: existing?.usage,
    lastNum: existing?.lastNum,
    lastDate: existing?.lastDate,
    anomalies: existing?.anomalies,
  }
}

/**
 * Inserts a row at its day, in place of the one it changes; both it and the reading after it are recomputed.
 */
const insertRow = (
  book: ReadingBook,
  m: BookMeter,
  row: BookReading,
  existing: BookReading | undefined,
): EntryOutcome =>
  runOrRollBack(book, m, () => {
    if (existing) {
      m.rows.splice(m.rows.indexOf(existing), 1)
    }
    const index = m.rows.filter(r => r.readDate < row.readDate).length
    m.rows.splice(index, 0, row)
    recount(book, m, index)
    const fault = checkRegisterSum(m, index)
    if (fault) throw new RangeError(fault)
    recount(book, m, index + 1)
    if (row.id < 0) {
      book.changed.add(row)
    }
    return { kind: 'placed', row }
  })

/** Takes a reading out of the book; returns why it must stay (MTR-7, MTR-9). */
export function removeReading(book: ReadingBook, meterId: number, id: number): string | undefined {
  const m = book.meters.get(meterId)
  const index = m?.rows.findIndex(r => r.id === id) ?? -1
  if (!m || index < 0) return '读数不存在或已作废'
  if (m.meter.state === 'replaced') return `仪表「${m.meter.meterNo}」已更换，读数不能再变动`
  const removal = planRemoval(toReadingRows(m), toMeterBase(m), id)
  if (typeof removal === 'string') return removal
  const removed = m.rows[index]!
  const outcome = runOrRollBack(book, m, () => {
    m.rows.splice(index, 1)
    passRegistersOn(removed, m.rows[index])
    recount(book, m, index)
    book.changed.delete(removed)
    book.removed.add(removed)
    return { kind: 'placed', row: removed }
  })
  return outcome.kind === 'refused' ? `删除后后一次读数不成立：${outcome.why}` : undefined
}

/**
 * The reading after a removed one begins its registers where that one began them. `recount` replaces this
 * where an earlier reading has registers.
 */
function passRegistersOn(removed: BookReading, next: BookReading | undefined): void {
  if (!next?.registers || !removed.registers) return
  const lastByName = new Map(removed.registers.map(x => [x.name, x.last]))
  next.registers = next.registers.map(x => ({ ...x, last: lastByName.get(x.name) ?? x.last }))
}

/** Runs a change of one meter's readings; a RangeError in it restores everything and refuses the entry. */
function runOrRollBack(book: ReadingBook, m: BookMeter, change: () => EntryOutcome): EntryOutcome {
  const rows = [...m.rows]
  const values = rows.map(r => ({ ...r }))
  const changedBefore = rows.filter(r => book.changed.has(r))
  try {
    return change()
  } catch (e) {
    if (!(e instanceof RangeError)) throw e
    for (const r of m.rows) {
      book.changed.delete(r)
    }
    m.rows.splice(0, m.rows.length, ...rows)
    const unset = { usage: undefined, lastNum: undefined, lastDate: undefined, anomalies: undefined }
    for (const [i, r] of rows.entries()) {
      Object.assign(r, unset, values[i])
    }
    for (const r of changedBefore) {
      book.changed.add(r)
    }
    return refuseEntry(e.message)
  }
}
