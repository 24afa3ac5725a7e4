import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { monthOf, monthsBetween, type Month } from '#kit/domain/month.ts'
import { compare, sum, type Decimal } from '#kit/domain/decimal.ts'
import type { MeterReading } from '../contract/meter.ts'
import type { Entry } from '../contract/reading.ts'
import { windowRefusal } from '../domain/anomaly.ts'
import type { ReadingKey } from '../domain/reading.ts'
import { canRollOver, modulusOf, readingRefusal } from '../domain/usage.ts'
import { findWindow } from './active-plans.ts'
import { type BookMeter, type BookReading, type ReadingBook, type ReadingRegisters } from './meter-history.ts'
import { estimateOn } from './reading-recount.ts'
import { findNewestRegisters } from './reading-registers.ts'

/**
 * An entry whose registers may leave out what is known: the number they go on from, and the price of the
 * reading before.
 */
export interface EntryInput extends Omit<Entry, 'registers'> {
  readonly registers?:
    | readonly {
        readonly name: string
        readonly current: Decimal
        readonly last?: Decimal | undefined
        readonly price?: Decimal | undefined
      }[]
    | undefined
}

export type EntryOutcome =
  | { readonly kind: 'same'; readonly id: ReadingKey }
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
  readonly readerId?: Id | undefined
  /** One reading a month at most (MTR-5). */
  readonly monthly: boolean
}

export type EntryChange = EntryInput & { readonly id?: ReadingKey | undefined }

/** An entry with everything it leaves out filled in from the book. `existing`: the reading it changes. */
export interface CompleteEntry {
  readonly existing?: BookReading | undefined
  readonly before?: BookReading | undefined
  readonly month: Month
  readonly current: Decimal
  readonly registers?: ReadingRegisters
  readonly isRollover: boolean
  readonly isBase: boolean
}

export const refuseEntry = (why: string, field = 'CurNum'): RefusedEntry => ({ kind: 'refused', why, field })

export function checkMeterState(meter: BookMeter): RefusedEntry | undefined {
  const { state, meterNo } = meter.meter
  if (state === 'replaced') return refuseEntry(`仪表「${meterNo}」已更换，读数不能再变动`, 'MeterID')
  if (state === 'stopped') return refuseEntry(`仪表「${meterNo}」已停用，请先启用`, 'MeterID')
  return undefined
}

/** A strict plan (MTR-16) limits both the day of the reading and the day on which it is entered. */
export function checkEntryDays(
  book: ReadingBook,
  meter: BookMeter,
  entry: EntryChange,
  { today, source }: EntryOptions,
): RefusedEntry | undefined {
  const month = entry.month ?? monthOf(entry.readDate)
  if (entry.readDate > today) return refuseEntry('抄表日期不能晚于今天', 'ReadDate')
  if (Math.abs(monthsBetween(monthOf(entry.readDate), month)) > 1)
    return refuseEntry('月份与抄表日期相差超过一个月，请核对', 'Month')
  const window = findWindow(book.plans, meter.meter, month)
  if (!window?.strict || source === 'automatic') return undefined
  const late =
    windowRefusal(window, entry.readDate) ?? (today > window.end ? windowRefusal(window, today) : undefined)
  return late === undefined ? undefined : refuseEntry(late, 'ReadDate')
}

/** A changed total alone does not say what each register showed. */
export const checkRegistersGiven = (
  entry: EntryChange,
  existing: BookReading | undefined,
): RefusedEntry | undefined =>
  entry.registers === undefined &&
  existing?.registers?.length &&
  entry.curNum !== undefined &&
  compare(entry.curNum, existing.curNum) !== 0
    ? refuseEntry('该表分时计量，请连同各时段的读数一起修改', 'RegistersJson')
    : undefined

export function completeEntry(
  meter: BookMeter,
  entry: EntryChange,
  { source }: EntryOptions,
  existing: BookReading | undefined,
): CompleteEntry | RefusedEntry {
  const earlier = meter.rows.filter(r => r !== existing && r.readDate < entry.readDate)
  const before = earlier.at(-1)
  const registers = completeRegisters(entry.registers ?? existing?.registers, earlier)
  const current = entry.curNum ?? deriveCurrent(meter, entry, registers)
  if (current === undefined)
    return refuseEntry(entry.isEstimate ? '没有可以参照的用量，不能估抄，请填写读数' : '请填写本期读数')
  const last = before?.curNum ?? meter.meter.initNum
  const isAutomaticRollover =
    source === 'automatic' && last !== undefined && canRollOver(last, current, modulusOf(meter.meter))
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
  input: EntryInput['registers'],
  earlier: readonly BookReading[],
): ReadingRegisters | undefined {
  if (!input?.length) return undefined
  const previousRegisters = findNewestRegisters(earlier)
  return input.map(register => ({
    name: register.name,
    last: register.last ?? '0',
    current: register.current,
    price: register.price ?? previousRegisters.get(register.name)?.price ?? '0',
  }))
}

/** The counter's number of an entry that does not say it: the sum of its registers, or an estimate. */
function deriveCurrent(
  meter: BookMeter,
  entry: EntryChange,
  registers: ReadingRegisters | undefined,
): Decimal | undefined {
  if (registers) return sum(registers.map(x => x.current))
  return entry.isEstimate ? estimateOn(meter, entry.readDate) : undefined
}

/** Whether the meter can show these numbers at all. */
export function checkNumbers(
  meter: BookMeter,
  { current, registers = [] }: CompleteEntry,
): RefusedEntry | undefined {
  const { decimals } = meter.meter
  const modulus = modulusOf(meter.meter)
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
export function checkBase(meter: BookMeter, { isBase, before }: CompleteEntry): RefusedEntry | undefined {
  if (!isBase) return undefined
  if (before) return refuseEntry('只有第一次读数可以作为基准', 'IsBase')
  return compare(meter.replacedUsage, '0') === 0
    ? undefined
    : refuseEntry(`换表前的用量 ${meter.replacedUsage} 要并入新表的第一次读数，它不能作为基准`, 'IsBase')
}
