import type { Id } from '#kit/domain/id.ts'
import { refuse } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import { reads, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findAll, findByIds, requireById } from '#kit/server/table.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { standardCategory } from '../contract/choices.ts'
import { getStandardTree, taskStandard, taskStandards, type TaskStandard } from '../contract/standard.ts'
import { menu, paths } from '../module.ts'
import { orderOfFinding } from './finding-order.ts'
import { lockGeneration, rebuildTasks } from './generate.ts'
import { standardFaults, stepsOfItems } from './item-steps.ts'
import { registerPlansOf } from './kind-server.ts'
import { registerWorkKind, type Finding, type WorkSubject } from './kinds.ts'

type StandardItems = NonNullable<TaskStandard['items']>

async function loadSubjects(
  db: Db,
  { ownerId }: Pick<Scope, 'ownerId'>,
  keys: readonly { readonly subjectId: Id }[],
): Promise<ReadonlyMap<Id, WorkSubject>> {
  const rows = await db.rows<{ id: Id; name: string; items?: StandardItems }>(sql`
    select id, standard_name as name, items
    from task_standard
    where owner_id = ${ownerId}
      and id = any(${[...new Set(keys.map(({ subjectId }) => subjectId))]}::bigint[])
      and state = ${code(enabledState, 'on')}
      and ${notDeleted()}
  `)
  return new Map(rows.map(({ id, name, items = [] }) => [id, { name, steps: stepsOfItems(items) }]))
}

/** PAT-8: by the type that the standard names. */
async function orderFinding(c: WriteContext, finding: Finding): Promise<Id | undefined> {
  const [standard] = await findByIds(c.tx, taskStandard, c.scope, [finding.task.subjectId])
  return orderOfFinding(c, finding, standard?.orderTypeId)
}

registerWorkKind('standard', {
  needs: menu.plan.permissions.execute,
  viewNeeds: menu.plan.permissions.view,
  arrangeNeeds: menu.plan.permissions.arrange,
  taskPath: paths.task,
  link: ({ id }) => `${paths.task}?id=${id}`,
  loadSubjects,
  onFinding: orderFinding,
})

registerPlansOf('standard', 'taskStandard', '任务计划')
registerDependentRows('taskStandard', {
  label: '下级标准',
  table: 'task_standard',
  names: 'standard_name',
  keepsInUse: sql`state = ${code(enabledState, 'on')}`,
  where: (standard: TaskStandard) => sql`parent_id = ${standard.id}`,
})

/** A standard is under no standard of its own. */
async function assertNoCircle({ tx, scope }: WriteContext, id: Id, parentId: Id | undefined): Promise<void> {
  const seen = new Set([id])
  for (let next = parentId; next !== undefined;) {
    if (seen.has(next)) refuse('上级标准不能是自身或其下级')
    seen.add(next)
    next = (await requireById(tx, taskStandard, scope, next)).parentId
  }
}

/** A standard and all that are under it. */
export const standardBranch = (id: Id, { ownerId }: Pick<Scope, 'ownerId'>) => sql`(
  with recursive branch as (
    select id
    from task_standard
    where owner_id = ${ownerId} and id = ${id}
    union
    select s.id
    from task_standard s
    join branch b on s.parent_id = b.id
    where s.owner_id = ${ownerId} and ${notDeleted('s')}
  )
  select id from branch
)`

export const standardServer = crudHandlers(taskStandards, {
  lock: ({ tx, scope }) => lockGeneration(tx, scope),
  filter: ({ underId }, { scope }) =>
    underId === undefined ? [] : [sql`t.id in ${standardBranch(underId, scope)}`],
  unique: { task_standard_name_live: '同一上级下已有此名称，请更换' },
  enrich: async rows => rows.map(row => ({ ...row, itemCount: row.items?.length ?? 0 })),
  check: async (draft, c, before) => {
    if (before && draft.parentId !== undefined) {
      await assertNoCircle(c, before.id, draft.parentId)
    }
    return standardFaults(c, taskStandard, draft, before)
  },
  afterUpdate: (row, c) => rebuildTasks(c, 'standard', [row.id]),
})

type Node = NonNullable<typeof getStandardTree.output.T>[number]

export const standardHandlers = [
  reads(getStandardTree, async ({ category }, { db, scope }) => {
    const rows = await findAll(
      db,
      taskStandard,
      scope,
      {},
      {
        where: [
          sql`t.state = ${code(enabledState, 'on')}`,
          ...(category ? [sql`t.category = ${code(standardCategory, category)}`] : []),
        ],
      },
    )
    const ids = new Set(rows.map(({ id }) => id))
    // What is under one that is off or of another category is at the top.
    const byParent = Map.groupBy(rows, ({ parentId }) => (parentId && ids.has(parentId) ? parentId : 0))
    const nodesUnder = (parentId: Id): readonly Node[] =>
      (byParent.get(parentId) ?? []).map(({ id, standardName, category: own, items }) => ({
        id,
        standardName,
        category: own,
        itemCount: items?.length ?? 0,
        children: nodesUnder(id),
      }))
    return nodesUnder(0)
  }),
]
