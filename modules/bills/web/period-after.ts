import { keysOf, labelOf } from '#kit/contract/field.ts'
import { periodAfter } from '#modules/fees/contract/choices.ts'

export type PeriodAfter = (typeof periodAfterKeys)[number]
const periodAfterKeys = keysOf(periodAfter)
const undecided = ''

const optionOf = (value: PeriodAfter) => ({ value, label: labelOf(periodAfter, value) ?? '' })

/** Asks what becomes of the days of abolished bills (GEN-3). */
export const periodAfterChoice = (initial: PeriodAfter | '' = undecided) => ({
  label: '账期处理',
  options: [
    ...periodAfterKeys.map(optionOf),
    ...(initial === undecided ? [{ value: undecided, label: '以后再定（列入漏账检查）' }] : []),
  ],
  initial,
})

/** The answer as calls want it: nothing where it was left open. */
export const chosenPeriodAfter = (chosen: string | undefined): { periodAfter?: PeriodAfter } => {
  const key = periodAfterKeys.find(each => each === chosen)
  return key ? { periodAfter: key } : {}
}
