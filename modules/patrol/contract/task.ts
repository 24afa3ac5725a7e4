import { call } from '#kit/contract/call.ts'
import { declareExport } from '#kit/contract/import-export.ts'
import { flag, idOf, lines, moment, ref } from '#kit/contract/field.ts'
import {
  bulkResult,
  byId,
  byIdsWithReason,
  extendShape,
  pageOf,
  recordOf,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { assignInput } from '#modules/planned-work/contract/task-calls.ts'
import { shownSignFields, workStep, workTask } from '#modules/planned-work/contract/task.ts'
import { menu } from '../module.ts'
import { roadDrawing } from './drawing.ts'

const { permissions } = menu.task

/** Rounds of the roads, each of one day, time and person. */
export const listPatrolTasks = call({
  route: 'GET PatrolPlanDetails/GetPage',
  title: '查询巡更任务',
  needs: permissions.view,
  input: search(workTask, ['planId', 'staffId', 'state', 'taskDate'], {
    roadId: ref('路线', 'patrolRoad', { wire: 'RoadID' }),
    withMisses: flag('有漏检', { wire: 'WithMisses' }),
    withFindings: flag('有异常', { wire: 'WithFindings' }),
    withoutStaff: flag('无人可派', { wire: 'Nobody' }),
    /** Missed in the last three days, and nobody was asked to walk it again. */
    awaitsAgain: flag('待重派', { wire: 'AwaitsAgain' }),
  }),
  output: pageOf(workTask),
})

/** A round with its points and with what was received for it (PAT-6). */
export const getPatrolTask = call({
  route: 'GET PatrolPlanDetails/GetOne',
  title: '查看巡更任务',
  needs: permissions.view,
  input: byId,
  output: extendShape(recordOf(workTask), {
    steps: lines('点位', workStep.fields, { required: true, wire: 'Records' }),
    signs: lines('签到记录', shownSignFields, { required: true, wire: 'Signs' }),
    drawing: roadDrawing,
  }),
})

const affects = ['workTask', 'workStep', 'workSign']

/** PAT-7: 10, 20 → 60; it leaves numerator and denominator. */
export const disablePatrolTasks = call({
  route: 'PUT PatrolPlanDetails/DisabledDetail',
  title: '停用巡更任务',
  needs: permissions.disable,
  affects,
  input: byIdsWithReason,
  output: bulkResult,
})

/** PAT-7: what was missed is walked by another person or at another time; the new round names the old. */
export const reassignPatrolTask = call({
  route: 'POST PatrolPlanDetails/AgainAppoint',
  title: '重新指派巡更任务',
  needs: permissions.reassign,
  affects,
  input: shape({
    id: idOf('任务', { required: true, min: 1, wire: 'ID' }),
    staffId: ref('巡更人', 'staff', { required: true, wire: 'StaffID' }),
    beginTime: moment('开始', { required: true }),
    endTime: moment('结束', { required: true }),
  }),
  output: recordOf(workTask),
})

/** 指派 of rounds that nobody walks, and 改派 of others; as long as nobody has started them. */
export const assignPatrolTasks = call({
  route: 'POST PatrolPlanDetails/PostAssign',
  title: '指派、改派巡更任务',
  needs: permissions.reassign,
  affects,
  input: assignInput,
  output: bulkResult,
})

export const exportPatrolTasks = declareExport({
  route: 'GET PatrolPlan/GetExportOutPlanRecords',
  title: '导出巡更任务',
  needs: permissions.export,
  list: listPatrolTasks,
})

/** What was found at each point, once it was due. */
export const listPatrolRecords = call({
  route: 'GET PatrolRecord/get',
  title: '查询巡更记录',
  needs: permissions.view,
  input: search(workStep, ['result', 'isAbnormal', 'taskDate', 'staffId', 'isOffline'], {
    roadId: ref('路线', 'patrolRoad', { wire: 'RoadID' }),
    planId: ref('计划', 'workPlan', { wire: 'PlanID' }),
    pointId: ref('点位', 'patrolPoint', { wire: 'LocationID' }),
    /** Whose round it is: nobody signed what was missed. */
    taskStaffId: ref('巡更人', 'staff', { wire: 'TaskStaffID' }),
  }),
  output: pageOf(workStep),
})

export const exportPatrolRecords = declareExport({
  route: 'GET PatrolRecord/GetExport',
  title: '导出巡更记录',
  needs: permissions.export,
  list: listPatrolRecords,
})
