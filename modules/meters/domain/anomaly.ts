import { addDays, type Day } from '#kit/domain/day.ts'
import type { Decimal } from '#kit/domain/decimal.ts'
import { compareExact, parseExact, sumExact, multiplyExact, exactOf } from '#kit/domain/exact.ts'
import { daysIn, firstDay, type Month } from '#kit/domain/month.ts'
import type { Period } from '#kit/domain/period.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { anomaly } from '../contract/choices.ts'

export type Anomaly = ChoiceOf<typeof anomaly>

export interface UsageHistory {
  /** Usages of the periods before, newest first; the newest three count. */
  readonly recent: readonly Decimal[]
  readonly sameMonthLastYear?: Decimal | undefined
  /** The plan's days for reading (MTR-16). */
  readonly window?: Period | undefined
}

/**
 * MTR-8: what is unusual about a usage and should be checked before it is billed; it blocks nothing by
 * itself.
 */
export function detectAnomalies(usage: Decimal, day: Day, history: UsageHistory): Anomaly[] {
  const exactUsage = parseExact(usage)
  const lastThree = history.recent.slice(0, 3).map(parseExact)
  const anomalies: Anomaly[] = []
  if (exactUsage.units === 0n) {
    anomalies.push('zero')
  }
  if (exactUsage.units < 0n) {
    anomalies.push('negative')
  }
  // x > 3 × Σ/n, without dividing: x × n > 3 × Σ.
  if (
    lastThree.length &&
    compareExact(
      multiplyExact(exactUsage, exactOf(lastThree.length)),
      multiplyExact(exactOf(3), sumExact(lastThree)),
    ) > 0
  ) {
    anomalies.push('high')
  }
  if (
    history.sameMonthLastYear !== undefined &&
    compareExact(exactUsage, multiplyExact(exactOf(2), parseExact(history.sameMonthLastYear))) > 0
  ) {
    anomalies.push('jump')
  }
  if (history.window && (day < history.window.begin || day > history.window.end)) {
    anomalies.push('late')
  }
  return anomalies
}

/**
 * MTR-16: the days in which a month is read: from the read day (a short month's last one) for so many days.
 */
export function computeWindow(month: Month, readDay: number, days: number): Period {
  const begin = addDays(firstDay(month), Math.min(readDay, daysIn(month)) - 1)
  return { begin, end: addDays(begin, Math.max(1, days) - 1) }
}

/** Why a reading of this day is not in a strict plan's window; undefined when it is. */
export const windowRefusal = (window: Period, day: Day): string | undefined =>
  day < window.begin || day > window.end
    ? `抄表期为 ${window.begin} 至 ${window.end}，超期不能录入`
    : undefined
