import { exportSchedules, exportTaskRecords, exportTasks } from '../contract/exports.ts'
import { schedules, setScheduleState } from '../contract/schedule.ts'
import {
  assignTask,
  disableTask,
  getTask,
  listTaskRecords,
  listTasks,
  reappointTask,
} from '../contract/task-calls.ts'
import { menu, paths } from '../module.ts'
import type { PlannedSpec } from './kind-spec.ts'

/** Plans and tasks of task standards. */
export const standardKind: PlannedSpec = {
  calls: {
    plans: schedules,
    exportPlans: exportSchedules,
    setState: setScheduleState,
    listTasks,
    getTask,
    disable: disableTask,
    reappoint: reappointTask,
    assign: assignTask,
    exportTasks,
    listRecords: listTaskRecords,
    exportRecords: exportTaskRecords,
    permissions: menu.plan.permissions,
  },
  names: { plan: '任务计划', task: '任务', record: '任务记录' },
  paths,
  subjectLabel: '任务标准',
  targetLabel: '对象',
  taskFilters: ['planId'],
}
