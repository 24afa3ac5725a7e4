import { notFound } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { code, codes } from '#kit/server/sql.ts'
import { findAll, requireById, tenantFilter } from '#kit/server/table.ts'
import { taskState, workKind } from '../contract/choices.ts'
import { workSign, workStep, workTask } from '../contract/task.ts'
import {
  assignTask,
  countTasksOfStandard,
  disableTask,
  finishOwnTask,
  getTask,
  getTaskRecord,
  listOwnTasks,
  listTaskRecords,
  listTasks,
  reappointTask,
  recordFilters,
  signTask,
} from '../contract/task-calls.ts'
import { againAppoint, disableTasks, finishTask } from './arrange.ts'
import { assignTasks } from './assign.ts'
import { submitSigns } from './signs.ts'
import { standardBranch } from './standard.ts'
import {
  enrichSteps,
  enrichTasks,
  findMyTasks,
  findStepPage,
  findSteps,
  isRecorded,
  searchTasks,
} from './task-lists.ts'

const kind = 'standard'
const ofKind = sql`t.kind = ${code(workKind, kind)}`

export const taskHandlers = [
  reads(listTasks, (search, { db, scope, today }) => searchTasks(db, scope, kind, search, today)),
  reads(getTask, async ({ id }, { db, scope }) => {
    const task = await requireById(db, workTask, scope, id)
    if (task.kind !== kind) throw notFound()
    const [named = task] = await enrichTasks(db, scope, [task])
    return {
      task: named,
      steps: await findSteps(db, scope, [id]),
      signs: await findAll(db, workSign, scope, { order: 'id' }, { where: [sql`t.task_id = ${id}`] }),
    }
  }),
  writes(assignTask, (assignment, c) => assignTasks(c, kind, assignment)),
  writes(reappointTask, (asked, c) => againAppoint(c, kind, asked)),
  writes(disableTask, ({ ids, reason }, c) => disableTasks(c, kind, ids, reason)),
  writes(signTask, (batch, c) => submitSigns(c, kind, batch)),
  writes(finishOwnTask, async ({ id }, c) => {
    if ((await requireById(c.tx, workTask, c.scope, id)).kind !== kind) throw notFound()
    return finishTask(c, id)
  }),
  reads(listOwnTasks, (_input, { db, scope, today }) => findMyTasks(db, scope, [kind], today)),
  reads(countTasksOfStandard, async ({ templateId }, { db, scope }) => {
    const count = (...states: readonly (keyof typeof taskState.rows)[]) =>
      sql`(count(*) filter (where t.state in ${codes(taskState, ...states)}))::int`
    const found = await db.one<Record<'total' | 'open' | 'done' | 'missed' | 'disabled', number>>(sql`
      select count(*)::int as total, ${count('waiting', 'running')} as open, ${count('done')} as done,
        ${count('partial', 'missed')} as missed, ${count('disabled')} as disabled
      from work_task t
      where ${tenantFilter(workTask, scope)} and ${ofKind} and t.subject_id in ${standardBranch(templateId, scope)}
    `)
    return found ?? { total: 0, open: 0, done: 0, missed: 0, disabled: 0 }
  }),
  reads(listTaskRecords, (query, { db, scope }) =>
    findStepPage(db, scope, kind, query, { filters: recordFilters, where: [isRecorded] }),
  ),
  reads(getTaskRecord, async ({ id }, { db, scope }) => {
    const step = await requireById(db, workStep, scope, id)
    if (step.kind !== kind) throw notFound()
    const [named = step] = await enrichSteps(db, scope, [step])
    return named
  }),
]
