import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  day,
  flag,
  idOf,
  int,
  lines,
  list,
  lookup,
  part,
  text,
  type Rule,
} from '#kit/contract/field.ts'
import { idRule } from '#kit/contract/shape.ts'
import { calendarYears, clockRule } from '#kit/contract/rules.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { calendarRule, cycleType, planState, staffMode, targetType, workKind } from './choices.ts'

const numberRule = (name: string, min: number, max: number, message: string): Rule => ({
  name,
  test: value =>
    /^\d{1,2}$/.test(value) && Number(value) >= min && Number(value) <= max ? undefined : message,
})

const dateRule: Rule = {
  name: 'cycleDate',
  test: value => (/^\d{4}-\d\d-\d\d$/.test(value) ? calendarYears.test(value) : '应为日期，如 2026-03-01'),
}

/** What belongs to the cycle's type; the rest is ignored (PAT-2). */
export const cycleFields = {
  weekDays: list('星期', { max: 7, rule: numberRule('weekDay', 1, 7, '星期应为 1 至 7') }),
  monthDays: list('日期', { max: 31, rule: numberRule('monthDay', 1, 31, '日期应为 1 至 31') }),
  monthEndClamp: flag('无此日按月末', { help: '如 31 日在 2 月按最后一天执行；不选则该月跳过' }),
  everyDays: int('间隔天数', { min: 1, max: 3660 }),
  dates: list('指定日期', { max: 366, rule: dateRule }),
}

export const timeFields = {
  begin: text('开始', { required: true, max: 5, rule: clockRule, wire: 'begin' }),
  end: text('结束', { required: true, max: 5, rule: clockRule, wire: 'end', help: '不晚于开始时间为次日' }),
}

const inDetail = { hiddenIn: ['table', 'filter', 'sheet'] } as const
const besideForm = { derived: true, hiddenIn: ['form', 'filter'] } as const

/** What is to be done, how often, when and by whom: of every kind of planned work (C13). */
export const workPlan = entity(
  'workPlan',
  '计划',
  { table: 'work_plan', tenancy: 'project', title: 'planName', order: ['-id'] },
  {
    projectCode: estateField(),
    estateName: lookup('项目', 'projectCode', 'name', { wire: 'EstateName' }),
    kind: choice('工作类别', workKind, {
      required: true,
      immutable: true,
      wire: 'WorkKind',
      hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'],
    }),
    planName: text('名称', { required: true, max: 60, searchable: true }),
    /** The road, the standard or the template, as the kind says. */
    subjectId: idOf('工作内容', {
      required: true,
      min: 1,
      max: 1e15,
      wire: 'SubjectID',
      hiddenIn: ['table', 'filter', 'sheet', 'detail'],
    }),
    subjectName: text('工作内容', { ...besideForm, wire: 'SubjectName' }),
    targetType: choice('对象类别', targetType, { ...inDetail }),
    targetIds: {
      ...list('对象', { max: 200, rule: idRule, wire: ['TargetIDs', 'TargetIds'], ...inDetail }),
    },
    targetNames: text('对象', { ...besideForm, wire: 'TargetNames' }),
    cycleType: choice('周期', cycleType, { required: true, initial: 'daily' }),
    cycle: part('周期值', cycleFields, { wire: ['CycleJson', 'Cycle'], ...inDetail }),
    calendarRule: choice('节假日', calendarRule, { required: true, initial: 'always', hiddenIn: ['table'] }),
    times: lines('时段', timeFields, {
      required: true,
      min: 1,
      max: 24,
      wire: ['TimesJson', 'Times'],
      ...inDetail,
    }),
    schedule: text('执行时间', { ...besideForm, wire: 'ScheduleText' }),
    staffMode: choice('人员方式', staffMode, { required: true, initial: 'rotation' }),
    staffIds: {
      ...list('人员', { required: true, max: 50, rule: idRule, wire: ['StaffIDs', 'StaffIds'], ...inDetail }),
      target: 'staff',
      targetBy: 'id' as const,
    },
    staffNames: text('人员', { ...besideForm, wire: 'StaffNames' }),
    beginDate: day('起', { required: true, rule: calendarYears }),
    endDate: day('止', { rule: calendarYears, help: '不填为长期' }),
    remindMinutes: int('提前提醒', {
      required: true,
      min: 0,
      max: 1440,
      initial: 15,
      unit: '分钟',
      help: '0 为不提醒',
      ...inDetail,
    }),
    lateEndMinutes: int('迟到截止', {
      required: true,
      min: 0,
      max: 1440,
      initial: 30,
      unit: '分钟',
      help: '结束后多久内仍可签到，其后计漏检',
      ...inDetail,
    }),
    remark: text('备注', { max: 200, ...inDetail }),
    state: choice('状态', planState, { required: true, initial: 'enabled' }),
  },
)

export type WorkPlan = Row<typeof workPlan>

/** Filters of a list of plans, and what no form of them saves: for `crud(workPlan, …)` of each kind. */
export const planFilters = ['state', 'cycleType', 'staffMode', 'beginDate'] as const
export const planWithout = ['kind'] as const

/** The columns of a sheet of plans. */
export const planSheet = [
  'estateName',
  'planName',
  'subjectName',
  'targetNames',
  'schedule',
  'calendarRule',
  'staffMode',
  'staffNames',
  'beginDate',
  'endDate',
  'state',
  'remark',
] as const

/** The fields of plans as their sheet names them: what a kind calls that which its plans are made from. */
export const planSheetEntity = (subjectLabel: string, targetLabel = workPlan.fields.targetNames.label) => ({
  ...workPlan,
  fields: {
    ...workPlan.fields,
    subjectName: { ...workPlan.fields.subjectName, label: subjectLabel },
    targetNames: { ...workPlan.fields.targetNames, label: targetLabel },
  },
})
