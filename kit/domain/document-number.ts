import type { Id } from '#kit/domain/id.ts'
import { padDigits, type Day } from './day.ts'

/** `ZD20261123000001`: prefix, day, six digits, more of them once those are used up (G-14). */
export const formatDocumentNumber = (prefix: string, day: Day, n: number): string =>
  `${prefix}${day.replaceAll('-', '')}${padDigits(n, 6)}`

/** Whether a number is of that form: those given out before were shorter, and unique in the installation. */
export const isDailyNumber = (number: string): boolean => /^[A-Z]+20\d{6}\d{6,}/.test(number)

/**
 * What a number is called outside: companies count for themselves, and some share an account with a channel,
 * to which one number is one document. Letters, digits and `_` are what every channel takes, 32 of them.
 */
export const outerNumberOf = (number: string, ownerId: Id): string => `${number}_${ownerId}`

/** Our own number of what the outside names; others are left as they are. */
export function ownNumberOf(outerNumber: string, ownerId: Id): string {
  const ending = `_${ownerId}`
  return outerNumber.endsWith(ending) ? outerNumber.slice(0, -ending.length) : outerNumber
}
