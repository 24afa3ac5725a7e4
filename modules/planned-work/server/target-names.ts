import type { Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { idsOf, loadTargets, targetTypeOf, type PlannedWork } from './work-context.ts'

const seesWholeProject = ({ domain }: Pick<Scope, 'domain'>, projectCode: string): boolean =>
  domain.all || domain.projects.get(projectCode) === null

/** What plans are about: names of objects; of those in other buildings the number alone (PERM-6). */
export async function loadTargetNames(
  db: Db,
  scope: Scope,
  plans: readonly PlannedWork[],
): Promise<(plan: PlannedWork) => string> {
  const byType = await loadTargets(db, scope.ownerId, plans, scope)
  return plan => {
    const type = targetTypeOf(plan)
    const found = type && byType.get(type)
    const names = idsOf(plan.targetIds).map(id => found?.get(id)?.name)
    const shown = names.filter(name => name !== undefined)
    const missing = names.length - shown.length
    if (!missing) return shown.join('、')
    return seesWholeProject(scope, plan.projectCode)
      ? names.map(name => name ?? '已停用或删除').join('、')
      : [...shown, `另 ${missing} 处不在数据范围内`].join('、')
  }
}
