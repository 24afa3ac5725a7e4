import { parseId } from '#kit/domain/id.ts'
import { daysBetween, type Day } from '#kit/domain/day.ts'
import { invalidField, notFound } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes } from '#kit/server/sql.ts'
import { findAll, requireById, tenantFilter } from '#kit/server/table.ts'
import { taskState, workKind } from '../contract/choices.ts'
import { workPlan } from '../contract/plan.ts'
import { taskStandard } from '../contract/standard.ts'
import { workSign, workStep, workTask } from '../contract/task.ts'
import {
  assignTask,
  countTasksOfStandard,
  disableTask,
  finishOwnTask,
  getTask,
  getTaskCalendar,
  getTaskRates,
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
import { findRates, type RateKey, type Rates } from './rates.ts'
import { submitSigns } from './signs.ts'
import {
  enrichTasks,
  findMyTasks,
  findStepPage,
  findSteps,
  isRecorded,
  searchTasks,
  staffFilter,
} from './task-lists.ts'
import { loadStaff } from './work-context.ts'

const kind = 'standard'
const ofKind = sql`t.kind = ${code(workKind, kind)}`
const maxCalendarDays = 42

function assertSpan(from: Day, to: Day, maxDays: number): void {
  if (to < from) throw invalidField('EndDate', '止日不能早于起日')
  if (daysBetween(from, to) >= maxDays) throw invalidField('EndDate', `最多查询 ${maxDays} 天`)
}

/** What people call the things that rates are grouped by. */
async function namesOf(
  db: Db,
  scope: Scope,
  by: RateKey,
  rates: readonly Rates[],
): Promise<ReadonlyMap<string, string>> {
  const ids = rates.map(({ key }) => parseId(key)).filter(id => id > 0)
  const where = [sql`t.id = any(${ids}::bigint[])`]
  switch (by) {
    case 'staff':
      return new Map(
        [...(await loadStaff(db, scope.ownerId, ids))].map(([id, row]) => [String(id), row.name]),
      )
    case 'subject': {
      const rows = await findAll(db, taskStandard, scope, {}, { where })
      return new Map(rows.map(row => [String(row.id), row.standardName]))
    }
    case 'plan': {
      const rows = await findAll(db, workPlan, scope, {}, { where })
      return new Map(rows.map(row => [String(row.id), row.planName]))
    }
    case 'all':
    case 'day':
    case 'project':
      return new Map()
  }
}

const nameless: Readonly<Partial<Record<RateKey, string>>> = {
  all: '合计',
  staff: '未分派',
  subject: '已删除',
  plan: '已删除',
}

export const taskHandlers = [
  reads(listTasks, (search, { db, scope }) => searchTasks(db, scope, kind, search)),
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
  writes(signTask, async (batch, c) => {
    const tasks = batch.signs.map(({ taskId }) => taskId)
    const others = await c.tx.one(sql`
      select 1
      from work_task
      where owner_id = ${c.scope.ownerId} and id = any(${tasks}::bigint[]) and kind <> ${code(workKind, kind)}
    `)
    if (others) throw notFound()
    return submitSigns(c, batch)
  }),
  writes(finishOwnTask, async ({ id }, c) => {
    if ((await requireById(c.tx, workTask, c.scope, id)).kind !== kind) throw notFound()
    return finishTask(c, id)
  }),
  reads(listOwnTasks, (_input, { db, scope, today }) => findMyTasks(db, scope, [kind], today)),
  reads(getTaskCalendar, async ({ projectCode, from, to, staffIds }, { db, scope }) => {
    assertSpan(from, to, maxCalendarDays)
    const where = [ofKind, sql`t.task_date between ${from} and ${to}`, ...staffFilter(staffIds)]
    const query = { order: 'beginTime', ...(projectCode && { projectCode }) }
    return enrichTasks(db, scope, await findAll(db, workTask, scope, query, { where, limit: 5000 }))
  }),
  reads(countTasksOfStandard, async ({ templateId }, { db, scope }) => {
    const count = (...states: readonly (keyof typeof taskState.rows)[]) =>
      sql`(count(*) filter (where t.state in ${codes(taskState, ...states)}))::int`
    const found = await db.one<Record<'total' | 'open' | 'done' | 'missed' | 'disabled', number>>(sql`
      select count(*)::int as total, ${count('waiting', 'running')} as open, ${count('done')} as done,
        ${count('partial', 'missed')} as missed, ${count('disabled')} as disabled
      from work_task t
      where ${tenantFilter(workTask, scope)} and ${ofKind} and t.subject_id = ${templateId}
    `)
    return found ?? { total: 0, open: 0, done: 0, missed: 0, disabled: 0 }
  }),
  reads(getTaskRates, async ({ projectCode, from, to, by }, { db, scope }) => {
    assertSpan(from, to, 370)
    const rates = await findRates(db, scope, { kind, from, to, projectCode }, by)
    const names = await namesOf(db, scope, by, rates)
    return rates.map(row => ({ ...row, name: names.get(row.key) ?? nameless[by] ?? row.key }))
  }),
  reads(listTaskRecords, (query, { db, scope }) =>
    findStepPage(db, scope, kind, query, { filters: recordFilters, where: [isRecorded] }),
  ),
  reads(getTaskRecord, async ({ id }, { db, scope }) => {
    const step = await requireById(db, workStep, scope, id)
    if (step.kind !== kind) throw notFound()
    return step
  }),
]
