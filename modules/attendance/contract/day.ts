import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport, crudImport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  day,
  decimal,
  flag,
  idOf,
  int,
  lines,
  lookup,
  moment,
  ref,
  text,
} from '#kit/contract/field.ts'
import { calendarYears } from '#kit/contract/rules.ts'
import {
  byId,
  listOfRows,
  noData,
  pageOfRows,
  reasonField,
  recordIdsField,
  shape,
} from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { daySort, dayState, leaveType } from './choices.ts'
import { departmentNameField, departmentSearch, staffFields } from './fields.ts'
import { scheduleGridSearch } from './schedule.ts'

const minutes = (label: string) => int(label, { required: true, unit: '分钟', hiddenIn: ['form'] })
const inDetail = { hiddenIn: ['table', 'form', 'filter', 'sheet'] } as const

/** One person's day as it was computed, with what somebody changed beside it (ATT-10). */
export const dayRecord = entity(
  'dayRecord',
  '每日考勤',
  { table: 'attendance_day', tenancy: 'company', title: 'workDate', order: ['-workDate', 'staffId'] },
  {
    ...staffFields,
    departmentName: departmentNameField,
    workDate: day('日期', { required: true }),
    groupId: ref('考勤组', 'attendanceGroup', {
      wire: ['GroupID', 'GroupId'],
      hiddenIn: ['table', 'detail', 'sheet'],
    }),
    groupName: lookup('考勤组', 'groupId', 'groupName', { wire: 'GroupName' }),
    shiftId: ref('班次', 'attendanceShift', {
      wire: ['ShiftID', 'ShiftId'],
      hiddenIn: ['table', 'detail', 'sheet', 'filter'],
    }),
    shiftName: lookup('班次', 'shiftId', 'shiftName', { wire: 'ShiftName' }),
    daySort: choice('日期类型', daySort, { required: true }),
    inTime: moment('上班卡', { hiddenIn: ['filter'] }),
    outTime: moment('下班卡', { hiddenIn: ['filter'] }),
    state: choice('计算结果', dayState, { help: '按打卡、班次与单据计算' }),
    manualState: choice('人工结果', dayState),
    manualLeaveType: choice('人工假别', leaveType, { hiddenIn: ['table', 'filter'] }),
    manualReason: text('修改原因', { max: 200, hiddenIn: ['table', 'filter'] }),
    lateMinutes: minutes('迟到'),
    earlyMinutes: minutes('早退'),
    isSevereLate: flag('严重迟到', { required: true, ...inDetail }),
    missingCount: int('缺卡', { required: true, wire: 'MissCount' }),
    absentDays: decimal('旷工', { required: true, scale: 1, unit: '天' }),
    leaveHours: decimal('请假', { required: true, scale: 2, unit: '小时' }),
    leaves: lines(
      '请假明细',
      { leaveType: choice('假别', leaveType, { required: true }), minutes: int('分钟', { required: true }) },
      inDetail,
    ),
    overtimeMinutes: minutes('加班'),
    workMinutes: minutes('出勤'),
    dueMinutes: int('应出勤', { required: true, unit: '分钟', ...inDetail }),
    isOpen: flag('未结束', { required: true, ...inDetail }),
  },
)

export type DayRecord = Row<typeof dayRecord>

const { permissions } = menu.record

export const dayRecords = crud(dayRecord, {
  path: 'oa/v1/DayRecord',
  permissions,
  operations: ['list'],
  filters: [
    'workDate',
    'state',
    'manualState',
    'groupId',
    'staffId',
    'daySort',
    'lateMinutes',
    'earlyMinutes',
  ],
  search: { ...departmentSearch, isAnomaly: flag('仅异常', { wire: 'IsAnomaly' }) },
  sums: ['lateMinutes', 'earlyMinutes', 'absentDays', 'leaveHours', 'overtimeMinutes'],
  list: { route: 'GET oa/v1/DayRecord/GetPagedList' },
})

export const exportDayRecords = crudExport(dayRecords, {
  needs: permissions.export,
  route: 'GET oa/v1/DayRecord/Export',
})

/** Set beside the computed result, never in its place; without a state it is taken back. */
export const updateDayState = call({
  route: 'POST oa/v1/DayRecord/UpdateState',
  title: '修改考勤结果',
  needs: permissions.correct,
  affects: ['dayRecord'],
  input: shape({
    ids: recordIdsField,
    state: choice('结果', dayState, { wire: ['State', 'ManualState'], help: '不选为恢复计算结果' }),
    leaveType: choice('假别', leaveType, {
      wire: ['LeaveType', 'ManualLeaveType'],
      help: '结果为请假时必填',
    }),
    reason: reasonField,
  }),
  output: noData,
})

export const importDayStates = crudImport(
  { entity: dayRecord, path: 'oa/v1/DayRecord' },
  {
    needs: permissions.import,
    route: 'POST oa/v1/DayRecord/Import',
    label: '考勤结果',
    fields: {
      staffNo: text('工号', { required: true, max: 20 }),
      workDate: day('日期', { required: true, rule: calendarYears }),
      manualState: choice('考勤结果', dayState, { required: true }),
      manualLeaveType: choice('假别', leaveType, { help: '考勤结果为请假时必填' }),
      manualReason: text('修改原因', { required: true, min: 2, max: 200 }),
    },
    unique: ['staffNo', 'workDate'],
    affects: ['dayRecord'],
  },
)

/** From what a day came to its figures. */
export const explainDayRecord = call({
  route: 'GET oa/v1/DayRecord/GetExplain',
  title: '查看考勤计算依据',
  needs: permissions.view,
  input: byId,
  output: listOfRows(
    { label: text('项目', { required: true }), text: text('依据', { required: true }) },
    { entity: 'dayRecord' },
  ),
})

/** The month as people × days. */
export const getDayGrid = call({
  route: 'GET oa/v1/DayRecord/GetGrid',
  title: '查看考勤台账',
  needs: permissions.view,
  input: shape(scheduleGridSearch),
  output: pageOfRows(
    {
      staffId: idOf('员工', { required: true, wire: 'StaffId' }),
      staffName: text('姓名', { required: true, wire: 'StaffName' }),
      staffNo: text('工号', { wire: 'StaffNo' }),
      departmentName: text('部门', { wire: 'Departmentname' }),
      days: lines('每日', {
        id: idOf('编号', { required: true, wire: 'ID' }),
        workDate: day('日期', { required: true }),
        state: choice('状态', dayState),
        isManual: flag('人工', { required: true }),
        shiftName: text('班次'),
        minutes: int('迟到早退', { required: true }),
      }),
    },
    { entity: 'dayRecord' },
  ),
})
