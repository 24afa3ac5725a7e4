import { addDays } from '#kit/domain/day.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'

/** What the demo's plans have in common that have asked for work since `days` ago. */
export const pastPlan = (projectCode: string, now: Moment, days: number) => ({
  projectCode,
  beginDate: addDays(dayOfMoment(now), -days),
  calendarRule: 'always' as const,
  remindMinutes: 15,
  lateEndMinutes: 30,
  state: 'enabled' as const,
})
