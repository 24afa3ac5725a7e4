import { addDays } from '#kit/domain/day.ts'
import { dayOfMoment, startOfDay, type Moment } from '#kit/domain/moment.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { PassCarKind } from '../contract/choices.ts'
import { isInForce, type MonthRight } from './month-right.ts'

/** Kinds that pay at the exit; the others have a right of their own. */
export const paysByTime = (kind: PassCarKind): boolean =>
  kind === 'temp' || kind === 'visitor' || kind === 'stored'

/** Of a stay that is inside, what its fee depends on. */
export interface ChargedStay {
  readonly carKind: PassCarKind
  readonly inTime: Moment
  readonly chargedFrom?: Moment | undefined
  readonly chargedTo?: Moment | undefined
  readonly paid: Fen
  readonly discount: Fen
  readonly paidTime?: Moment | undefined
}

export interface ChargedSpan {
  readonly from: Moment
  readonly to: Moment
  readonly carKind: PassCarKind
}

const laterOf = (a: Moment, b: Moment): Moment => (a > b ? a : b)
const earlierOf = (a: Moment, b: Moment): Moment => (a < b ? a : b)

/** A month right that ended while the car was inside: from the day after its last day (PRK-3). */
function spanAfterRight(stay: ChargedStay, right: MonthRight, exit: Moment): ChargedSpan | undefined {
  if (isInForce(right) || !right.endDate || dayOfMoment(exit) <= right.endDate) return undefined
  const from = laterOf(stay.inTime, startOfDay(addDays(right.endDate, 1)))
  return { from, to: exit, carKind: 'temp' }
}

/** Which part of a stay is charged up to an exit, and as which kind; nothing where all of it is covered. */
export function chargedSpan(stay: ChargedStay, right: MonthRight, exit: Moment): ChargedSpan | undefined {
  if (!paysByTime(stay.carKind)) return spanAfterRight(stay, right, exit)
  const isCoveredNow = isInForce(right) && !right.group
  const rightFrom = right.beginDate ? startOfDay(right.beginDate) : stay.inTime
  const to = isCoveredNow ? earlierOf(exit, laterOf(stay.inTime, rightFrom)) : exit
  const from = stay.chargedFrom ?? stay.inTime
  const end = stay.chargedTo ? earlierOf(to, stay.chargedTo) : to
  return end > from ? { from, to: end, carKind: stay.carKind } : undefined
}
