import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, decimal, flag, int, lines, list, moment, ref, text } from '#kit/contract/field.ts'
import { calendarYears } from '#kit/contract/rules.ts'
import { byId, byIdsWithReason, extendShape, noData, recordOf } from '#kit/contract/shape.ts'
import { instanceState, taskState } from '#modules/approvals/contract/choices.ts'
import { processInstance } from '#modules/approvals/contract/instance.ts'
import { menu } from '../module.ts'
import { applyState, applyType, leaveType, mendPoint } from './choices.ts'
import { departmentNameField, departmentSearch, staffFields } from './fields.ts'

/** Leave, a forgotten punch, overtime, work elsewhere, a changed shift. */
export const attendanceApply = entity(
  'attendanceApply',
  '考勤单据',
  { table: 'attendance_apply', tenancy: 'company', title: 'reason', order: ['-id'] },
  {
    ...staffFields,
    departmentName: departmentNameField,
    applyType: choice('类型', applyType, { required: true }),
    leaveType: choice('假别', leaveType),
    beginTime: moment('开始时间', { rule: calendarYears, help: '补卡为打卡时间' }),
    endTime: moment('结束时间', { rule: calendarYears }),
    hours: decimal('时长', { scale: 2, unit: '小时', hiddenIn: ['form', 'filter'] }),
    mendDate: day('补卡日期', { hiddenIn: ['form', 'table'] }),
    mendPoint: choice('补卡点', mendPoint, { hiddenIn: ['table'] }),
    workDay: day('上班日', {
      rule: calendarYears,
      help: '调班：改为上班的日期',
      hiddenIn: ['table', 'filter'],
    }),
    restDay: day('休息日', {
      rule: calendarYears,
      help: '调班：改为休息的日期',
      hiddenIn: ['table', 'filter'],
    }),
    shiftId: ref('班次', 'attendanceShift', {
      wire: ['ShiftID', 'ShiftId'],
      help: '调班：上班日的班次',
      hiddenIn: ['table', 'filter', 'sheet'],
    }),
    reason: text('事由', { required: true, min: 2, max: 500, searchable: true }),
    attachments: list('附件', { max: 9, holdsFiles: true, hiddenIn: ['table', 'filter', 'sheet'] }),
    instanceId: int('审批', { wire: 'InstanceID', hiddenIn: ['form', 'table', 'filter', 'sheet', 'detail'] }),
    state: choice('状态', applyState, {
      required: true,
      initial: 'passed',
      hiddenIn: ['form'],
      struckOut: ['refused', 'withdrawn', 'cancelled'],
    }),
    /** For an own document: the approvers want it changed or explained; it still waits. */
    isReturned: flag('已退回', { derived: true, hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] }),
    /** The caller asked for it, and changes what came back. */
    isAmendable: flag('可修改', { derived: true, hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] }),
    returnReason: text('退回原因', { derived: true, hiddenIn: ['table', 'form', 'filter', 'sheet'] }),
    registrar: text('登记人', { max: 40, hiddenIn: ['form', 'filter'] }),
  },
)

export type AttendanceApply = Row<typeof attendanceApply>

const { permissions } = menu.apply

/** The approval state of a document; empty for one that the office registered. */
const approvalFields = {
  approvalState: choice('审批状态', instanceState),
  approvalNo: text('审批编号'),
  approvalNode: text('当前节点'),
  approvals: lines('审批过程', {
    nodeName: text('节点', { required: true }),
    approverName: text('审批人'),
    state: choice('状态', taskState, { required: true }),
    opinion: text('意见'),
    handleTime: moment('处理时间'),
  }),
}

const affects = ['attendanceSchedule', 'attendanceLog', 'dayRecord']

export const applications = crud(attendanceApply, {
  path: 'oa/v1/AttendanceApply',
  permissions,
  operations: ['list', 'add'],
  filters: ['applyType', 'leaveType', 'state', 'beginTime', 'staffId'],
  search: departmentSearch,
  without: ['hours', 'mendDate', 'instanceId', 'state', 'registrar'],
  addFields: { chosen: processInstance.fields.chosen },
  list: { route: 'GET oa/v1/AttendanceApply/GetList' },
  add: { title: '登记考勤单据' },
  affects,
})

/** Takes back what a document did: the days are computed without it, and without the punch that it added. */
export const cancelApplications = call({
  route: 'DELETE oa/v1/AttendanceApply/Delete',
  title: '撤销考勤单据',
  needs: permissions.del,
  affects: ['attendanceApply', ...affects],
  input: byIdsWithReason,
  output: noData,
})

export const getLeaveDetail = call({
  route: 'GET oa/v1/AttendanceApply/GetLeaveDetail',
  title: '查看请假单',
  needs: permissions.view,
  input: byId,
  output: extendShape(recordOf(attendanceApply), approvalFields),
})

/** With how many punches the person has had mended in the month, and how many they may. */
export const getMendDetail = call({
  route: 'GET oa/v1/AttendanceApply/GetMendCardDetail',
  title: '查看补卡单',
  needs: permissions.view,
  input: byId,
  output: extendShape(recordOf(attendanceApply), {
    mendCount: int('本月补卡', { required: true }),
    mendLimit: int('每月可补', { required: true }),
    ...approvalFields,
  }),
})

/** ATT-14: no records are made of them. */
export const attendanceExemption = entity(
  'attendanceExemption',
  '免考勤人员',
  { table: 'attendance_exemption', tenancy: 'company', title: 'reason', order: ['-beginDate', 'id'] },
  {
    ...staffFields,
    departmentName: departmentNameField,
    beginDate: day('起始日', { required: true, rule: calendarYears }),
    endDate: day('截止日', { rule: calendarYears, help: '不填为长期' }),
    reason: text('原因', { required: true, min: 2, max: 200 }),
  },
)

export type AttendanceExemption = Row<typeof attendanceExemption>

export const exemptions = crud(attendanceExemption, {
  path: 'oa/v1/AttendanceBan',
  permissions: menu.exempt.permissions,
  operations: ['list', 'save', 'delete'],
  filters: ['staffId', 'beginDate'],
  list: { route: 'GET oa/v1/AttendanceBan/GetPagedList' },
  affects: ['dayRecord'],
})
