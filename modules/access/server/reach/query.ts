import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import type { RawBuilder } from '#kit/server/db.ts'

export type Sql = RawBuilder<unknown>

/** Whose rights are asked, at which doors of a project; everybody's at all doors without narrowing. */
export interface ReachQuery {
  readonly ownerId: Id
  readonly projectCode: string
  readonly today: Day
  /** ISO instant. What devices hold at it; without it what opens something on that day or later. */
  readonly at?: string | undefined
  readonly doorwayIds?: readonly Id[] | undefined
  /** Of credentials, as devices hold them: `card:1234`. */
  readonly keys?: readonly string[] | undefined
  readonly userId?: Id | undefined
  readonly staffId?: Id | undefined
  /** Conditions on the residents `t` who may be named; all without any. */
  readonly seenResidents?: readonly Sql[] | undefined
  /** A part of a name, a number or of what a door is called. */
  readonly keyword?: string | undefined
}

/** People whose credentials are meant. */
export interface Holders {
  readonly userIds?: readonly Id[]
  readonly staffIds?: readonly Id[]
}
