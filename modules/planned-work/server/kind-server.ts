import type { Id } from '#kit/domain/id.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import { reads, writes, type ServerModule } from '#kit/server/handler.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, requireById } from '#kit/server/table.ts'
import { planState, workKind, type WorkKind } from '../contract/choices.ts'
import type { KindCalls } from '../contract/kind-calls.ts'
import type { TaskStandard } from '../contract/standard.ts'
import { recordFilters } from '../contract/task-calls.ts'
import { workSign, workTask } from '../contract/task.ts'
import { againAppoint, disableTasks } from './arrange.ts'
import { assignTasks } from './assign.ts'
import { workExports } from './exports.ts'
import { stepsOfItems } from './item-steps.ts'
import { kindQueues, type KindPaths } from './kind-queues.ts'
import type { WorkSubject } from './kinds.ts'
import { planHooks, previewPlan, setPlanState } from './plan.ts'
import { submitSigns } from './signs.ts'
import { enrichTasks, findMyTasks, findStepPage, findSteps, isRecorded, searchTasks } from './task-lists.ts'
import { idsOf } from './work-context.ts'

const planHandlers = (kind: WorkKind, { preview, setState }: KindCalls) => [
  reads(preview, async (draft, c) => {
    const tasks = await previewPlan(c, { ...draft, kind })
    return tasks.map(({ day, begin, end, absences, ...task }) => ({
      ...task,
      taskDate: day,
      beginTime: begin,
      endTime: end,
      absentNames: absences,
    }))
  }),
  writes(setState, async ({ ids, state, reason }, c) => {
    if (state !== 'enabled' && state !== 'disabled') return refuse('只能启用或停用')
    if (state === 'disabled' && (reason?.trim().length ?? 0) < 2) return refuse('请填写停用原因，至少 2 个字')
    return setPlanState(c, kind, idsOf(ids), state, reason)
  }),
]

const taskHandlers = (kind: WorkKind, calls: KindCalls) => [
  reads(calls.listTasks, (search, { db, scope, today }) => searchTasks(db, scope, kind, search, today)),
  reads(calls.listRecords, (query, { db, scope }) =>
    findStepPage(db, scope, kind, query, { filters: recordFilters, where: [isRecorded] }),
  ),
  reads(calls.getTask, async ({ id }, { db, scope }) => {
    const task = await requireById(db, workTask, scope, id)
    if (task.kind !== kind) throw notFound()
    const [named = task] = await enrichTasks(db, scope, [task])
    return {
      task: named,
      steps: await findSteps(db, scope, [id]),
      signs: await findAll(db, workSign, scope, { order: 'id' }, { where: [sql`t.task_id = ${id}`] }),
    }
  }),
  reads(calls.listOwn, (_input, { db, scope, today }) => findMyTasks(db, scope, [kind], today)),
  writes(calls.sign, (batch, c) => submitSigns(c, kind, batch)),
  writes(calls.disable, ({ ids, reason }, c) => disableTasks(c, kind, ids, reason)),
  writes(calls.assign, (assignment, c) => assignTasks(c, kind, assignment)),
  writes(calls.reappoint, (asked, c) => againAppoint(c, kind, asked)),
]

/** Plans and tasks of a kind that `kindCalls` declared, and what waits of them. */
export const kindServer = (kind: WorkKind, calls: KindCalls, paths: KindPaths): ServerModule =>
  joinServers(
    crudHandlers(calls.plans, { ...planHooks(kind), export: calls.exportPlans }),
    workExports(kind, {
      key: calls.permissions.view.module,
      name: `${calls.noun}任务`,
      tasks: calls.exportTasks,
      records: calls.exportRecords,
    }),
    {
      handlers: [...planHandlers(kind, calls), ...taskHandlers(kind, calls)],
      queues: kindQueues(kind, { noun: calls.noun, list: calls.listTasks, ...calls.permissions, paths }),
    },
  )

const isEnabled = sql`state = ${code(planState, 'enabled')}`

/** BASE-5: what plans of the kind are made from stays, and in use while such a plan is enabled. */
export const registerPlansOf = (kind: WorkKind, entity: string, label: string): void =>
  registerDependentRows(entity, {
    label,
    table: 'work_plan',
    names: 'plan_name',
    keepsInUse: isEnabled,
    where: ({ id }: { readonly id: Id }) => sql`kind = ${code(workKind, kind)} and subject_id = ${id}`,
  })

interface StoredTemplate {
  readonly id: Id
  readonly name: string
  readonly items: NonNullable<TaskStandard['items']>
}

/** Templates of weighted items as what tasks are made from. */
export const toSubjects = (templates: readonly StoredTemplate[]): ReadonlyMap<Id, WorkSubject> =>
  new Map(templates.map(({ id, name, items }) => [id, { name, steps: stepsOfItems(items) }]))
