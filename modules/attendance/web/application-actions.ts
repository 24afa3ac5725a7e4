import { labelOf } from '#kit/contract/field.ts'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { cancelApplications, type AttendanceApply } from '../contract/apply.ts'
import { applyType } from '../contract/choices.ts'

export const nameOfApplication = (row: AttendanceApply): string =>
  `${row.staffName ?? ''} ${labelOf(applyType, row.applyType)}`

export const cancelAction = createReasonAction(cancelApplications, {
  label: '撤销',
  unit: '张单据',
  nameOf: nameOfApplication,
  consequences: ['考勤按撤销后的情况重新计算。'],
  disabledReason: row =>
    row.state === 'passed' || row.state === 'pending' ? undefined : '只有审批中与已通过的单据可以撤销',
})
