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
