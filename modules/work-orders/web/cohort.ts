import type { Day } from '#kit/domain/day.ts'
import { paths } from '../module.ts'

/** The orders that the statistics are about: those registered in a period. */
export interface Cohort {
  readonly dayFrom: Day
  readonly dayTo: Day
  readonly typeIds?: readonly string[]
}

/** The list of orders that a figure counts. */
export const figurePath = (query: string): string => `${paths.record}?${query}&view=all`
