import { addDays, type Day } from '#kit/domain/day.ts'
import type { CarKind, CarState } from '../contract/car-labels.ts'
import type { RightStatus } from '../contract/month-right.ts'
import { hasMonthRight } from './car-state.ts'

export interface RightDays {
  readonly beginDate?: Day | undefined
  readonly endDate?: Day | undefined
}

export interface RightFacts extends RightDays {
  readonly carKind: CarKind
  readonly carState: CarState
  /** The car parks that it may enter; all where none is named. */
  readonly parkIds?: readonly string[] | undefined
}

function judgeDays({ beginDate, endDate }: RightDays, day: Day, graceDays: number): RightStatus {
  if (beginDate && day < beginDate) return 'early'
  if (!endDate || day <= endDate) return 'valid'
  return day <= addDays(endDate, graceDays) ? 'grace' : 'expired'
}

/** A car that is stopped, not checked yet or on the black list has no right, of its own or of a group. */
const isInUse = ({ carState }: RightFacts): boolean => carState === 'normal' || carState === 'expired'

/** PRK-3: what the days of a car give on a day in a car park. */
export function judgeMonthRight(facts: RightFacts, parkId: number, day: Day, graceDays: number): RightStatus {
  const { carKind, parkIds } = facts
  const isForPark = !parkIds?.length || parkIds.includes(String(parkId))
  if (!isInUse(facts) || !isForPark || !hasMonthRight(carKind)) return 'none'
  return judgeDays(facts, day, graceDays)
}

export interface SharedRight extends RightDays {
  readonly status: RightStatus
  /** It is on the right of its group. */
  readonly isOfGroup: boolean
}

/** The right of a car of a group: the group's while that is in force, whatever its own days are (PRK-6). */
export function joinGroupRight(
  own: RightDays & { readonly status: RightStatus },
  group: RightDays,
  day: Day,
): SharedRight {
  const ofGroup = {
    status: judgeDays(group, day, 0),
    beginDate: group.beginDate,
    endDate: group.endDate,
    isOfGroup: true,
  }
  if (ofGroup.status === 'valid') return ofGroup
  const lastedLonger =
    own.status === 'expired' && ofGroup.status === 'expired' && (group.endDate ?? '') > (own.endDate ?? '')
  return own.status === 'none' || lastedLonger
    ? { ...ofGroup, isOfGroup: false }
    : { status: own.status, beginDate: own.beginDate, endDate: own.endDate, isOfGroup: false }
}

/** By the right of a group a car drives in as a month car, unless it is one that never pays by time. */
export const kindInGroup = (kind: CarKind | undefined): CarKind =>
  kind !== undefined && kind !== 'visitor' && hasMonthRight(kind) ? kind : 'month'

export const canShareRight = (car: RightFacts | undefined): boolean => car === undefined || isInUse(car)
