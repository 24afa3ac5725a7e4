import { defined } from '#kit/domain/defined.ts'
import { daysBetween, type Day } from '#kit/domain/day.ts'
import { shiftMonth } from '#kit/domain/month.ts'
import { compare, sum, type Decimal } from '#kit/domain/decimal.ts'
import { detectAnomalies, type UsageHistory } from '../domain/anomaly.ts'
import {
  canRollOver,
  computeUsage,
  estimateReading,
  isRegisterRollover,
  modulusOf,
  sumRegisters,
} from '../domain/usage.ts'
import { findWindow } from './active-plans.ts'
import type { BookMeter, BookReading, ReadingBook } from './meter-history.ts'
import { linkRegisters } from './reading-registers.ts'

/** Keeps the values that a reading had when the book was opened, for the audit. */
function rememberPrevious(book: ReadingBook, reading: BookReading): void {
  if (book.previous.has(reading.id)) return
  book.previous.set(reading.id, {
    usage: reading.usage,
    lastNum: reading.lastNum,
    lastDate: reading.lastDate,
    isRollover: reading.isRollover,
    anomalies: reading.anomalies,
    confirmed: reading.confirmed,
  })
}

/** Usage since the last number, by registers where they give it; plus loss and replaced usage (MTR-2). */
function computeReadingUsage(meter: BookMeter, index: number, last: Decimal): Decimal {
  const reading = defined(meter.rows[index])
  const modulus = modulusOf(meter.meter)
  const interval = { multiplier: reading.multiple, modulus, afterEstimate: meter.rows[index - 1]?.isEstimate }
  const byRegisters = Boolean(reading.registers?.length) && linkRegisters(meter, index, last)
  const counted = byRegisters
    ? sumRegisters(
        defined(reading.registers).map(x => ({
          ...interval,
          ...x,
          rollover: isRegisterRollover(x.last, x.current, modulus, reading.isRollover),
        })),
      ).usage
    : computeUsage({ ...interval, last, current: reading.curNum, rollover: reading.isRollover })
  return sum([counted, reading.loss, reading.replacedUsage])
}

/**
 * Computes what follows from a reading's neighbours: last number and day, usage, anomalies. Nothing where
 * there is no reading at this index. Throws RangeError with a text for people.
 */
export function recount(book: ReadingBook, meter: BookMeter, index: number): void {
  const reading = meter.rows[index]
  if (!reading) return
  const before = meter.rows[index - 1]
  const last = before?.curNum ?? meter.meter.initNum
  const usageBefore = reading.usage
  rememberPrevious(book, reading)
  reading.lastNum = last
  reading.lastDate = before?.readDate ?? meter.since ?? meter.meter.installDate
  reading.replacedUsage = before ? '0' : meter.replacedUsage
  // Only a meter's first reading can be a base, which bills nothing.
  if (before) {
    reading.isBase = false
  }
  if (last !== undefined) {
    reading.isRollover =
      compare(reading.curNum, last) < 0 &&
      (reading.isRollover || (reading.id > 0 && canRollOver(last, reading.curNum, modulusOf(meter.meter))))
  }
  if (last === undefined || reading.isBase) {
    reading.usage = undefined
    reading.anomalies = undefined
  } else {
    reading.usage = computeReadingUsage(meter, index, last)
    const anomalies = detectAnomalies(reading.usage, reading.readDate, toUsageHistory(book, meter, index))
    reading.anomalies = anomalies.length ? anomalies : undefined
  }
  // The confirmation was given for other numbers.
  if (reading.usage !== usageBefore) {
    reading.confirmed = false
  }
  if (reading.id > 0) {
    book.changed.add(reading)
  }
}

/** What the usage of a reading is compared with (MTR-8). */
export function toUsageHistory(book: ReadingBook, meter: BookMeter, index: number): UsageHistory {
  const { month } = defined(meter.rows[index])
  const recent = meter.rows
    .slice(0, index)
    .toReversed()
    .flatMap(r => r.usage ?? [])
    .slice(0, 3)
  const yearBefore = shiftMonth(month, -12)
  const lastYear =
    meter.rows.find(r => r.month === yearBefore)?.usage ??
    book.lastYear.get(`${meter.meter.id}/${yearBefore}`)
  const window = findWindow(book.plans, meter.meter, month)
  return {
    recent,
    ...(lastYear === undefined ? {} : { sameMonthLastYear: lastYear }),
    ...(window ? { window } : {}),
  }
}

/** The estimated number on a day, from the average of up to three periods before (MTR-13). */
export function estimateOn(meter: BookMeter, day: Day): Decimal | undefined {
  const earlier = meter.rows.filter(r => r.readDate < day)
  const before = earlier.at(-1)
  const since = before?.readDate ?? meter.meter.installDate
  const last = before?.curNum ?? meter.meter.initNum
  if (since === undefined || last === undefined) return undefined
  const periods = earlier
    .slice(-3)
    .flatMap(r =>
      r.usage !== undefined && r.lastDate
        ? [{ usage: r.usage, days: daysBetween(r.lastDate, r.readDate) }]
        : [],
    )
  return estimateReading(periods, daysBetween(since, day), last, meter.meter.multiple, meter.meter.decimals)
}
