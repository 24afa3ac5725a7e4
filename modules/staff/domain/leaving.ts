import type { Day } from '#kit/domain/day.ts'

interface LeavingFacts {
  readonly state?: string | undefined
  readonly entryDate?: Day | undefined
  readonly leaveDate?: Day | undefined
}

/** What is wrong with the day on which an employee leaves. */
export function leaveDateFaults({ state, entryDate, leaveDate }: LeavingFacts, today: Day): string[] {
  if (!leaveDate) return state === 'left' ? ['离职请填写离职日期'] : []
  return [
    ...(entryDate && leaveDate < entryDate ? ['离职日期不能早于入职日期'] : []),
    ...(leaveDate > today ? ['离职日期不能晚于今天，请到当天再办理'] : []),
  ]
}
