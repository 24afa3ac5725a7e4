import { labelOf } from '#kit/contract/field.ts'
import { emptyPlaceholder } from '#kit/contract/text.ts'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { cancelApplications, type AttendanceApply } from '../contract/apply.ts'
import { applyType } from '../contract/choices.ts'

export const nameOfApplication = (row: AttendanceApply): string =>
  `${row.staffName ?? ''} ${labelOf(applyType, row.applyType)}`

/** The days of a changed shift are where others have their times. */
export const applicationTimes = [
  {
    key: 'beginTime' as const,
    render: (row: AttendanceApply) => beginOf(row) ?? emptyPlaceholder,
    text: (row: AttendanceApply) => beginOf(row) ?? '',
  },
  {
    key: 'endTime' as const,
    render: (row: AttendanceApply) => endOf(row) ?? emptyPlaceholder,
    text: (row: AttendanceApply) => endOf(row) ?? '',
  },
]

const beginOf = ({ beginTime, workDay }: AttendanceApply): string | undefined =>
  workDay ? `${workDay} 上班` : beginTime?.slice(0, 16)

const endOf = ({ endTime, restDay }: AttendanceApply): string | undefined =>
  restDay ? `${restDay} 休息` : endTime?.slice(0, 16)

export const cancelAction = createReasonAction(cancelApplications, {
  label: '撤销',
  unit: '张单据',
  nameOf: nameOfApplication,
  consequences: ['考勤按撤销后的情况重新计算。'],
  disabledReason: row =>
    row.state === 'passed' || row.state === 'pending' ? undefined : '只有审批中与已通过的单据可以撤销',
})
