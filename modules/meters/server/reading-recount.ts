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
function rememberPrevious(book: ReadingBook, r: BookReading): void {
  if (book.previous.has(r.id)) return
  book.previous.set(r.id, {
    usage: r.usage,
    lastNum: r.lastNum,
    lastDate: r.lastDate,
    isRollover: r.isRollover,
    anomalies: r.anomalies,
    confirmed: r.confirmed,
  })
}

/** Usage since the last number, by registers where they give it; plus loss and replaced usage (MTR-2). */
function computeReadingUsage(m: BookMeter, index: number, last: Decimal): Decimal {
  const r = defined(m.rows[index])
  const modulus = modulusOf(m.meter)
  const interval = { multiplier: r.multiple, modulus, afterEstimate: m.rows[index - 1]?.isEstimate }
  const byRegisters = Boolean(r.registers?.length) && linkRegisters(m, index, last)
  const counted = byRegisters
    ? sumRegisters(
        defined(r.registers).map(x => ({
          ...interval,
          ...x,
          rollover: isRegisterRollover(x.last, x.current, modulus, r.isRollover),
        })),
      ).usage
    : computeUsage({ ...interval, last, current: r.curNum, rollover: r.isRollover })
  return sum([counted, r.loss, r.replacedUsage])
}

/**
 * Computes what follows from a reading's neighbours: last number and day, usage, anomalies. Nothing where
 * there is no reading at this index. Throws RangeError with a text for people.
 */
export function recount(book: ReadingBook, m: BookMeter, index: number): void {
  const r = m.rows[index]
  if (!r) return
  const before = m.rows[index - 1]
  const last = before?.curNum ?? m.meter.initNum
  const usageBefore = r.usage
  rememberPrevious(book, r)
  r.lastNum = last
  r.lastDate = before?.readDate ?? m.since ?? m.meter.installDate
  r.replacedUsage = before ? '0' : m.carried
  // Only a meter's first reading can be a base, which bills nothing.
  if (before) {
    r.isBase = false
  }
  if (last !== undefined) {
    r.isRollover =
      compare(r.curNum, last) < 0 &&
      (r.isRollover || (r.id > 0 && canRollOver(last, r.curNum, modulusOf(m.meter))))
  }
  if (last === undefined || r.isBase) {
    r.usage = undefined
    r.anomalies = undefined
  } else {
    r.usage = computeReadingUsage(m, index, last)
    const anomalies = detectAnomalies(r.usage, r.readDate, toUsageHistory(book, m, index))
    r.anomalies = anomalies.length ? anomalies : undefined
  }
  // The confirmation was given for other numbers.
  if (r.usage !== usageBefore) {
    r.confirmed = false
  }
  if (r.id > 0) {
    book.changed.add(r)
  }
}

/** What the usage of a reading is compared with (MTR-8). */
export function toUsageHistory(book: ReadingBook, m: BookMeter, index: number): UsageHistory {
  const { month } = defined(m.rows[index])
  const recent = m.rows
    .slice(0, index)
    .toReversed()
    .flatMap(r => r.usage ?? [])
    .slice(0, 3)
  const yearBefore = shiftMonth(month, -12)
  const lastYear =
    m.rows.find(r => r.month === yearBefore)?.usage ?? book.lastYear.get(`${m.meter.id}/${yearBefore}`)
  const window = findWindow(book.plans, m.meter, month)
  return {
    recent,
    ...(lastYear === undefined ? {} : { sameMonthLastYear: lastYear }),
    ...(window ? { window } : {}),
  }
}

/** The estimated number on a day, from the average of up to three periods before (MTR-13). */
export function estimateOn(m: BookMeter, day: Day): Decimal | undefined {
  const earlier = m.rows.filter(r => r.readDate < day)
  const before = earlier.at(-1)
  const since = before?.readDate ?? m.meter.installDate
  const last = before?.curNum ?? m.meter.initNum
  if (since === undefined || last === undefined) return undefined
  const periods = earlier
    .slice(-3)
    .flatMap(r =>
      r.usage !== undefined && r.lastDate
        ? [{ usage: r.usage, days: daysBetween(r.lastDate, r.readDate) }]
        : [],
    )
  return estimateReading(periods, daysBetween(since, day), last, m.meter.multiple, m.meter.decimals)
}
