import { call } from '#kit/contract/call.ts'
import {
  choice,
  choices,
  choiceTable,
  day,
  decimal,
  flag,
  idOf,
  int,
  list,
  ref,
  text,
} from '#kit/contract/field.ts'
import { declareExport } from '#kit/contract/import-export.ts'
import { calendarYears } from '#kit/contract/rules.ts'
import { idRule, listOfRows, pageOf, pageOfRows, search, shape } from '#kit/contract/shape.ts'
import { sheetColumns } from '#kit/contract/sheet.ts'
import { menu } from '../module.ts'
import { targetType, workKind } from './choices.ts'
import { awaitsAgainField, recordFilters, taskFilters } from './task-calls.ts'
import { workStep, workTask } from './task.ts'

const { permissions } = menu.overview

const kindsField = choices('类别', workKind, { wire: ['WorkKinds', 'Kinds'] })
const projectField = { ...workTask.fields.projectCode, required: false as const }
const from = day('起', { required: true, rule: calendarYears, wire: 'BeginDate' })
const to = day('止', { required: true, rule: calendarYears, wire: 'EndDate' })
const numberOf = (label: string, wire: string) => idOf(label, { min: 1, max: 1e15, wire })

/** The kinds of planned work that the caller may see, with where their tasks open. */
export const listWorkKinds = call({
  route: 'GET Task/GetKinds',
  title: '查询工作类别',
  needs: permissions.view,
  input: shape({}),
  output: listOfRows({
    kind: choice('类别', workKind, { required: true, wire: 'WorkKind' }),
    taskPath: text('任务页面', { required: true }),
  }),
})

/** The tasks of some days, of every kind that the caller may see: a calendar by day and week. */
export const getWorkCalendar = call({
  route: 'GET Task/GetCalendar',
  title: '任务日历',
  needs: permissions.view,
  input: shape({
    projectCode: projectField,
    from,
    to,
    kinds: kindsField,
    staffIds: {
      ...list('执行人', { max: 200, rule: idRule, wire: ['StaffIDs', 'StaffIds'] }),
      target: 'staff',
      targetBy: 'id' as const,
    },
  }),
  output: pageOf(workTask),
})

/** What a figure counts beside the filters of every list of tasks. */
const countedSearch = {
  kinds: kindsField,
  targetType: choice('对象类别', targetType),
  targetId: numberOf('对象', 'TargetID'),
  withoutTarget: flag('无对象'),
}

/** Tasks of every kind that the caller may see. */
export const listAllTasks = call({
  route: 'GET Task/GetAll',
  title: '查询全部任务',
  needs: permissions.view,
  input: search(workTask, taskFilters, {
    ...countedSearch,
    subjectId: numberOf('工作内容', 'SubjectID'),
    isNobody: flag('无人可派'),
    awaitsAgain: awaitsAgainField,
    isUnassigned: flag('未分派'),
    /** Not those that leave every rate (PAT-9). */
    isCounted: flag('计入统计'),
  }),
  output: pageOf(workTask),
})

/** What was found of each item of them, once it was due; `staffId` is the person of the task. */
export const listAllRecords = call({
  route: 'GET TaskRecord/GetAll',
  title: '查询全部任务记录',
  needs: permissions.view,
  input: search(
    workStep,
    recordFilters.filter(key => key !== 'staffId' && key !== 'taskId'),
    {
      ...countedSearch,
      planId: ref('计划', 'workPlan', { wire: 'PlanID' }),
      taskStaffId: ref('执行人', 'staff', { wire: 'TaskStaffID' }),
      workId: numberOf('工作内容', 'WorkID'),
      isUnassigned: flag('未分派'),
    },
  ),
  output: pageOf(workStep),
})

/** What rates are counted by. */
export const rateKey = choiceTable('WorkRateKey', '统计方式', {
  day: [20, '按日期'],
  staff: [30, '按人员'],
  plan: [50, '按计划'],
  target: [70, '按对象'],
  subject: [40, '按工作内容'],
})

const counted = (label: string, help?: string) => int(label, { required: true, ...(help ? { help } : {}) })
const hidden = { hiddenIn: ['table', 'sheet'] } as const

/** PAT-9 */
const countFields = {
  tasks: counted('任务', '停用的任务不计'),
  done: counted('已完成'),
  partial: counted('部分完成'),
  missedTasks: counted('未执行'),
  due: counted('应检项', '已到签到截止或已签到的'),
  normal: counted('正常'),
  early: counted('早到'),
  late: counted('迟到'),
  disorder: counted('乱序'),
  missed: counted('漏检'),
  abnormal: counted('异常'),
}

const rateFields = {
  signedRate: text('到位率', { required: true, percent: true, help: '已签到 ÷ 应检项' }),
  punctualRate: text('准时率', { required: true, percent: true, help: '正常 ÷ 应检项' }),
  missedRate: text('漏检率', { required: true, percent: true, help: '漏检 ÷ 应检项' }),
  score: decimal('平均得分', { help: '有评分的任务的平均分' }),
}

const rowFields = {
  key: text('编号', { required: true, ...hidden }),
  kind: choice('类别', workKind, { wire: 'WorkKind' }),
  name: text('名称', { required: true }),
  ...countFields,
  ...rateFields,
  /** What a row counts, for the list behind its figures. */
  staffId: idOf('人员', { max: 1e15, ...hidden }),
  planId: idOf('计划', { max: 1e15, ...hidden }),
  subjectId: idOf('工作内容', { max: 1e15, ...hidden }),
  targetId: idOf('对象', { max: 1e15, ...hidden }),
  targetType: choice('对象类别', targetType, hidden),
}

const countKeys = [
  'tasks',
  'done',
  'partial',
  'missedTasks',
  'due',
  'normal',
  'early',
  'late',
  'disorder',
  'missed',
  'abnormal',
] as const satisfies readonly (keyof typeof countFields)[]
const rateKeys = [
  'signedRate',
  'punctualRate',
  'missedRate',
  'score',
] as const satisfies readonly (keyof typeof rateFields)[]

export const listWorkRates = call({
  route: 'GET Task/GetRates',
  title: '任务统计',
  needs: permissions.view,
  input: shape({
    page: int('页码', { wire: 'PageIndex', min: 1, max: 1_000_000 }),
    size: int('每页条数', { wire: 'PageSize', min: 1, max: 2000 }),
    projectCode: projectField,
    kinds: kindsField,
    from,
    to,
    by: choice('统计方式', rateKey, { required: true, initial: 'day' }),
  }),
  // The rates of all are those of the sums, which the server answers: rows do not add up to them.
  output: {
    ...pageOfRows(rowFields, { entity: 'workTask', sums: [...countKeys, ...rateKeys] }),
    nonAdditive: rateKeys,
  },
})

export const exportWorkRates = {
  ...declareExport({
    route: 'GET Task/GetRatesExport',
    title: '导出任务统计',
    needs: permissions.export,
    list: listWorkRates,
  }),
  sums: countKeys,
}

const nameFields = {
  day: day('日期'),
  staff: text('执行人'),
  plan: text('计划'),
  target: text('对象'),
  subject: text('工作内容'),
} as const

/** The columns of the sheet: what a row is named by is what the rates are counted by. */
export const rateColumnsBy = (by: keyof typeof nameFields) =>
  sheetColumns({ ...rowFields, name: nameFields[by] }, ['kind', 'name', ...countKeys, ...rateKeys])
