import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import type { PassCarKind } from '../contract/choices.ts'

/** `grace`: past its last day and let in all the same. `early`: its first day is to come. */
export type RightStatus = 'valid' | 'grace' | 'expired' | 'early' | 'none'

/** Cars that share places: at most so many of them are on the month right at once (PRK-6). */
export interface RightGroup {
  readonly id: Id
  readonly placeCount: number
  readonly switchesOnLeave: boolean
}

/** What a plate may do in a car park on a day, before who is inside is counted. */
export interface MonthRight {
  readonly carKind?: PassCarKind | undefined
  /** It is on the black list. */
  readonly blackReason?: string | undefined
  readonly beginDate?: Day | undefined
  readonly endDate?: Day | undefined
  readonly status: RightStatus
  readonly group?: RightGroup | undefined
  /** Of one whose right has expired: it pays as a temporary one, or is refused. */
  readonly expiredEntry: 'temporary' | 'refused'
}

export const noRight: MonthRight = { status: 'none', expiredEntry: 'temporary' }

export const isInForce = ({ status }: MonthRight): boolean => status === 'valid' || status === 'grace'
