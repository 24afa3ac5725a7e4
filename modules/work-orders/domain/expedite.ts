import { addMinutes, secondsBetween, type Moment } from '#kit/domain/moment.ts'

/** Minutes until it may be urged again, rounded up; 0 when it may now (WO-5). */
export function expediteWait(last: Moment | undefined, intervalMinutes: number, now: Moment): number {
  if (last === undefined) return 0
  return Math.max(0, Math.ceil(secondsBetween(now, addMinutes(last, intervalMinutes)) / 60))
}

/** T-WO-03: urged twice within the interval, the second is refused with the minutes that remain. */
export const expediteRefusal = (waitMinutes: number): string | undefined =>
  waitMinutes > 0 ? `刚刚催办过，请 ${waitMinutes} 分钟后再催办` : undefined

/** The third urging and every one after it also reaches the supervisors. */
export const escalates = (expediteCount: number): boolean => expediteCount >= 3
