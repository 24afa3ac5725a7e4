import { addDays } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, startOfDay, type Moment } from '#kit/domain/moment.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { CarKind } from '#modules/parking/contract/car-labels.ts'
import { isInForce, type MonthRight, type RightGroup } from '#modules/parking/contract/month-right.ts'

/** Kinds that pay at the exit; the others have a right of their own. */
export const paysByTime = (kind: CarKind): boolean =>
  kind === 'temp' || kind === 'visitor' || kind === 'stored'

interface GroupStay {
  readonly carKind: CarKind
  readonly groupId?: Id | undefined
  readonly chargedTo?: Moment | undefined
}

/** Whether a stay has a place of a group, which is free when it leaves; waiting ones have none (PRK-6). */
export const holdsPlace = (
  { carKind, groupId, chargedTo }: GroupStay,
  group: Pick<RightGroup, 'id'>,
): boolean => groupId === group.id && (!paysByTime(carKind) || chargedTo !== undefined)

/** Of a stay that is inside, what its fee depends on. */
export interface ChargedStay {
  readonly carKind: CarKind
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
  readonly carKind: CarKind
}

const laterOf = (a: Moment, b: Moment): Moment => (a > b ? a : b)
const earlierOf = (a: Moment, b: Moment): Moment => (a < b ? a : b)

/** A month right that ended while the car was inside: from the day after its last day (PRK-3). */
function spanAfterRight(stay: ChargedStay, right: MonthRight, exit: Moment): ChargedSpan | undefined {
  if (isInForce(right) || !right.endDate || dayOfMoment(exit) <= right.endDate) return undefined
  const from = laterOf(stay.inTime, startOfDay(addDays(right.endDate, 1)))
  return { from, to: exit, carKind: paysByTime(stay.carKind) ? stay.carKind : 'temp' }
}

/** A car for visitors that came in on its days pays by time like one with a reservation, but not for them. */
function cameOnRight({ carKind, inTime }: ChargedStay, { status, beginDate, endDate, ...right }: MonthRight) {
  const day = dayOfMoment(inTime)
  const isWithin = endDate !== undefined && day <= endDate && (beginDate === undefined || beginDate <= day)
  return status === 'expired' && right.carKind === carKind && isWithin
}

/** Which part of a stay is charged up to an exit, and as which kind; nothing where all of it is covered. */
export function chargedSpan(stay: ChargedStay, right: MonthRight, exit: Moment): ChargedSpan | undefined {
  if (!paysByTime(stay.carKind) || cameOnRight(stay, right)) return spanAfterRight(stay, right, exit)
  const isCoveredNow = isInForce(right) && !right.group
  const rightFrom = right.beginDate ? startOfDay(right.beginDate) : stay.inTime
  const to = isCoveredNow ? earlierOf(exit, laterOf(stay.inTime, rightFrom)) : exit
  const from = stay.chargedFrom ?? stay.inTime
  const end = stay.chargedTo ? earlierOf(to, stay.chargedTo) : to
  return end > from ? { from, to: end, carKind: stay.carKind } : undefined
}
