import type { Id } from '#kit/domain/id.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import type { Page } from '#kit/contract/shape.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, findPage, type FindOptions, type TableQuery } from '#kit/server/table.ts'
import { workKind, type WorkKind } from '../contract/choices.ts'
import {
  workSign,
  workStep,
  workTask,
  type WorkSign,
  type WorkStep,
  type WorkTask,
} from '../contract/task.ts'
import type { Condition } from './kinds.ts'
import { idsOf, loadStaff } from './work-context.ts'
import { findWorker } from './worker.ts'

const ofKind = (kind: WorkKind): Condition => sql`t.kind = ${code(workKind, kind)}`

/** Names of those of whom any one may do a task. */
export async function enrichTasks<T extends WorkTask>(
  db: Db,
  scope: Scope,
  tasks: readonly T[],
): Promise<readonly T[]> {
  const ids = [...new Set(tasks.flatMap(task => idsOf(task.candidateIds)))]
  if (!ids.length) return tasks
  const staff = await loadStaff(db, scope.ownerId, ids)
  return tasks.map(task =>
    task.candidateIds?.length
      ? {
          ...task,
          candidateNames: idsOf(task.candidateIds)
            .map(id => staff.get(id)?.name ?? '')
            .join('、'),
        }
      : task,
  )
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

export const findStepPage = (
  db: Db,
  scope: Scope,
  kind: WorkKind,
  query: TableQuery,
  options: FindOptions = {},
): Promise<Page<WorkStep>> =>
  findPage(db, workStep, scope, query, { ...options, where: [ofKind(kind), ...(options.where ?? [])] })

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
 * telephone keeps it for where there is no network.
 */
export async function findMyTasks(
  db: Db,
  scope: Scope,
  kinds: readonly WorkKind[],
  today: Day,
): Promise<OwnTask[]> {
  const worker = await findWorker(db, scope)
  if (!worker) return []
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
