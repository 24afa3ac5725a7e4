import { decimal } from '#kit/contract/field.ts'
import { sheetColumns } from '#kit/contract/sheet.ts'
import type { ExportCalls } from '#kit/contract/import-export.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { exportHandlers } from '#kit/server/sheet-export.ts'
import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { workKind, type WorkKind } from '../contract/choices.ts'
import { recordFilters, type listTaskRecords, type taskSearch } from '../contract/task-calls.ts'
import { workStep, workTask } from '../contract/task.ts'
import { enrichSteps, enrichTasks, isRecorded, taskConditions } from './task-lists.ts'

type TaskSearch = NonNullable<(typeof taskSearch)['T']>
type RecordSearch = NonNullable<(typeof listTaskRecords)['input']['T']>

interface WorkSheets {
  /** `cleaning`: names the background tasks. */
  readonly key: string
  /** `保洁任务`: the file. */
  readonly name: string
  readonly tasks: ExportCalls<TaskSearch>
  readonly records: ExportCalls<RecordSearch>
}

const taskSheet = [
  'estateName',
  'taskDate',
  'planName',
  'targetName',
  'beginTime',
  'endTime',
  'staffName',
  'candidateNames',
  'nobodyReason',
  'stepTotal',
  'stepDone',
  'normalCount',
  'lateCount',
  'missCount',
  'abnormalCount',
  'score',
  'finishTime',
  'state',
  'disableReason',
] as const

const recordSheet = [
  'estateName',
  'taskDate',
  'planName',
  'targetName',
  'stepName',
  'weight',
  'dueTime',
  'signTime',
  'result',
  'verdict',
  'value',
  'assigneeNames',
  'staffName',
  'isAbnormal',
  'abnormal',
  'remark',
  'workOrderNo',
] as const

/** The sheets of the tasks of a kind and of what came of their items, asked as their lists are. */
export function workExports(
  kind: WorkKind,
  { key, name, tasks, records }: WorkSheets,
): Partial<ServerModule> {
  const ofTasks = exportHandlers<TaskSearch, (typeof workTask)['fields']>({
    kind: `${key}.task`,
    name,
    calls: tasks,
    entity: workTask,
    columns: sheetColumns(workTask.fields, taskSheet),
    query: (search, { scope, today }) => {
      const { query, filters, where } = taskConditions(search, scope, today)
      return { q: query, find: { filters, where: [sql`t.kind = ${code(workKind, kind)}`, ...where] } }
    },
    enrichComputed: (rows, { db, scope }) => enrichTasks(db, scope, rows),
  })
  const ofRecords = exportHandlers<RecordSearch, (typeof workStep)['fields']>({
    kind: `${key}.record`,
    name: `${name}记录`,
    calls: records,
    entity: workStep,
    columns: sheetColumns({ ...workStep.fields, value: decimal(workStep.fields.value.label) }, recordSheet),
    query: query => ({
      q: query,
      find: { filters: recordFilters, where: [sql`t.kind = ${code(workKind, kind)}`, isRecorded] },
    }),
    enrichComputed: (rows, { db, scope }) => enrichSteps(db, scope, rows),
  })
  return {
    handlers: [...ofTasks.handlers, ...ofRecords.handlers],
    jobs: [ofTasks.job, ofRecords.job],
  }
}
