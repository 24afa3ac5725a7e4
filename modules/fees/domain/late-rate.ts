import type { Decimal } from '#kit/domain/decimal.ts'
import { compareExact, parseExact } from '#kit/domain/exact.ts'

/** A fraction of what is owed, per day. */
const highRate = '0.001'

/** LATE-7: a rate above 0.1 % a day is worth a warning; courts reduce what they hold to be too much. */
export const isHighRate = (rate: Decimal): boolean => compareExact(parseExact(rate), parseExact(highRate)) > 0
