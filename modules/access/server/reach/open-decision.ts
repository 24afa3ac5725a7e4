import type { Day } from '#kit/domain/day.ts'
import type { Right } from './rights.ts'

/** ACS-2, at one moment. */
export type OpenDecision =
  | {
      readonly isAllowed: true
      readonly reason: string
      readonly untilDate?: Day | undefined
      readonly right?: Right
    }
  | { readonly isAllowed: false; readonly reason: string }
