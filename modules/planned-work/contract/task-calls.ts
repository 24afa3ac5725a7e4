import { call } from '#kit/contract/call.ts'
import { flag, idOf, int, lines, list, moment, part, ref } from '#kit/contract/field.ts'
import {
  bulkResult,
  byId,
  idRule,
  listOfRows,
  pageOf,
  reasonField,
  recordIdsField,
  recordOf,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { shownSignFields, signAnswerFields, signFields, workStep, workTask } from './task.ts'

const { permissions } = menu.plan
const affects = ['workTask', 'workStep']

const anyStaff = {
  ...list('执行人', { max: 200, rule: idRule, wire: ['StaffIDs', 'StaffIds'] }),
  target: 'staff',
  targetBy: 'id' as const,
}

/** Missed in the last three days, and nobody was asked to do it again. */
export const awaitsAgainField = flag('待重派', { wire: 'AwaitsAgain' })

const extraSearch = {
  isNobody: flag('无人可派'),
  awaitsAgain: awaitsAgainField,
  staffIds: anyStaff,
}

export const taskFilters = ['taskDate', 'state', 'planId', 'staffId', 'finishTime'] as const
export const recordFilters = ['taskDate', 'taskId', 'result', 'verdict', 'isAbnormal', 'staffId'] as const

/** What a list of tasks of any kind is asked. */
export const taskSearch = search(workTask, taskFilters, extraSearch)

export const listTasks = call({
  route: 'GET Task/Get',
  title: '查询任务',
  needs: permissions.view,
  input: taskSearch,
  output: pageOf(workTask),
})

/** A task with what it asks and what came of it, and every sign that was received. */
export const getTask = call({
  route: 'GET Task/GetOne',
  title: '查看任务',
  needs: permissions.view,
  input: byId,
  output: shape({
    task: part('任务', workTask.fields, { required: true }),
    steps: lines('任务记录', workStep.fields, { required: true }),
    signs: lines('签到记录', shownSignFields, { required: true }),
  }),
})

/** Another person or time for a task that was not done (PAT-7). */
export const reappointTask = call({
  route: 'POST Task/Post',
  aliases: ['Task/PostAgainAppoint'],
  title: '重派任务',
  needs: permissions.arrange,
  affects,
  input: shape({
    id: idOf('任务', { required: true, min: 1, wire: 'ID' }),
    staffId: ref('执行人', 'staff', { required: true, wire: 'StaffID' }),
    beginTime: moment('开始', { required: true }),
    endTime: moment('结束', { required: true }),
  }),
  output: recordOf(workTask),
})

/** 指派 of tasks that nobody does, and 改派 of others; as long as nobody has started them. */
export const assignInput = shape({
  ids: recordIdsField,
  staffId: ref('执行人', 'staff', { required: true, wire: 'StaffID' }),
  replaces: flag('改派', { wire: 'Replaces', help: '更换已有的执行人；不选则只指派无人可派的任务' }),
})

export const assignTask = call({
  route: 'POST Task/PostAssign',
  title: '指派、改派任务',
  needs: permissions.arrange,
  affects,
  input: assignInput,
  output: bulkResult,
})

/** Tasks that need not be done: they leave every rate (PAT-7, PAT-9). */
export const disableTask = call({
  route: 'DELETE Task/Delete',
  aliases: ['POST Task/PostDisable'],
  title: '停用任务',
  needs: permissions.arrange,
  affects,
  input: shape({ ids: recordIdsField, reason: reasonField }),
  output: bulkResult,
})

/** What a phone signed: any number, also twice and out of order (PAT-6). */
export const signTask = call({
  route: 'POST Task/PostSign',
  title: '填写任务',
  needs: permissions.execute,
  affects,
  input: shape({
    signs: lines('签到', signFields, { required: true, min: 1, max: 200, wire: 'Signs' }),
    sentTime: moment('发送时间', { help: '设备发送时的时钟' }),
  }),
  output: listOfRows(signAnswerFields),
})

export const finishOwnTask = call({
  route: 'PUT Task/Put',
  title: '结束任务',
  needs: permissions.execute,
  affects,
  input: byId,
  output: recordOf(workTask),
})

/** What the caller has to do, with its steps, for a phone without a network. */
export const listOwnTasks = call({
  route: 'GET Task/GetMine',
  title: '我的任务',
  needs: permissions.execute,
  input: shape({}),
  output: listOfRows(
    {
      task: part('任务', workTask.fields, { required: true }),
      steps: lines('任务记录', workStep.fields, { required: true }),
    },
    { entity: 'workTask' },
  ),
})

/** How many tasks a standard and those under it have had, by state. */
export const countTasksOfStandard = call({
  route: 'GET Task/GetTaskCountByTemplateId',
  title: '按标准统计任务数',
  needs: permissions.view,
  input: shape({
    templateId: idOf('任务标准', { required: true, min: 1, wire: ['TemplateId', 'TemplateID'] }),
  }),
  output: shape({
    total: int('任务数', { required: true }),
    open: int('未完成', { required: true }),
    done: int('已完成', { required: true }),
    missed: int('逾期', { required: true }),
    disabled: int('已停用', { required: true }),
  }),
})

export const listTaskRecords = call({
  route: 'GET TaskRecord/Get',
  title: '查询任务记录',
  needs: permissions.view,
  input: search(workStep, recordFilters),
  output: pageOf(workStep),
})

export const getTaskRecord = call({
  route: 'GET TaskRecord/GetOne',
  title: '查看任务记录',
  needs: permissions.view,
  input: byId,
  output: recordOf(workStep),
})
