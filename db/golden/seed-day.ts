import type { Day } from '#kit/domain/day.ts'
import { dayOfInstant, fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { Scope } from '#kit/server/scope.ts'

/** The day on which sample data is laid: what runs or is due is dated from it. */
export const seedDay = ({ time }: Pick<Scope, 'time'>): Day => dayOfInstant(Date.parse(time))

/** A moment of the past: one that would come later is the present. */
export function untilSeeding({ time }: Pick<Scope, 'time'>, moment: Moment): Moment {
  const now = fromInstant(Date.parse(time))
  return moment < now ? moment : now
}
