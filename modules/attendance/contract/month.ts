import { call } from '#kit/contract/call.ts'
import { declareExport } from '#kit/contract/import-export.ts'
import { entity } from '#kit/contract/entity.ts'
import {
  choice,
  day,
  decimal,
  flag,
  idOf,
  int,
  lines,
  list,
  moment,
  month,
  text,
} from '#kit/contract/field.ts'
import { calendarYears } from '#kit/contract/rules.ts'
import { fileResponse, listOfRows, noData, pageOfRows, reasonField, shape } from '#kit/contract/shape.ts'
import { sheetColumns } from '#kit/contract/sheet.ts'
import { menu } from '../module.ts'
import { dayState } from './choices.ts'
import { departmentSearch, groupSearch } from './fields.ts'
import { scheduleGridSearch } from './schedule.ts'

/** A month whose figures salaries were paid by: nothing changes them any more (ATT-12). */
export const attendanceMonth = entity(
  'attendanceMonth',
  '考勤月份',
  { table: 'attendance_month', tenancy: 'company', title: 'month', order: ['-month'] },
  {
    month: month('月份', { required: true, rule: calendarYears }),
    isClosed: flag('已封存', { required: true, wire: 'Locked' }),
    closeTime: moment('封存时间'),
    closedBy: text('封存人', { max: 40 }),
  },
)

const leaveHoursOf = (label: string, code: number) =>
  decimal(label, { scale: 2, unit: '小时', wire: `Leave${code}` })

/** ATT-13 */
export const monthRecordFields = {
  id: idOf('编号', { required: true, wire: ['ID', 'StaffId'] }),
  staffNo: text('工号', { wire: 'StaffNo' }),
  staffName: text('姓名', { required: true, wire: 'StaffName' }),
  departmentName: text('部门', { wire: 'Departmentname' }),
  month: month('月份', { required: true, rule: calendarYears }),
  dueDays: decimal('应出勤', { required: true, scale: 1, unit: '天' }),
  actualDays: decimal('实出勤', { required: true, scale: 2, unit: '天' }),
  rate: text('出勤率', { percent: true, wire: 'Rate' }),
  normalDays: int('正常', { required: true, unit: '天' }),
  lateCount: int('迟到次数', { required: true }),
  lateMinutes: int('迟到分钟', { required: true }),
  severeLateCount: int('严重迟到', { required: true }),
  earlyCount: int('早退次数', { required: true }),
  earlyMinutes: int('早退分钟', { required: true }),
  missCount: int('缺卡', { required: true }),
  absentDays: decimal('旷工', { required: true, scale: 1, unit: '天' }),
  leaveHours: decimal('请假合计', { required: true, scale: 2, unit: '小时' }),
  personalHours: leaveHoursOf('事假', 10),
  sickHours: leaveHoursOf('病假', 20),
  annualHours: leaveHoursOf('年假', 30),
  compensatoryHours: leaveHoursOf('调休', 40),
  marriageHours: leaveHoursOf('婚假', 50),
  maternityHours: leaveHoursOf('产假', 60),
  bereavementHours: leaveHoursOf('丧假', 70),
  injuryHours: leaveHoursOf('工伤', 80),
  overtimeWeekday: decimal('平时加班', { required: true, scale: 2, unit: '小时' }),
  overtimeRest: decimal('休息日加班', { required: true, scale: 2, unit: '小时' }),
  overtimeHoliday: decimal('节假日加班', { required: true, scale: 2, unit: '小时' }),
  mendCount: int('补卡次数', { required: true }),
  correctedDays: int('人工修改', { required: true, unit: '天' }),
  isClosed: flag('已封存', { required: true, wire: 'Locked' }),
}

const { permissions } = menu.record

export const listMonthRecords = call({
  route: 'GET oa/v1/MonthRecord/GetPagedList',
  title: '查询月度汇总',
  needs: permissions.view,
  input: shape(scheduleGridSearch),
  output: pageOfRows(monthRecordFields, { entity: 'dayRecord' }),
})

export const exportMonthRecords = declareExport({
  route: 'GET oa/v1/MonthRecord/Export',
  title: '导出月度汇总',
  needs: permissions.export,
  list: listMonthRecords,
})

const { id: _id, isClosed: _isClosed, ...sheetFields } = monthRecordFields

/** For salary clerks: sorted by the number of the person, not of the record. */
export const monthColumns = sheetColumns(sheetFields)

/** The sheet of salary clerks: a line for each person, a column for each day, then the totals. */
export const exportMonthSheet = call({
  route: 'GET oa/v1/MonthRecord/ExportSheet',
  title: '导出考勤月报',
  needs: permissions.export,
  input: shape({
    month: month('月份', { required: true, rule: calendarYears }),
    ...groupSearch,
    ...departmentSearch,
  }),
  output: fileResponse,
})

export const closeMonth = call({
  route: 'POST oa/v1/MonthRecord/Close',
  title: '封存考勤月份',
  needs: permissions.close,
  affects: ['dayRecord', 'attendanceMonth'],
  input: shape({ month: month('月份', { required: true, rule: calendarYears }) }),
  output: noData,
})

export const reopenMonth = call({
  route: 'POST oa/v1/MonthRecord/Reopen',
  title: '解除封存',
  needs: permissions.close,
  affects: ['dayRecord', 'attendanceMonth'],
  input: shape({ month: month('月份', { required: true, rule: calendarYears }), reason: reasonField }),
  output: noData,
})

/** The computed days of a span once more: after a change of shifts or groups. */
export const recomputeDays = call({
  route: 'POST oa/v1/DayRecord/Recompute',
  title: '重新计算考勤',
  needs: permissions.correct,
  affects: ['dayRecord'],
  input: shape({
    from: day('起', { required: true, rule: calendarYears, wire: 'BeginDate' }),
    to: day('止', { required: true, rule: calendarYears, wire: 'EndDate' }),
    ...groupSearch,
    staffIds: { ...list('员工', { max: 2000, wire: ['StaffIds', 'StaffIDs'] }), target: 'staff' },
  }),
  output: shape({ count: int('变化天数', { required: true }) }),
})

const stateCounts = lines(
  '各状态人数',
  { state: choice('状态', dayState, { required: true }), count: int('人数', { required: true }) },
  { required: true },
)

/** The attendance of a day, for the company and by department. */
export const getDayStatistics = call({
  route: 'GET AttendanceDayDetails/GetWorkAttendanceStatics',
  title: '考勤统计',
  needs: permissions.view,
  input: shape({
    from: day('起', { required: true, rule: calendarYears, wire: ['BeginDate', 'WorkDate'] }),
    to: day('止', { rule: calendarYears, wire: 'EndDate', help: '不填为起日当天' }),
    ...groupSearch,
  }),
  output: listOfRows(
    {
      departmentId: idOf('部门', { wire: 'DepartmentID' }),
      departmentName: text('部门', { required: true, wire: 'Departmentname' }),
      people: int('人数', { required: true }),
      dueDays: int('应出勤', { required: true, unit: '天' }),
      presentDays: decimal('实出勤', { required: true, scale: 2, unit: '天' }),
      rate: text('出勤率', { percent: true }),
      states: stateCounts,
    },
    { entity: 'dayRecord' },
  ),
})

/** Who has anomalies in a span, how many of each sort. */
export const listAnomalies = call({
  route: 'GET oa/v1/DayRecord/GetAnomaly',
  title: '查询异常统计',
  needs: permissions.view,
  input: shape({
    from: day('起', { required: true, rule: calendarYears, wire: 'BeginDate' }),
    to: day('止', { required: true, rule: calendarYears, wire: 'EndDate' }),
    ...groupSearch,
    ...departmentSearch,
    keyword: text('姓名、工号', { max: 40, wire: ['KeyWord', 'Keyword'] }),
    page: int('页码', { wire: 'PageIndex', min: 1, max: 1000 }),
    size: int('每页人数', { wire: 'PageSize', min: 1, max: 500 }),
  }),
  output: pageOfRows(
    {
      id: idOf('编号', { required: true, wire: ['ID', 'StaffId'] }),
      staffNo: text('工号', { wire: 'StaffNo' }),
      staffName: text('姓名', { required: true, wire: 'StaffName' }),
      departmentName: text('部门', { wire: 'Departmentname' }),
      anomalyDays: int('异常天数', { required: true }),
      lateCount: int('迟到', { required: true }),
      lateMinutes: int('迟到分钟', { required: true }),
      earlyCount: int('早退', { required: true }),
      missCount: int('缺卡', { required: true }),
      absentDays: decimal('旷工', { required: true, scale: 1, unit: '天' }),
      unscheduledDays: int('未排班', { required: true }),
    },
    { entity: 'dayRecord' },
  ),
})

/** Documents of a month that still wait for their approval: once it is closed they cannot take effect. */
export const countPendingOfMonth = call({
  route: 'GET oa/v1/MonthRecord/GetPending',
  title: '查询审批中的考勤单据',
  needs: permissions.close,
  input: shape({ month: month('月份', { required: true, rule: calendarYears }) }),
  output: shape(
    {
      count: int('审批中的单据', { required: true, unit: '张' }),
      staffNames: list('员工', { required: true, wire: 'StaffNames' }),
    },
    { entity: 'attendanceApply' },
  ),
})

export const listClosedMonths = call({
  route: 'GET oa/v1/MonthRecord/GetClosed',
  title: '查询已封存月份',
  needs: permissions.view,
  input: shape({}),
  output: listOfRows(
    {
      month: month('月份', { required: true, rule: calendarYears }),
      closeTime: moment('封存时间'),
      closedBy: text('封存人'),
    },
    { entity: 'attendanceMonth' },
  ),
})
