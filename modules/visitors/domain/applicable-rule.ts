import type { Relation } from '#modules/residents/contract/relation.ts'
import type { HostType, VisitorKind } from '../contract/choices.ts'
import type { InviteRule } from '../contract/rule.ts'

export interface Inviter {
  readonly hostType: HostType
  readonly relation?: Relation | undefined
  readonly buildCode?: string | undefined
}

type RuleScope = Pick<InviteRule, 'hostTypes' | 'relations' | 'buildCodes' | 'visitorKinds' | 'state'>

const names = <T>(list: readonly T[] | undefined, value: T | undefined): boolean =>
  !list?.length || (value !== undefined && list.includes(value))

/** Whether a rule lets somebody invite at all (VIS-1). */
export const isFor = (rule: RuleScope, { hostType, relation, buildCode }: Inviter): boolean =>
  rule.state === 'on' &&
  rule.hostTypes.includes(hostType) &&
  (hostType !== 'resident' || names(rule.relations, relation)) &&
  (hostType === 'staff' || names(rule.buildCodes, buildCode))

const precision = ({ relations, buildCodes, visitorKinds }: RuleScope): number =>
  [visitorKinds, buildCodes, relations].filter(list => list?.length).length

/** The rules for this kind of visitor, the one that says most first. */
export const applicableRules = <R extends RuleScope>(
  rules: readonly R[],
  inviter: Inviter,
  kind: VisitorKind,
): R[] =>
  rules
    .filter(rule => isFor(rule, inviter) && names(rule.visitorKinds, kind))
    .toSorted((a, b) => precision(b) - precision(a))
