import { addMonthsFrom, monthsSince, type Day } from '#kit/domain/day.ts'
import { fromFen, toFen, type Decimal } from '#kit/domain/decimal.ts'
import type { Period } from '#kit/domain/period.ts'
import { fraction, parseFraction, add, multiply, one } from './fraction.ts'
import { roundLine, defaultRounding } from './rounding.ts'
import type { Rent } from './standard.ts'

/**
 * Monthly rent on a day: every step compounds on the rent before and is rounded to the fen (LEA-3). T: 10 000
 * at 5 % → 10500, 11025, 11576.25.
 */
export function rentOn({ from, rent, every, rate, step }: Rent, day: Day): Decimal {
  const rises = every ? Math.max(0, Math.floor(monthsSince(from, day) / every)) : 0
  let fen = toFen(rent)
  for (let i = 0; i < rises; i++) {
    const now = fraction(fen, 100)
    fen = roundLine(
      rate !== undefined
        ? multiply(now, add(one, parseFraction(rate)))
        : add(now, parseFraction(step ?? '0')),
      defaultRounding,
    )
  }
  return fromFen(fen)
}

/** The days of a period on which the rent rises: they follow the contract's start, not the bill (LEA-3). */
export function rentIncreaseDays({ from, every }: Rent, period: Period): Day[] {
  if (!every) return []
  const out: Day[] = []
  for (let i = Math.max(1, Math.floor(monthsSince(from, period.begin) / every)); ; i++) {
    const day = addMonthsFrom(from, i * every)
    if (day > period.end) return out
    if (day > period.begin) {
      out.push(day)
    }
  }
}
