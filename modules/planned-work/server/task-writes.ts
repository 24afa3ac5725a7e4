import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { toInstant } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { code, touch } from '#kit/server/sql.ts'
import { taskState, workKind } from '../contract/choices.ts'
import type { TaskDraft } from './drafts.ts'
import type { StepDraft } from './kinds.ts'
import type { PlannedWork } from './work-context.ts'

export type StoredPlan = PlannedWork & { readonly id: Id }

export interface PlannedTask extends TaskDraft {
  readonly plan: StoredPlan
}

/** What is unique of a task (PAT-3). */
export const taskKey = (planId: Id, day: string, begin: string, targetId: Id, slot: Id): string =>
  `${planId}/${day}/${begin}/${targetId}/${slot}`

export const keyOfDraft = ({ plan, day, begin, targetId, slot }: PlannedTask): string =>
  taskKey(plan.id, day, begin, targetId, slot)

export const kindCode = (kind: PlannedWork['kind']): number => Number(codeOf(workKind, kind))

const idList = (ids: readonly Id[] | undefined): string | null => (ids ? `{${ids.join(',')}}` : null)

type ArrayValue = string | number | boolean | null

/** Columns of many rows for `unnest`, each by its type and what it holds. */
const unnested = <T>(
  rows: readonly T[],
  columns: readonly (readonly [type: string, valueOf: (row: T) => ArrayValue])[],
) =>
  sql.join(
    columns.map(([type, valueOf]) => sqlArray(type, rows.map(valueOf))),
    sql`, `,
  )

/** The columns of tasks: their keys, and what a plan that changed changes in a task that is not started. */
const columnsOf = (drafts: readonly PlannedTask[]) =>
  unnested(drafts, [
    ['bigint', draft => draft.plan.id],
    ['text', draft => draft.plan.projectCode],
    ['smallint', draft => kindCode(draft.plan.kind)],
    ['text', draft => draft.plan.planName],
    ['date', draft => draft.day],
    ['text', draft => draft.begin],
    ['text', draft => draft.end],
    ['text', draft => draft.close],
    ['text', draft => draft.remind ?? null],
    ['bigint', draft => draft.slot],
    ['bigint', draft => draft.staffId ?? null],
    ['text', draft => idList(draft.candidateIds)],
    ['text', draft => draft.nobodyReason ?? null],
    ['bigint', draft => draft.plan.subjectId],
    ['bigint', draft => draft.targetId],
    ['text', draft => draft.targetName ?? null],
    ['boolean', draft => draft.inOrder],
    ['integer', draft => draft.steps.length],
  ])

const columnNames = sql`
  plan_id, project_code, kind, plan_name, task_date, begin_time, end_time, close_time, remind_time, slot, staff_id,
  candidate_ids, nobody_reason, subject_id, target_id, target_name, in_order, step_total`

/** Makes tasks, those that are there already left as they are. Returns the new ones' ids by their key. */
export async function insertTasks(
  tx: Tx,
  scope: Scope,
  drafts: readonly PlannedTask[],
): Promise<ReadonlyMap<string, Id>> {
  if (!drafts.length) return new Map()
  const made = await tx.rows<{ id: Id; planId: Id; day: string; begin: string; targetId: Id; slot: Id }>(sql`
    insert into work_task (owner_id, create_by, update_by, create_time, update_time, ${columnNames})
    select ${scope.ownerId}::bigint, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint,
      ${scope.time}::timestamptz, ${scope.time}::timestamptz,
      plan_id, project_code, kind, plan_name, task_date, begin_time::timestamptz, end_time::timestamptz,
      close_time::timestamptz, remind_time::timestamptz, slot, staff_id, candidate_ids::text[], nobody_reason,
      subject_id, target_id, target_name, in_order, step_total
    from unnest(${columnsOf(drafts)}) as d(${columnNames})
    on conflict do nothing
    returning id, plan_id, task_date as day, begin_time as begin, target_id, slot
  `)
  return new Map(made.map(row => [taskKey(row.planId, row.day, row.begin, row.targetId, row.slot), row.id]))
}

/** Tasks that are not started take over what their plan says now; the same person is reminded once. */
export async function updateTasks(
  tx: Tx,
  scope: Scope,
  changes: readonly { readonly id: Id; readonly draft: PlannedTask }[],
): Promise<void> {
  if (!changes.length) return
  const drafts = changes.map(({ draft }) => draft)
  const ids = changes.map(({ id }) => id)
  await tx.execute(sql`
    update work_task t
    set plan_name = d.plan_name, begin_time = d.begin_time::timestamptz, delete_tag = 0, end_time = d.end_time::timestamptz, close_time = d.close_time::timestamptz,
      remind_time = case
        when d.remind_time::timestamptz > ${scope.time}::timestamptz or t.staff_id is distinct from d.staff_id
        then d.remind_time::timestamptz else t.remind_time end,
      staff_id = d.staff_id, candidate_ids = d.candidate_ids::text[],
      nobody_reason = d.nobody_reason, subject_id = d.subject_id, target_name = d.target_name, in_order = d.in_order,
      step_total = d.step_total, version = t.version + 1, update_by = ${scope.operatorId},
      update_time = ${scope.time}::timestamptz
    from (
      select *
      from unnest(${columnsOf(drafts)}, ${sqlArray('bigint', ids)})
        as d(${columnNames}, task_id)
    ) d
    where t.owner_id = ${scope.ownerId} and t.id = d.task_id and t.state = ${code(taskState, 'waiting')} and t.sign_time is null
  `)
}

/** Of a plan that is stopped, those given by hand: their steps go, and they come back with the plan. */
export async function hideTasks(tx: Tx, scope: Scope, ids: readonly Id[]): Promise<void> {
  if (!ids.length) return
  await tx.execute(sql`
    update work_task t
    set delete_tag = 1, ${touch(scope, 't')}
    where t.owner_id = ${scope.ownerId} and t.id = any(${[...ids]}::bigint[])
  `)
  await removeSteps(tx, scope.ownerId, ids)
}

interface TaskSteps {
  readonly taskId: Id
  readonly draft: PlannedTask
}

/** Lists of steps that are the same object are sent once: tasks of a plan share theirs. */
function templatesOf(tasks: readonly TaskSteps[]) {
  const numbers = new Map<readonly StepDraft[], number>()
  for (const { draft } of tasks) {
    if (!numbers.has(draft.steps)) {
      numbers.set(draft.steps, numbers.size)
    }
  }
  const steps = [...numbers].flatMap(([list, template]) =>
    list.map((step, i) => ({ ...step, template, sort: i + 1 })),
  )
  const stepRows = unnested(steps, [
    ['integer', step => step.template],
    ['integer', step => step.sort],
    ['bigint', step => step.subjectId],
    ['text', step => step.name],
    ['integer', step => step.offsetMinutes],
    ['integer', step => step.tolerance ?? null],
    ['integer', step => step.weight ?? 1],
    ['jsonb', step => (step.needs ? JSON.stringify(step.needs) : null)],
  ])
  const taskRows = unnested(tasks, [
    ['bigint', ({ taskId }) => taskId],
    ['text', ({ draft }) => draft.plan.projectCode],
    ['smallint', ({ draft }) => kindCode(draft.plan.kind)],
    ['date', ({ draft }) => draft.day],
    ['bigint', ({ draft }) => toInstant(draft.begin) / 1000],
    ['bigint', ({ draft }) => toInstant(draft.end) / 1000],
    ['integer', ({ draft }) => numbers.get(draft.steps) ?? 0],
  ])
  return { stepRows, taskRows }
}

/**
 * The steps of new tasks. The database multiplies: each list of steps is sent once, however many tasks have
 * it. Times as seconds since 1970: a time plus an interval is no constant to a distributed database.
 */
export async function insertSteps(tx: Tx, scope: Scope, tasks: readonly TaskSteps[]): Promise<void> {
  if (!tasks.length) return
  const { stepRows, taskRows } = templatesOf(tasks)
  const operator = sql`${scope.operatorId}::bigint`
  const time = sql`${scope.time}::timestamptz`
  await tx.rows(sql`
    with made as (
      insert into work_step (
        owner_id, create_by, update_by, create_time, update_time, project_code, kind, task_id, task_date, sort,
        subject_id, step_name, due_time, tolerance, weight, needs
      )
      select ${scope.ownerId}::bigint, ${operator}, ${operator}, ${time}, ${time}, t.project_code, t.kind, t.task_id,
        t.task_date, s.sort, s.subject_id, s.step_name,
        to_timestamp(case when s.tolerance is null then t.end_second else t.begin_second + s.shift_minutes * 60 end),
        s.tolerance, s.weight, s.needs
      from unnest(${taskRows}) as t(task_id, project_code, kind, task_date, begin_second, end_second, template)
      join unnest(${stepRows}) as s(template, sort, subject_id, step_name, shift_minutes, tolerance, weight, needs)
        on s.template = t.template
      on conflict do nothing
      returning id
    )
    select count(*)::int as count from made
  `)
}

/** Tasks that their plan no longer asks for, with their steps: only those that nobody has started. */
export async function removeTasks(tx: Tx, { ownerId }: Scope, ids: readonly Id[]): Promise<void> {
  if (!ids.length) return
  const removed = await tx.rows<{ id: Id }>(sql`
    delete from work_task
    where owner_id = ${ownerId} and id = any(${[...ids]}::bigint[]) and state = ${code(taskState, 'waiting')} and sign_time is null
    returning id
  `)
  await removeSteps(
    tx,
    ownerId,
    removed.map(({ id }) => id),
  )
}

export const removeSteps = (tx: Tx, ownerId: Id, taskIds: readonly Id[]): Promise<number> =>
  tx.execute(
    sql`delete from work_step where owner_id = ${ownerId} and task_id = any(${[...taskIds]}::bigint[])`,
  )
