import type { DayState } from './day.ts'

/** Results that say something of work that was due: a day without it cannot have them. */
const ofDueWork: readonly DayState[] = ['late', 'early', 'lateAndEarly', 'missing', 'absent', 'leave']

/** Why a day cannot be given a result by hand (ATT-10), by the field that is wrong. */
export interface ManualFault {
  readonly field: 'state' | 'leaveType'
  readonly message: string
}

export function manualFault(
  state: DayState | undefined,
  leaveType: string | undefined,
  dueMinutes: number,
): ManualFault | undefined {
  if (state === 'leave' && leaveType === undefined) return { field: 'leaveType', message: '请选择假别' }
  if (state !== undefined && ofDueWork.includes(state) && dueMinutes === 0)
    return { field: 'state', message: '当日休息或未排班，无需出勤，不能改为该结果；需要出勤的请先排班' }
  return undefined
}
