import type { PeriodUnit } from '#kit/contract/period-unit.ts'
import { addDays, addMonths, dayOf, partsOf, type Day } from '#kit/domain/day.ts'

export interface Period {
  readonly amount: number
  readonly unit: PeriodUnit
}

/** What ended before this day is kept no longer. */
export function retentionStart(today: Day, { amount, unit }: Period): Day {
  if (unit === 'day') return addDays(today, -amount)
  return addMonths(today, unit === 'month' ? -amount : -12 * amount)
}

/**
 * The last day on which records of law are kept: their years are counted from the end of the year in which
 * the last of them was made.
 */
export function keptUntil(last: Day, years: number): Day {
  const [year] = partsOf(last)
  return dayOf(Math.min(9999, year + years), 12, 31)
}

/** Why a period cannot be set. */
export function periodFault(
  amount: number,
  {
    min,
    max,
    label,
    basis,
  }: { readonly min: number; readonly max: number; readonly label: string; readonly basis: string },
  unitLabel: string,
): string | undefined {
  if (amount < min) return `「${label}」不能少于 ${min} ${unitLabel}（${basis}）`
  if (amount > max) return `「${label}」不能超过 ${max} ${unitLabel}`
  return undefined
}

/** Days in which a request is to be answered (GB/T 35273-2020 8.7). */
export const answerDays = 30
