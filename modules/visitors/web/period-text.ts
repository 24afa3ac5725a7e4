import type { Invitation } from '../contract/invitation.ts'

/** The day once where the visit ends on it. */
export const periodText = ({ beginTime, endTime }: Pick<Invitation, 'beginTime' | 'endTime'>): string => {
  const isOneDay = beginTime.slice(0, 10) === endTime.slice(0, 10)
  return `${beginTime.slice(5, 16)} ~ ${isOneDay ? endTime.slice(11, 16) : endTime.slice(5, 16)}`
}
