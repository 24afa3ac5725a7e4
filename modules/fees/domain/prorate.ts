import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import {
  daysOf,
  intersect,
  splitByAnniversary,
  splitByMonth,
  subtract,
  type Period,
  type PeriodPiece,
} from '#kit/domain/period.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { prorateMode } from '../contract/choices.ts'
import { fraction, zero, add, one, type Fraction } from './fraction.ts'

export type ProrateMode = ChoiceOf<typeof prorateMode>

/** n of the N days of a month, 0 < n < N; a full month is 1 in every mode (C2.4). */
const partialMonthFactors: Readonly<
  Record<ProrateMode, (n: number, of: number) => readonly [number, number]>
> = {
  actual: (n, of) => [n, of],
  thirty: n => (n >= 30 ? [1, 1] : [n, 30]),
  year: n => [n * 12, 365],
  whole: () => [1, 1],
  half: n => (n <= 15 ? [1, 2] : [1, 1]),
  none: () => [0, 1],
}

/**
 * Months as a number: exact, and as a resident reads it: `3+14/31` (never reduced, so that days stay days).
 */
export interface Factor {
  readonly value: Fraction
  readonly text: string
}

/** A stretch's share of one month: its own charged days, the month's length and the factor they make. */
export interface MonthShare {
  readonly begin: Day
  readonly end: Day
  readonly days: number
  readonly of: number
  readonly numerator: number
  readonly denominator: number
}

/** Calendar months, or months of the anchor under anniversary cycles (PRO-1, PRO-2). */
const splitIntoMonths = (p: Period, anchor: Day | undefined): readonly PeriodPiece[] =>
  anchor === undefined ? splitByMonth(p) : splitByAnniversary(p, anchor)

/**
 * How many months each stretch of a period counts, month by month. A month's factor comes from all its
 * charged days and is shared by days among the stretches in it: cutting a period changes no total, and a full
 * month stays 1 in every mode (PRO-1, PRO-7). Days in `free` are not charged (CYC-7).
 */
export function monthShares(
  period: Period,
  mode: ProrateMode,
  stretches: readonly Period[],
  free: readonly Period[],
  anchor?: Day,
): MonthShare[][] {
  const out: MonthShare[][] = stretches.map(() => [])
  for (const month of splitIntoMonths(period, anchor)) {
    const charged = free.length ? subtract(month, ...free) : [month]
    const count = charged.reduce((sum, c) => sum + daysOf(c), 0)
    if (count === 0) continue
    const [numerator, denominator] =
      count >= month.daysInMonth ? [1, 1] : partialMonthFactors[mode](count, month.daysInMonth)
    stretches.forEach((span, i) => {
      const chargedParts = charged.flatMap(c => intersect(c, span) ?? [])
      const days = chargedParts.reduce((sum, c) => sum + daysOf(c), 0)
      if (days === 0) return
      const share = {
        begin: defined(chargedParts[0]).begin,
        end: defined(chargedParts.at(-1)).end,
        days,
        of: month.daysInMonth,
      }
      if (days === count) {
        defined(out[i]).push({ ...share, numerator, denominator })
      } else if (numerator === count) {
        defined(out[i]).push({ ...share, numerator: days, denominator })
      } else {
        defined(out[i]).push({ ...share, numerator: numerator * days, denominator: denominator * count })
      }
    })
  }
  return out
}

/** The sum of shares: whole months first, then each fraction. */
export function sumShares(shares: readonly MonthShare[]): Factor {
  const wholes = shares.filter(s => s.numerator === s.denominator).length
  const rest = shares.filter(s => s.numerator !== s.denominator && s.numerator !== 0)
  const text = [
    ...(wholes || !rest.length ? [String(wholes)] : []),
    ...rest.map(s => `${s.numerator}/${s.denominator}`),
  ].join('+')
  return {
    text,
    value: rest.reduce<Fraction>(
      (sum, s) => add(sum, fraction(s.numerator, s.denominator)),
      fraction(wholes),
    ),
  }
}

export const singleMonth: Factor = { value: one, text: '1' }

/** `3+14/31`, `14/28` → the number. Throws RangeError on anything else. */
export function parseFactor(text: string): Fraction {
  let sum = zero
  for (const term of text.split('+')) {
    const m = /^(\d{1,60})(?:\/([1-9]\d{0,59}))?$/.exec(term)
    if (!m) throw new RangeError(`“${text.slice(0, 40)}”不是系数`)
    sum = add(sum, fraction(BigInt(defined(m[1])), BigInt(m[2] ?? 1)))
  }
  return sum
}

/** Months of a whole period in one stretch. T-PRO-01: 03-18 … 03-31 by actual days → 14/31. */
export const countMonths = (
  period: Period,
  mode: ProrateMode,
  free: readonly Period[] = [],
  anchor?: Day,
): Factor => sumShares(defined(monthShares(period, mode, [period], free, anchor)[0]))
