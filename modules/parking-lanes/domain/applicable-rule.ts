import type { Day } from '#kit/domain/day.ts'
import type { CarKind } from '#modules/parking/contract/car-labels.ts'
import type { ParkFeeRule } from '../contract/fee-rule.ts'
import type { FeeTerms } from './fee-terms.ts'
import type { FeeSchedule } from './stay-fee.ts'

type RuleFacts = Pick<ParkFeeRule, 'carKinds' | 'effectiveDate' | 'appliesOn' | 'state'>

const isNamed = ({ carKinds }: RuleFacts, kind: CarKind): boolean => carKinds?.includes(kind) ?? false
const isForAll = ({ carKinds }: RuleFacts): boolean => !carKinds?.length

/** The version in force on a day: a rule that names the kind before one for all kinds, then the latest. */
export function applicableRule<T extends RuleFacts>(
  rules: readonly T[],
  kind: CarKind,
  day: Day,
  appliesOn: ParkFeeRule['appliesOn'] = 'every',
): T | undefined {
  const inForce = rules
    .filter(rule => rule.state === 'on' && rule.appliesOn === appliesOn && rule.effectiveDate <= day)
    .toSorted((a, b) => (a.effectiveDate < b.effectiveDate ? 1 : -1))
  return inForce.find(rule => isNamed(rule, kind)) ?? inForce.find(isForAll)
}

/** The kinds that a stay may be priced as: a month car whose right has ended pays as a temporary one. */
const pricedKinds: readonly CarKind[] = ['temp', 'visitor', 'stored']

/** From which day on stays of a kind are priced. */
const pricedFrom = (rules: readonly RuleFacts[], kind: CarKind): Day | undefined =>
  rules
    .filter(rule => rule.state === 'on' && rule.appliesOn === 'every')
    .filter(rule => isNamed(rule, kind) || isForAll(rule))
    .map(rule => rule.effectiveDate)
    .toSorted((a, b) => (a < b ? -1 : 1))[0]

/** Days on which a kind was priced and is not any more. */
export interface PriceGap {
  readonly kind: CarKind
  readonly from: Day
  /** The day from which it is priced again. */
  readonly until?: Day | undefined
}

/** What other rules would leave without a price. */
export const priceGaps = (before: readonly RuleFacts[], after: readonly RuleFacts[]): readonly PriceGap[] =>
  pricedKinds.flatMap(kind => {
    const from = pricedFrom(before, kind)
    const until = pricedFrom(after, kind)
    return from !== undefined && (until === undefined || until > from) ? [{ kind, from, until }] : []
  })

export const isInGap = ({ from, until }: PriceGap, day: Day): boolean =>
  from <= day && (until === undefined || day < until)

export const termsOf = (rule: ParkFeeRule, kind: CarKind): FeeTerms => ({
  ...rule,
  factorPercent: rule.factors?.find(factor => factor.carKind === kind)?.percent,
})

export interface RuledSchedule {
  readonly rule: ParkFeeRule
  readonly schedule: FeeSchedule
}

/** What a stay that begins on a day is priced by; nothing where the car park has no rule for it. */
export function scheduleOf(
  rules: readonly ParkFeeRule[],
  kind: CarKind,
  day: Day,
  isHoliday: (day: Day) => boolean,
): RuledSchedule | undefined {
  const rule = applicableRule(rules, kind, day)
  if (!rule) return undefined
  const holidayRule = applicableRule(rules, kind, day, 'holiday')
  return {
    rule,
    schedule: {
      terms: termsOf(rule, kind),
      ...(holidayRule ? { holidayTerms: termsOf(holidayRule, kind), isHoliday } : {}),
    },
  }
}

/** Two rules of a car park from the same day on, for one kind of car: nobody could tell which counts. */
export const isSameScope = (a: RuleFacts, b: RuleFacts): boolean =>
  a.effectiveDate === b.effectiveDate &&
  a.appliesOn === b.appliesOn &&
  (isForAll(a) ? isForAll(b) : (a.carKinds ?? []).some(kind => isNamed(b, kind)))
