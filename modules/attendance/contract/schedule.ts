import { call } from '#kit/contract/call.ts'
import { crudImport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { day, flag, idOf, int, lines, list, lookup, month, ref, text } from '#kit/contract/field.ts'
import { pageOfRows, shape } from '#kit/contract/shape.ts'
import { calendarYears } from '#kit/contract/rules.ts'
import { menu } from '../module.ts'
import { departmentSearch, groupSearch, staffFields } from './fields.ts'

/** One person's shift of one day; without a shift the day is free (ATT-2). */
export const attendanceSchedule = entity(
  'attendanceSchedule',
  '排班',
  { table: 'attendance_schedule', tenancy: 'company', title: 'workDate', order: ['workDate', 'id'] },
  {
    ...staffFields,
    workDate: day('日期', { required: true, rule: calendarYears }),
    shiftId: ref('班次', 'attendanceShift', { wire: ['ShiftID', 'ShiftId'], hiddenIn: ['table', 'sheet'] }),
    shiftName: lookup('班次', 'shiftId', 'shiftName', { wire: 'ShiftName' }),
  },
)

export type AttendanceSchedule = Row<typeof attendanceSchedule>

const { permissions } = menu.schedule
const affects = ['attendanceSchedule', 'dayRecord']
const changedCount = shape({ count: int('排班天数', { required: true }) })
const staffIds = {
  ...list('员工', { required: true, max: 500, wire: ['StaffIds', 'StaffIDs'] }),
  target: 'staff',
}

export const scheduleGridSearch = {
  month: month('月份', { required: true, rule: calendarYears }),
  ...groupSearch,
  ...departmentSearch,
  keyword: text('姓名、工号', { max: 40, wire: ['KeyWord', 'Keyword'] }),
  page: int('页码', { wire: 'PageIndex', min: 1, max: 1000 }),
  size: int('每页人数', { wire: 'PageSize', min: 1, max: 500 }),
}

/** The month as people × days: each day's personal schedule, and beside it what the week table plans. */
export const getScheduleGrid = call({
  route: 'GET oa/v1/AttendanceSchedule/GetGrid',
  title: '查看排班表',
  needs: permissions.view,
  input: shape(scheduleGridSearch),
  output: pageOfRows(
    {
      staffId: idOf('员工', { required: true, wire: 'StaffId' }),
      staffName: text('姓名', { required: true, wire: 'StaffName' }),
      staffNo: text('工号', { wire: 'StaffNo' }),
      departmentName: text('部门', { wire: 'Departmentname' }),
      groupName: text('考勤组', { wire: 'GroupName' }),
      days: lines('排班', {
        workDate: day('日期', { required: true, rule: calendarYears }),
        shiftId: idOf('班次', { required: true, wire: 'ShiftID' }),
      }),
      planned: lines('未单独排班的日期', {
        workDate: day('日期', { required: true, rule: calendarYears }),
        shiftId: idOf('班次', { required: true, wire: 'ShiftID', help: '按周班表与节假日；0 为休息' }),
      }),
    },
    { entity: 'attendanceSchedule' },
  ),
})

/** Sets, changes or clears days of people; days of closed months are refused. */
export const saveSchedule = call({
  route: 'POST oa/v1/AttendanceSchedule/Save',
  title: '保存排班',
  needs: permissions.edit,
  affects,
  input: shape({
    cells: lines(
      '排班',
      {
        staffId: idOf('员工', { required: true, min: 1, wire: 'StaffId' }),
        workDate: day('日期', { required: true, rule: calendarYears }),
        shiftId: idOf('班次', { min: 0, wire: 'ShiftID', help: '0 为休息' }),
        isCleared: flag('取消排班', { wire: 'IsCleared' }),
      },
      { required: true, min: 1, max: 2000, wire: 'Cells' },
    ),
  }),
  output: changedCount,
})

/** A cycle of shifts over days: `1,1,0` is two days of shift 1, then one of rest. */
export const fillSchedule = call({
  route: 'POST oa/v1/AttendanceSchedule/Fill',
  title: '循环排班',
  needs: permissions.edit,
  affects,
  input: shape({
    staffIds,
    from: day('起', { required: true, rule: calendarYears, wire: 'BeginDate' }),
    to: day('止', { required: true, rule: calendarYears, wire: 'EndDate' }),
    cycle: lines(
      '循环',
      {
        shiftId: ref('班次', 'attendanceShift', { wire: 'ShiftID', help: '不选为休息' }),
        days: int('天数', { required: true, min: 1, max: 31, initial: 1 }),
      },
      { required: true, min: 1, max: 14, wire: 'Cycle' },
    ),
  }),
  output: changedCount,
})

/** The schedule of a span of days once more, from another day on. */
export const copySchedule = call({
  route: 'POST oa/v1/AttendanceSchedule/Copy',
  title: '复制排班',
  needs: permissions.edit,
  affects,
  input: shape({
    staffIds,
    from: day('复制起', { required: true, rule: calendarYears, wire: 'BeginDate' }),
    to: day('复制止', { required: true, rule: calendarYears, wire: 'EndDate' }),
    target: day('粘贴起', { required: true, rule: calendarYears, wire: 'TargetDate' }),
  }),
  output: changedCount,
})

export const importSchedule = crudImport(
  { entity: attendanceSchedule, path: 'oa/v1/AttendanceSchedule' },
  {
    needs: permissions.import,
    route: 'POST oa/v1/AttendanceSchedule/Import',
    label: '排班',
    fields: {
      staffNo: text('工号', { required: true, max: 20 }),
      workDate: day('日期', { required: true, rule: calendarYears }),
      shiftName: text('班次', { required: true, max: 40, help: '班次名称，休息日填「休息」' }),
    },
    unique: ['staffNo', 'workDate'],
    affects,
  },
)
