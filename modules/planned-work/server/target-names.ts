import type { Id } from '#kit/domain/id.ts'
import type { Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { TargetType } from '../contract/choices.ts'
import { findTargetRules } from './kinds.ts'
import { idsOf, targetTypeOf, type PlannedWork } from './work-context.ts'

const seesWholeProject = ({ domain }: Pick<Scope, 'domain'>, projectCode: string): boolean =>
  domain.all || domain.projects.get(projectCode) === null

async function loadNames(db: Db, scope: Scope, plans: readonly PlannedWork[]) {
  const byType = new Map<TargetType | undefined, ReadonlyMap<Id, string>>()
  for (const [type, ofType] of Map.groupBy(plans, targetTypeOf)) {
    const ids = [...new Set(ofType.flatMap(plan => idsOf(plan.targetIds)))]
    const rules = type && findTargetRules(type)
    if (!rules || !ids.length) continue
    const found = await rules.load(db, scope, { ids, caller: scope })
    byType.set(type, new Map(found.map(target => [target.id, target.name])))
  }
  return byType
}

/** What plans are about: names of objects; of those in other buildings the number alone (PERM-6). */
export async function loadTargetNames(
  db: Db,
  scope: Scope,
  plans: readonly PlannedWork[],
): Promise<(plan: PlannedWork) => string> {
  const byType = await loadNames(db, scope, plans)
  return plan => {
    const names = idsOf(plan.targetIds).map(id => byType.get(targetTypeOf(plan))?.get(id))
    const shown = names.filter(name => name !== undefined)
    const missing = names.length - shown.length
    if (!missing) return shown.join('、')
    return seesWholeProject(scope, plan.projectCode)
      ? names.map(name => name ?? '已停用或删除').join('、')
      : [...shown, `另 ${missing} 处不在数据范围内`].join('、')
  }
}
