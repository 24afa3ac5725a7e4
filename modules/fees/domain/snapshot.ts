import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Decimal } from '#kit/domain/decimal.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { requireInRange, compileFormula } from './formula/formula.ts'
import { compare, fraction, zero, parseFraction, add, multiply, type Fraction } from './fraction.ts'
import { parseFactor, type ProrateMode } from './prorate.ts'
import { roundLine, type Rounding } from './rounding.ts'
import type { FormulaType } from './standard.ts'

/** A stretch of the bill's period with its own price and values (PRO-7). */
export interface SnapshotPart {
  readonly begin: Day
  readonly end: Day
  /** The standard's price version. */
  readonly version: Id
  readonly formula: string
  /** Every variable as it was; 月数 as a factor's text; empty where one was missing and not asked for. */
  readonly values: Readonly<Record<string, string>>
  readonly days?: number
  /** Months counted, `3+14/31`; absent where time does not multiply (PRO-5). */
  readonly factor?: string
  /** FEE-24, yuan, with the months it counts. */
  readonly extra?: Decimal
  readonly extraFactor?: string
}

/** A part of a pool: floor(total × weight ÷ weights) and the odd fen of the largest remainders (SHR-3). */
export interface PoolPart {
  readonly pool: number
  readonly total: Fen
  readonly weight: Decimal
  readonly weights: Decimal
  readonly odd: 0 | 1
  readonly unit: string
}

/**
 * Everything an amount was made of, as it was then: printing and disputes read it, nothing is looked up again
 * (FEE-8).
 */
export interface Snapshot {
  readonly type: FormulaType
  readonly mode?: ProrateMode
  readonly unit?: string
  readonly parts: readonly SnapshotPart[]
  readonly share?: PoolPart
  readonly least?: Fen
  readonly most?: Fen
  /** Whether they are only this payer's part of the period, where payers share its months. */
  readonly parted?: true
  /** Yuan before rounding, to ten digits. */
  readonly exact: Decimal
  readonly rounding: Rounding
  readonly amount: Fen
}

/** Yuan of one part, exact. */
export const computePartAmount = (part: SnapshotPart): Fraction => {
  const formula = compileFormula(part.formula, Object.keys(part.values))
  const base = requireInRange(
    formula.run(
      formula.variables.map(n => (part.values[n] ? parseFactorOrNumber(part.values[n]) : undefined)),
    ),
  )
  const main = part.factor === undefined ? base : multiply(base, parseFactor(part.factor))
  return part.extra === undefined
    ? main
    : add(main, multiply(parseFraction(part.extra), parseFactor(part.extraFactor ?? '1')))
}

const parseFactorOrNumber = (text: string): Fraction =>
  text.includes('/') || text.includes('+') ? parseFactor(text) : parseFraction(text)

/** Between the least and the most a line may be (FEE-2). */
export const clampAmount = (yuan: Fraction, min: Fen | undefined, max: Fen | undefined): Fraction => {
  const low = min === undefined ? yuan : fraction(min, 100)
  const high = max === undefined ? undefined : fraction(max, 100)
  const up = compare(yuan, low) < 0 ? low : yuan
  return high && compare(up, high) > 0 ? high : up
}

/** Recomputes the amount of a snapshot from its own content (FEE-8). Throws when it has been */
export function recompute(snapshot: Snapshot): Fen {
  if (snapshot.share) {
    const { total, weight, weights, odd: remainderFen } = snapshot.share
    const share = parseFraction(weight)
    const totalWeight = parseFraction(weights)
    return asFen(
      Number(
        (BigInt(total) * share.numerator * totalWeight.denominator) /
          (share.denominator * totalWeight.numerator),
      ) + remainderFen,
    )
  }
  const sum = snapshot.parts.map(computePartAmount).reduce(add, zero)
  return roundLine(clampAmount(sum, snapshot.least, snapshot.most), snapshot.rounding)
}
