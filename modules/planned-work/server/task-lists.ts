import type { Id } from '#kit/domain/id.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { Page } from '#kit/contract/shape.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, flagFilter, notDeleted } from '#kit/server/sql.ts'
import { findAll, findByIds, findPage, type FindOptions, type TableQuery } from '#kit/server/table.ts'
import { taskState, workKind, type WorkKind } from '../contract/choices.ts'
import { taskFilters, type taskSearch } from '../contract/task-calls.ts'
import {
  workSign,
  workStep,
  workTask,
  type WorkSign,
  type WorkStep,
  type WorkTask,
} from '../contract/task.ts'
import type { Condition } from './kinds.ts'
import { awaitsAgainCondition, staffConditions } from './task-conditions.ts'
import { idsOf, loadStaff } from './work-context.ts'
import { requireWorker } from './worker.ts'

const ofKind = (kind: WorkKind): Condition => sql`t.kind = ${code(workKind, kind)}`

interface AgainTask {
  readonly taskId: Id
  readonly name: string
  readonly begin: Moment
}

/** Whom tasks were given to again, by the task: `丙工 11-29 20:00`. What was disabled since does not count. */
export async function loadAgainTexts(
  db: Db,
  { ownerId }: Pick<Scope, 'ownerId'>,
  taskIds: readonly Id[],
): Promise<ReadonlyMap<Id, string>> {
  if (!taskIds.length) return new Map()
  const rows = await db.rows<AgainTask>(sql`
    select a.from_task_id as task_id, coalesce(s.name, '') as name, a.begin_time as begin
    from work_task a
    left join staff s on s.owner_id = ${ownerId} and s.id = a.staff_id
    where a.owner_id = ${ownerId}
      and a.from_task_id = any(${[...taskIds]}::bigint[])
      and a.state <> ${code(taskState, 'disabled')}
      and ${notDeleted('a')}
    order by a.id
  `)
  return new Map(rows.map(({ taskId, name, begin }) => [taskId, `${name} ${begin.slice(5, 16)}`]))
}

const isMissed = ({ state }: WorkTask): boolean => state === 'partial' || state === 'missed'

/** Names of those of whom any one may do a task, and whom a missed one was given to again. */
export async function enrichTasks<T extends WorkTask>(
  db: Db,
  scope: Scope,
  tasks: readonly T[],
): Promise<readonly T[]> {
  const ids = [...new Set(tasks.flatMap(task => idsOf(task.candidateIds)))]
  const staff = ids.length ? await loadStaff(db, scope.ownerId, ids) : undefined
  const againTexts = await loadAgainTexts(
    db,
    scope,
    tasks.filter(isMissed).map(({ id }) => id),
  )
  return tasks.map(task => ({
    ...task,
    ...(staff && task.candidateIds?.length
      ? {
          candidateNames: idsOf(task.candidateIds)
            .map(id => staff.get(id)?.name ?? '')
            .join('、'),
        }
      : {}),
    ...(againTexts.has(task.id) ? { againText: againTexts.get(task.id) } : {}),
  }))
}

type TaskSearch = NonNullable<(typeof taskSearch)['T']>

/** What the search of a list of tasks asks of them; its export asks the same (EXP-1). */
export const taskConditions = (
  { isNobody, awaitsAgain, staffIds, ...query }: TaskSearch,
  scope: Scope,
  today: Day,
) => ({
  query,
  filters: taskFilters,
  where: [
    ...flagFilter(isNobody, sql`t.nobody_reason is not null`),
    ...flagFilter(awaitsAgain, awaitsAgainCondition(scope, today)),
    ...staffConditions(staffIds),
  ],
})

/** A page of the tasks of a kind as its list is asked. */
export function searchTasks(
  db: Db,
  scope: Scope,
  kind: WorkKind,
  search: TaskSearch,
  today: Day,
): Promise<Page<WorkTask>> {
  const { query, ...options } = taskConditions(search, scope, today)
  return findTaskPage(db, scope, kind, query, options)
}

/** A page of the tasks of a kind, with every filter of the entity's fields. */
export async function findTaskPage(
  db: Db,
  scope: Scope,
  kind: WorkKind,
  query: TableQuery,
  options: FindOptions = {},
): Promise<Page<WorkTask>> {
  const page = await findPage(db, workTask, scope, query, {
    ...options,
    where: [ofKind(kind), ...(options.where ?? [])],
  })
  return { ...page, rows: await enrichTasks(db, scope, page.rows) }
}

/** Steps that were signed or missed: what is still to be done is no record yet. */
export const isRecorded: Condition = sql`t.result is not null`

/** Whose tasks the steps are of. */
export async function enrichSteps<T extends WorkStep>(
  db: Db,
  scope: Scope,
  steps: readonly T[],
): Promise<readonly T[]> {
  const ids = [...new Set(steps.map(({ taskId }) => taskId))]
  const tasks = await enrichTasks(db, scope, await findByIds(db, workTask, scope, ids))
  const names = new Map(tasks.map(task => [task.id, task.staffName ?? task.candidateNames]))
  return steps.map(step => ({ ...step, assigneeNames: names.get(step.taskId) }))
}

/** Steps under conditions of the caller's own, of the latest day first. */
export async function findRecordPage(
  db: Db,
  scope: Scope,
  query: TableQuery,
  options: FindOptions,
): Promise<Page<WorkStep>> {
  const order = query.order ?? '-taskDate,taskId,sort'
  const page = await findPage(db, workStep, scope, { ...query, order }, options)
  return { ...page, rows: await enrichSteps(db, scope, page.rows) }
}

export const findStepPage = (
  db: Db,
  scope: Scope,
  kind: WorkKind,
  query: TableQuery,
  options: FindOptions = {},
): Promise<Page<WorkStep>> =>
  findRecordPage(db, scope, query, { ...options, where: [ofKind(kind), ...(options.where ?? [])] })

export const findSignPage = (
  db: Db,
  scope: Scope,
  kind: WorkKind,
  query: TableQuery,
  options: FindOptions = {},
): Promise<Page<WorkSign>> =>
  findPage(db, workSign, scope, query, { ...options, where: [ofKind(kind), ...(options.where ?? [])] })

/** The steps of tasks that the caller sees, in their order. */
export const findSteps = (db: Db, scope: Scope, taskIds: readonly Id[]): Promise<WorkStep[]> =>
  findAll(db, workStep, scope, {}, { where: [sql`t.task_id = any(${[...taskIds]}::bigint[])`] })

export interface OwnTask {
  readonly task: WorkTask
  readonly steps: readonly WorkStep[]
}

/**
 * What the caller has to do from yesterday (rounds over midnight) to tomorrow, with all of its steps: a
 * phone keeps it for where there is no network.
 */
export async function findMyTasks(
  db: Db,
  scope: Scope,
  kinds: readonly WorkKind[],
  today: Day,
): Promise<OwnTask[]> {
  const worker = await requireWorker(db, scope)
  const tasks = await findAll(
    db,
    workTask,
    scope,
    { order: 'beginTime' },
    {
      where: [
        sql`t.task_date between ${addDays(today, -1)} and ${addDays(today, 1)}`,
        sql`t.kind in (${sql.join(kinds.map(kind => code(workKind, kind)))})`,
        sql`(t.staff_id = ${worker.id} or (t.staff_id is null and ${String(worker.id)} = any(t.candidate_ids)))`,
      ],
      limit: 200,
    },
  )
  const steps = Map.groupBy(
    await findSteps(
      db,
      scope,
      tasks.map(({ id }) => id),
    ),
    step => step.taskId,
  )
  return tasks.map(task => ({ task, steps: steps.get(task.id) ?? [] }))
}
