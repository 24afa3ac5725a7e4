import { addDays, type Day } from '#kit/domain/day.ts'
import type { CarKind, CarState } from '../contract/labels.ts'
import { hasMonthRight } from './car-state.ts'

/**
 * `grace`: past its last day and let in all the same, marked as expired. `early`: its first day is to come.
 */
export type RightStatus = 'valid' | 'grace' | 'expired' | 'early' | 'none'

export interface RightFacts {
  readonly carKind: CarKind
  readonly carState: CarState
  readonly beginDate?: Day | undefined
  readonly endDate?: Day | undefined
  /** The car parks that it may enter; all where none is named. */
  readonly parkIds?: readonly string[] | undefined
}

/** PRK-3: what the days of a car give on a day in a car park. */
export function judgeMonthRight(facts: RightFacts, parkId: number, day: Day, graceDays: number): RightStatus {
  const { carKind, carState, beginDate, endDate, parkIds } = facts
  const isInUse = carState === 'normal' || carState === 'expired'
  const isForPark = !parkIds?.length || parkIds.includes(String(parkId))
  if (!isInUse || !isForPark || !hasMonthRight(carKind)) return 'none'
  if (beginDate && day < beginDate) return 'early'
  if (!endDate || day <= endDate) return 'valid'
  return day <= addDays(endDate, graceDays) ? 'grace' : 'expired'
}
