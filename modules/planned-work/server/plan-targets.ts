import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { columnOf } from '#kit/contract/entity.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { getEntity } from '#kit/server/registry.ts'
import { findTargetRules, requireWorkKind } from './kinds.ts'
import { idsOf, targetTypeOf, type PlannedWork, type WorkContext } from './work-context.ts'

const maxNames = 3

/** What objects of the plan's own project are called that are switched off or deleted by now. */
async function findUnusedNames(
  db: Db,
  ownerId: Id,
  { projectCode }: PlannedWork,
  entityName: string,
  ids: readonly Id[],
): Promise<string[]> {
  const { table, title } = getEntity(entityName)
  const rows = await db.rows<{ name: string }>(sql`
    select ${sql.id(columnOf(defined(title)))} as name
    from ${sql.table(table)}
    where owner_id = ${ownerId} and project_code = ${projectCode} and id = any(${[...ids]}::bigint[])
    order by id
  `)
  return rows.map(({ name }) => name)
}

const listed = (names: readonly string[]): string =>
  `${names
    .slice(0, maxNames)
    .map(name => `「${name}」`)
    .join('、')}${names.length > maxNames ? `等 ${names.length} 个` : ''}`

/** What is wrong with the objects of a plan: asked before it is saved, previewed or enabled. */
export async function targetFaults(
  db: Db,
  ownerId: Id,
  plan: PlannedWork,
  context: Pick<WorkContext, 'targetOf'>,
): Promise<FieldFault[]> {
  const fault = (Message: string): FieldFault[] => [{ Field: 'TargetIDs', Message }]
  const type = targetTypeOf(plan)
  const rules = type && findTargetRules(type)
  const ids = idsOf(plan.targetIds)
  if (!ids.length)
    return requireWorkKind(plan.kind).targetType ? fault(`请选择${rules?.label ?? '对象'}`) : []
  const missing = ids.filter(id => context.targetOf(plan, id)?.projectCode !== plan.projectCode)
  if (!missing.length) return []
  const unused = rules ? await findUnusedNames(db, ownerId, plan, rules.entity, missing) : []
  return unused.length
    ? fault(`${rules?.label}${listed(unused)}已停用或删除，请先启用或在计划中更换`)
    : fault('对象不存在或不属于该项目，请重新选择')
}
