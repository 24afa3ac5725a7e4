import type { Day, Id } from '#kit/contract/field.ts'
import type { CarKind, CarState } from './car-labels.ts'

/**
 * `grace`: past its last day and let in all the same, marked as expired. `early`: its first day is to come.
 */
export type RightStatus = 'valid' | 'grace' | 'expired' | 'early' | 'none'

/** Cars that share places in the car park on the day (PRK-6). */
export interface RightGroup {
  readonly id: Id
  readonly name: string
  /** M of N: at most so many of the plates are on the month right at once. */
  readonly placeCount: number
  readonly plateNos: readonly string[]
  readonly switchesOnLeave: boolean
}

/** What a plate may do in a car park on a day, before who is inside is counted. */
export interface MonthRight {
  readonly plateNo: string
  readonly carId?: Id | undefined
  /** As what it drives in on its right. */
  readonly carKind?: CarKind | undefined
  readonly carState?: CarState | undefined
  /** It is on the black list. */
  readonly blackReason?: string | undefined
  /** The days of the right: of the car, or of the group by which it has one. */
  readonly beginDate?: Day | undefined
  readonly endDate?: Day | undefined
  readonly placeId?: Id | undefined
  readonly status: RightStatus
  readonly group?: RightGroup | undefined
  /** Of one whose right has expired: it pays as a temporary one, or is refused. */
  readonly expiredEntry: 'temporary' | 'refused'
}

export const isInForce = ({ status }: Pick<MonthRight, 'status'>): boolean =>
  status === 'valid' || status === 'grace'
