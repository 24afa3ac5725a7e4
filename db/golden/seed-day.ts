import type { Day } from '#kit/domain/day.ts'
import { dayOfInstant } from '#kit/domain/moment.ts'
import type { Scope } from '#kit/server/scope.ts'

/** The day on which sample data is laid: what runs or is due is dated from it. */
export const seedDay = ({ time }: Pick<Scope, 'time'>): Day => dayOfInstant(Date.parse(time))
