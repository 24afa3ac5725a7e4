import { keysOf, labelOf } from '#kit/contract/field.ts'
import type { Bill } from '../contract/bill.ts'
import { periodAfter } from '#modules/fees/contract/choices.ts'

export type PeriodAfter = (typeof periodAfterKeys)[number]
const periodAfterKeys = keysOf(periodAfter)
const optionOf = (value: PeriodAfter) => ({ value, label: labelOf(periodAfter, value) ?? '' })

/**
 * Asks what becomes of the days of abolished bills (GEN-3): the user states it, so only an undone batch has a
 * default.
 */
export const periodAfterChoice = (initial?: PeriodAfter) => ({
  label: '账期处理',
  options: periodAfterKeys.map(optionOf),
  ...(initial ? { initial } : {}),
})

/** Whether abolishing bills frees days of a charge; a fee by hand has none. */
export const freesPeriod = (rows: readonly Pick<Bill, 'relationId'>[]): boolean =>
  rows.some(row => row.relationId !== undefined)

/** The answer as calls want it: nothing where nothing was asked. */
export const chosenPeriodAfter = (chosen: string | undefined): { periodAfter?: PeriodAfter } => {
  const key = periodAfterKeys.find(each => each === chosen)
  return key ? { periodAfter: key } : {}
}
