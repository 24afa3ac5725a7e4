import { choice, decimal, moment, text } from '#kit/contract/field.ts'
import { declareApprovalKind } from '#modules/approvals/contract/kind.ts'
import { attendanceApply } from './apply.ts'
import { leaveType } from './choices.ts'

const { beginTime, endTime, mendPoint, workDay, restDay, reason, attachments } = attendanceApply.fields

const staffName = text('员工', { required: true, max: 40 })
const hours = decimal('时长', { scale: 2, unit: '小时' })
/** Working days that a document takes: what a definition asks more approvers for. */
const days = decimal('天数', { scale: 2, unit: '天' })
const lasting = { staffName, beginTime, endTime, hours, days, reason, attachments }

export const leaveKind = declareApprovalKind({
  key: 'leave',
  form: {
    staffName,
    leaveType: choice('假别', leaveType, { required: true }),
    beginTime,
    endTime,
    hours,
    days,
    reason,
    attachments,
  },
})

export const mendCardKind = declareApprovalKind({
  key: 'mendCard',
  form: { staffName, punchTime: moment('补卡时间', { required: true }), mendPoint, reason, attachments },
})

export const overtimeKind = declareApprovalKind({
  key: 'overtime',
  form: { staffName, beginTime, endTime, hours, reason, attachments },
})

export const outKind = declareApprovalKind({ key: 'out', form: lasting })

export const tripKind = declareApprovalKind({ key: 'trip', form: lasting })

export const shiftChangeKind = declareApprovalKind({
  key: 'shiftChange',
  form: { staffName, workDay, restDay, reason, attachments },
})

/** The kind of approval of each sort of document. */
export const kindByType = {
  leave: leaveKind,
  mend: mendCardKind,
  overtime: overtimeKind,
  out: outKind,
  trip: tripKind,
  swap: shiftChangeKind,
} as const
