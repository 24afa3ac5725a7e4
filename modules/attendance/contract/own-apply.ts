import { call, everyone } from '#kit/contract/call.ts'
import { choice, decimal, flag, idOf, int, lines, text } from '#kit/contract/field.ts'
import { pageOf, recordOf, search, shape } from '#kit/contract/shape.ts'
import { approvalKind } from '#modules/approvals/contract/choices.ts'
import { processInstance } from '#modules/approvals/contract/instance.ts'
import { attendanceApply } from './apply.ts'
import { applyType, leaveType } from './choices.ts'

const {
  applyType: type,
  leaveType: kind,
  beginTime,
  endTime,
  mendPoint,
  workDay,
  restDay,
  reason,
  attachments,
} = attendanceApply.fields

const asked = { applyType: type, leaveType: kind, beginTime, endTime, mendPoint, workDay, restDay }

/** A document that came back to the caller, who may have registered it for somebody else. */
const amendedId = idOf('退回的单据', { min: 1, wire: 'AmendedID' })

/** The caller's own documents, with their state; or the one that is named, which came back to the caller. */
export const listOwnApplications = call({
  route: 'GET oa/v1/AttendanceApply/GetOwnList',
  title: '我的考勤申请',
  needs: everyone,
  input: search(attendanceApply, ['applyType', 'state', 'beginTime'], { amendedId }),
  output: pageOf(attendanceApply),
})

/** What the caller may ask for, and how much of it has been taken (ATT-11). */
export const getOwnLimits = call({
  route: 'GET oa/v1/AttendanceApply/GetOwnLimits',
  title: '查询考勤申请限额',
  needs: everyone,
  input: shape({}),
  output: shape(
    {
      staffId: idOf('员工', { wire: 'StaffID' }),
      staffName: text('姓名'),
      /** Why the caller can ask for nothing; none where they can. */
      refusal: text('不能申请的原因'),
      types: lines(
        '类型',
        {
          applyType: choice('类型', applyType, { required: true }),
          /** Without a definition in use the office registers such a document. */
          isOffered: flag('可申请', { required: true }),
        },
        { required: true },
      ),
      mendCount: int('本月已补卡', { required: true, unit: '次' }),
      mendLimit: int('每月可补', { required: true, unit: '次' }),
      mendDays: int('补卡期限', { required: true, unit: '天' }),
      leaves: lines(
        '本年已请',
        {
          leaveType: choice('假别', leaveType, { required: true }),
          hours: decimal('时长', { required: true, scale: 2, unit: '小时' }),
        },
        { required: true },
      ),
    },
    { entity: 'attendanceApply' },
  ),
})

/** The form as it would be approved: with how long it lasts in working time of its person. */
export const previewOwnApplication = call({
  route: 'POST oa/v1/AttendanceApply/PostOwnPreview',
  title: '预览考勤申请',
  needs: everyone,
  readOnly: true,
  input: shape({ ...asked, reason: text('事由', { max: 500 }), amendedId }),
  output: shape({
    bizType: choice('业务', approvalKind, { required: true }),
    form: text('表单', { required: true, max: 20_000, wire: 'FormJson' }),
    hours: decimal('时长', { scale: 2, unit: '小时' }),
  }),
})

/** The caller asks for leave, a mended punch and the like; it takes effect once it is approved. */
export const sendOwnApplication = call({
  route: 'POST oa/v1/AttendanceApply/PostOwn',
  title: '提交考勤申请',
  needs: everyone,
  affects: ['attendanceApply', 'processInstance', 'dayRecord', 'attendanceLog', 'attendanceSchedule'],
  input: shape({ ...asked, reason, attachments, chosen: processInstance.fields.chosen }),
  output: recordOf(attendanceApply),
})

/** What came back is changed by the person who asked for it and goes in again; its sort stays (APR-4). */
export const resendOwnApplication = call({
  route: 'POST oa/v1/AttendanceApply/PostOwnAgain',
  title: '重新提交考勤申请',
  needs: everyone,
  affects: ['attendanceApply', 'processInstance', 'dayRecord', 'attendanceLog', 'attendanceSchedule'],
  input: shape({
    id: idOf('考勤单据', { required: true, min: 1, wire: 'ID' }),
    version: int('版本', { min: 0 }),
    ...asked,
    reason,
    attachments,
    chosen: processInstance.fields.chosen,
  }),
  output: recordOf(attendanceApply),
})
