import { exactToFen } from '#kit/domain/decimal.ts'
import type { RoundingMode } from '#kit/domain/exact.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { roundType, roundUnit } from '../contract/choices.ts'
import { roundTo, type Fraction } from './fraction.ts'

/** How a line becomes fen: the mode and the digits kept (FEE-3). */
export interface Rounding {
  readonly type: ChoiceOf<typeof roundType>
  readonly unit: ChoiceOf<typeof roundUnit>
}

const roundingModes: Readonly<Record<Rounding['type'], RoundingMode>> = {
  halfUp: 'half-up',
  up: 'ceil',
  down: 'floor',
  halfEven: 'half-even',
}

const decimalDigits: Readonly<Record<Rounding['unit'], number>> = { fen: 2, jiao: 1, yuan: 0 }

/**
 * Yuan → fen, the one rounding of a bill line (FEE-2, FEE-4). T-FEE-02: 223.575 → 223.58, down 223.57, 角
 * 223.6, 元 224.
 */
export const roundLine = (yuan: Fraction, { type, unit }: Rounding): Fen =>
  exactToFen(roundTo(yuan, decimalDigits[unit], roundingModes[type]))

export const defaultRounding: Rounding = { type: 'halfUp', unit: 'fen' }
