import { call } from '#kit/contract/call.ts'
import {
  choice,
  choiceTable,
  day,
  flag,
  idOf,
  int,
  lines,
  list,
  moment,
  part,
  ref,
  text,
} from '#kit/contract/field.ts'
import { calendarYears } from '#kit/contract/rules.ts'
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
import { signAnswerFields, signFields, workSign, workStep, workTask } from './task.ts'

const { permissions } = menu.plan
const affects = ['workTask', 'workStep']

const anyStaff = {
  ...list('执行人', { max: 200, rule: idRule, wire: ['StaffIDs', 'StaffIds'] }),
  target: 'staff',
  targetBy: 'id' as const,
}

const extraSearch = {
  isNobody: flag('无人可派'),
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
    signs: lines('签到记录', workSign.fields, { required: true }),
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

/** 指派 of tasks that nobody does, and 改派 of others; as long as nobody has begun them. */
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

/** What a telephone signed: any number, also twice and out of order (PAT-6). */
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

/** What the caller has to do, with its steps, for a telephone without a network. */
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

/** The tasks of some days, all of them: a calendar by day and week, by person and place. */
export const getTaskCalendar = call({
  route: 'GET Task/GetCalendar',
  title: '任务日历',
  needs: permissions.view,
  input: shape({
    projectCode: { ...workTask.fields.projectCode, required: false as const },
    from: day('起', { required: true, rule: calendarYears, wire: 'BeginDate' }),
    to: day('止', { required: true, rule: calendarYears, wire: 'EndDate' }),
    staffIds: anyStaff,
  }),
  output: listOfRows(workTask.fields, { entity: 'workTask' }),
})

/** How many tasks a standard has had, by state. */
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

export const rateKey = choiceTable('WorkRateKey', '统计方式', {
  all: [10, '合计'],
  day: [20, '按日'],
  staff: [30, '按人'],
  subject: [40, '按标准'],
  plan: [50, '按计划'],
  project: [60, '按项目'],
})

const counted = (label: string) => int(label, { required: true })

/** PAT-9 */
export const getTaskRates = call({
  route: 'GET Task/GetRates',
  title: '任务完成率',
  needs: permissions.view,
  input: shape({
    projectCode: { ...workTask.fields.projectCode, required: false as const },
    from: day('起', { required: true, rule: calendarYears, wire: 'BeginDate' }),
    to: day('止', { required: true, rule: calendarYears, wire: 'EndDate' }),
    by: choice('统计方式', rateKey, { required: true, initial: 'all' }),
  }),
  output: listOfRows(
    {
      key: text('对象', { required: true }),
      name: text('名称', { required: true }),
      tasks: counted('任务'),
      done: counted('已完成'),
      partial: counted('部分完成'),
      missedTasks: counted('未执行'),
      due: counted('应检项'),
      normal: counted('正常'),
      early: counted('早到'),
      late: counted('迟到'),
      disorder: counted('乱序'),
      missed: counted('漏检'),
      abnormal: counted('异常'),
      score: text('平均得分'),
      signedRate: text('到位率', { required: true, percent: true }),
      punctualRate: text('准时率', { required: true, percent: true }),
      missedRate: text('漏检率', { required: true, percent: true }),
    },
    { entity: 'workTask' },
  ),
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
