import type { Id } from '#kit/domain/id.ts'
import { notFound } from '#kit/contract/wire.ts'
import { sheetColumns } from '#kit/contract/sheet.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { reads, writes, type ReadContext } from '#kit/server/handler.ts'
import { exportHandlers } from '#kit/server/sheet-export.ts'
import { code, flagFilter } from '#kit/server/sql.ts'
import { requireById } from '#kit/server/table.ts'
import { taskState, workKind } from '#modules/planned-work/contract/choices.ts'
import { workStep, workTask } from '#modules/planned-work/contract/task.ts'
import {
  againAppoint,
  assignTasks,
  awaitsAgainCondition,
  disableTasks,
  enrichSteps,
  enrichTasks,
  findSignPage,
  findStepPage,
  findSteps,
  findTaskPage,
} from '#modules/planned-work/server/public.ts'
import {
  assignPatrolTasks,
  disablePatrolTasks,
  exportPatrolRecords,
  exportPatrolTasks,
  getPatrolTask,
  listPatrolRecords,
  listPatrolTasks,
  reassignPatrolTask,
} from '../contract/task.ts'
import { loadDrawing } from './drawing.ts'

type TaskSearch = NonNullable<typeof listPatrolTasks.input.T>
type Asked = Pick<ReadContext, 'scope' | 'today'>
type RecordSearch = NonNullable<typeof listPatrolRecords.input.T>

const taskFilters = ['planId', 'staffId', 'state', 'taskDate'] as const
const recordFilters = ['result', 'isAbnormal', 'taskDate', 'staffId', 'isOffline'] as const
const ofPatrol = sql`t.kind = ${code(workKind, 'patrol')}`

const taskConditions = (
  { roadId, withMisses, withFindings, withoutStaff, awaitsAgain }: TaskSearch,
  { scope, today }: Asked,
): RawBuilder<unknown>[] => [
  ...(roadId === undefined ? [] : [sql`t.subject_id = ${roadId}`]),
  ...flagFilter(withMisses, sql`t.miss_count > 0`),
  ...flagFilter(withFindings, sql`t.abnormal_count > 0`),
  ...flagFilter(withoutStaff, sql`t.nobody_reason is not null`),
  ...flagFilter(awaitsAgain, awaitsAgainCondition(scope, today)),
]

const toTaskFilters = ({
  roadId: _roadId,
  withMisses: _withMisses,
  withFindings: _withFindings,
  withoutStaff: _withoutStaff,
  awaitsAgain: _awaitsAgain,
  ...query
}: TaskSearch) => query

/** Rates open the records that they count: those of disabled rounds are in none (PAT-9). */
const recordConditions = (
  { roadId, planId, pointId, taskStaffId }: RecordSearch,
  ownerId: Id,
): RawBuilder<unknown>[] => [
  ...(pointId === undefined ? [] : [sql`t.subject_id = ${pointId}`]),
  sql`t.result is not null`,
  sql`exists (
    select 1
    from work_task k
    where k.owner_id = ${ownerId}
      and k.id = t.task_id
      and k.state <> ${code(taskState, 'disabled')}
      ${roadId === undefined ? sql`` : sql`and k.subject_id = ${roadId}`}
      ${planId === undefined ? sql`` : sql`and k.plan_id = ${planId}`}
      ${taskStaffId === undefined ? sql`` : sql`and k.staff_id = ${taskStaffId}`}
  )`,
]

const toRecordFilters = ({
  roadId: _roadId,
  planId: _planId,
  pointId: _pointId,
  taskStaffId: _taskStaffId,
  ...query
}: RecordSearch) => query

const taskExport = exportHandlers<TaskSearch, (typeof workTask)['fields']>({
  kind: 'patrol.task',
  name: '巡更任务',
  calls: exportPatrolTasks,
  entity: workTask,
  columns: sheetColumns(workTask.fields, [
    'estateName',
    'taskDate',
    'planName',
    'beginTime',
    'endTime',
    'staffName',
    'candidateNames',
    'stepTotal',
    'stepDone',
    'normalCount',
    'earlyCount',
    'lateCount',
    'disorderCount',
    'missCount',
    'abnormalCount',
    'nobodyReason',
    'state',
    'disableReason',
  ]),
  query: (query, c) => ({
    q: toTaskFilters(query),
    find: { filters: taskFilters, where: [ofPatrol, ...taskConditions(query, c)] },
  }),
  enrichComputed: (rows, { db, scope }) => enrichTasks(db, scope, rows),
})

const recordExport = exportHandlers<RecordSearch, (typeof workStep)['fields']>({
  kind: 'patrol.record',
  name: '巡更记录',
  calls: exportPatrolRecords,
  entity: workStep,
  columns: sheetColumns(workStep.fields, [
    'estateName',
    'taskDate',
    'planName',
    'stepName',
    'dueTime',
    'signTime',
    'result',
    'assigneeNames',
    'staffName',
    'signType',
    'isAbnormal',
    'abnormal',
    'workOrderNo',
    'isOffline',
  ]),
  query: (query, { scope }) => ({
    q: toRecordFilters(query),
    find: { filters: recordFilters, where: [ofPatrol, ...recordConditions(query, scope.ownerId)] },
  }),
  enrichComputed: (rows, { db, scope }) => enrichSteps(db, scope, rows),
})

export const taskServer = {
  jobs: [taskExport.job, recordExport.job],
  handlers: [
    ...taskExport.handlers,
    ...recordExport.handlers,
    reads(listPatrolTasks, (query, c) =>
      findTaskPage(c.db, c.scope, 'patrol', toTaskFilters(query), {
        filters: taskFilters,
        where: taskConditions(query, c),
      }),
    ),
    reads(getPatrolTask, async ({ id }, { db, scope }) => {
      const task = await requireById(db, workTask, scope, id)
      if (task.kind !== 'patrol') throw notFound()
      const [shown = task] = await enrichTasks(db, scope, [task])
      const signs = await findSignPage(
        db,
        scope,
        'patrol',
        { size: 500, order: 'deviceTime,id' },
        { where: [sql`t.task_id = ${id}`] },
      )
      const steps = await findSteps(db, scope, [id])
      const drawing = await loadDrawing(
        db,
        scope,
        steps.map(step => step.subjectId),
      )
      return { ...shown, steps, signs: signs.rows, drawing }
    }),
    writes(disablePatrolTasks, ({ ids, reason }, c) => disableTasks(c, 'patrol', ids, reason)),
    writes(assignPatrolTasks, (assignment, c) => assignTasks(c, 'patrol', assignment)),
    writes(reassignPatrolTask, (asked, c) => againAppoint(c, 'patrol', asked)),
    reads(listPatrolRecords, (query, { db, scope }) =>
      findStepPage(db, scope, 'patrol', toRecordFilters(query), {
        filters: recordFilters,
        where: recordConditions(query, scope.ownerId),
      }),
    ),
  ],
}
