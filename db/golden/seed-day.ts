import type { Day } from '#kit/domain/day.ts'
import { dayOfMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { Scope } from '#kit/server/scope.ts'

/** The moment at which sample data is laid: what runs or is due is dated from it. */
export const seedMoment = ({ time }: Pick<Scope, 'time'>): Moment => fromInstant(Date.parse(time))

export const seedDay = (scope: Pick<Scope, 'time'>): Day => dayOfMoment(seedMoment(scope))

/** A moment of the past: one that would come later is the present. */
export function untilSeeding(scope: Pick<Scope, 'time'>, moment: Moment): Moment {
  const now = seedMoment(scope)
  return moment < now ? moment : now
}
