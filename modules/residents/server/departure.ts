import { sql, type Tx } from '#kit/server/db.ts'
import { defineEvent } from '#kit/server/event.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Scope } from '#kit/server/scope.ts'
import { deleteFaces, endCards, enrolledFaces, unendedCards } from './ending-keys.ts'
import { currentPlaces, withoutPlaceIn } from './presence.ts'

/** People who do not work somewhere any more. Some of them live or work in the project all the same. */
export interface Departure {
  readonly projectCode: string
  readonly userIds: readonly Id[]
  /** The rooms where they worked. */
  readonly roomIds: readonly Id[]
  readonly today: Day
  readonly reason: string
}

/**
 * In the transaction in which people left, after it is written: what is theirs in the project ends (BASE-16)
 * and does not come back by itself (BASE-12).
 */
export const [onDeparture, publishDeparture] = defineEvent<[tx: Tx, scope: Scope, departure: Departure]>()

/** Cards for the rooms that they left; those for none, and faces, once nothing keeps them in the project. */
onDeparture(async (tx, scope, departure) => {
  const { ownerId } = scope
  const { projectCode, userIds, roomIds, today, reason } = departure
  const departed = withoutPlaceIn(ownerId, departure)
  const livesOrWorks = sql`
    select 1
    from (${currentPlaces({ ownerId, projectCode, today })}) p
    where p.user_id = t.user_id and p.room_id = t.room_id
  `
  const departedCards = sql`
    ${unendedCards(scope, projectCode)}
    and t.user_id = any(${[...userIds]}::bigint[])
    and (
      (t.room_id = any(${[...roomIds]}::bigint[]) and not exists (${livesOrWorks}))
      or (t.room_id is null and t.user_id in (${departed}))
    )
  `
  await endCards(tx, scope, departedCards, reason)
  await deleteFaces(tx, scope, enrolledFaces(scope, projectCode, departed))
})
