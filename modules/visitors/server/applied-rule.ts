import type { Id } from '#kit/domain/id.ts'
import { invalidField, refuse } from '#kit/contract/wire.ts'
import { labelOf } from '#kit/contract/field.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, requireById } from '#kit/server/table.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { visitorKind, type CheckType, type VisitorKind } from '../contract/choices.ts'
import { inviteRule, type InviteRule } from '../contract/rule.ts'
import { applicableRules } from '../domain/applicable-rule.ts'
import { strictest } from '../domain/consent.ts'
import { checkTypesOf } from './check-type.ts'
import type { Host } from './hosts.ts'

export interface AppliedRule {
  readonly rule: InviteRule
  readonly checkType: CheckType
}

const rulesOf = (db: Db, scope: Scope, projectCode: string): Promise<InviteRule[]> =>
  findAll(
    db,
    inviteRule,
    scope,
    { projectCode, order: 'id' },
    { where: [sql`t.state = ${code(enabledState, 'on')}`] },
  )

/** What a host may invite under, by the kind of visitor; kinds that no rule lets in are left out. */
export async function rulesByKind(
  db: Db,
  scope: Scope,
  host: Host,
): Promise<ReadonlyMap<VisitorKind, readonly AppliedRule[]>> {
  const rules = await rulesOf(db, scope, host.projectCode)
  const kinds = await checkTypesOf(db, scope, host.projectCode)
  return new Map(
    kinds.flatMap(kind => {
      const found = kind.isEnabled ? applicableRules(rules, host, kind.visitorKind) : []
      const applied = found.map(rule => ({ rule, checkType: strictest(rule.checkType, kind.checkType) }))
      return applied.length ? [[kind.visitorKind, applied]] : []
    }),
  )
}

/** The rule for a visit: the one that was chosen, else the most precise of those that fit. */
export async function requireRule(
  db: Db,
  scope: Scope,
  host: Host,
  kind: VisitorKind,
  ruleId?: Id,
): Promise<AppliedRule> {
  const found = (await rulesByKind(db, scope, host)).get(kind)
  if (!found) return refuse(`本项目没有可邀请「${labelOf(visitorKind, kind)}」的规则，请联系物业`)
  const applied = ruleId === undefined ? found[0] : found.find(({ rule }) => rule.id === ruleId)
  if (!applied) throw invalidField('RuleID', '所选规则不适用于这次邀访，请重新选择或不选')
  return applied
}

/** The rule that an invitation has already, for what it is changed to. */
export async function ruleOfInvitation(
  db: Db,
  scope: Scope,
  { projectCode, ruleId }: { readonly projectCode: string; readonly ruleId: Id },
  kind: VisitorKind,
): Promise<AppliedRule> {
  const rule = await requireById(db, inviteRule, scope, ruleId)
  const kinds = await checkTypesOf(db, scope, projectCode)
  const own = kinds.find(({ visitorKind: each }) => each === kind)
  if (!own?.isEnabled || (rule.visitorKinds?.length && !rule.visitorKinds.includes(kind)))
    throw invalidField('VisitorKind', `原邀请规则不适用于「${labelOf(visitorKind, kind)}」，请取消后重新邀请`)
  return { rule, checkType: strictest(rule.checkType, own.checkType) }
}
