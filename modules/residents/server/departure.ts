import { sql, type Tx } from '#kit/server/db.ts'
import { defineEvent } from '#kit/server/event.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted, touch } from '#kit/server/sql.ts'
import { faceKey, identityCard } from '../contract/card.ts'
import { cardState, faceState } from '../contract/labels.ts'
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

const idsOf = (rows: readonly { readonly id: Id }[]): Id[] => rows.map(({ id }) => id)

/** Cards for the rooms that they left; those for none, and faces, once nothing keeps them in the project. */
onDeparture(async (tx, scope, departure) => {
  const { ownerId } = scope
  const { projectCode, userIds, roomIds, today, reason } = departure
  const departed = withoutPlaceIn(ownerId, departure)
  const cards = await tx.rows<{ id: Id }>(sql`
    update identity_card t
    set state = ${code(cardState, 'ended')}, end_reason = ${reason}, ${touch(scope, 't')}
    where t.owner_id = ${ownerId}
      and t.project_code = ${projectCode}
      and t.user_id = any(${[...userIds]}::bigint[])
      and ${notDeleted('t')}
      and t.state in ${codes(cardState, 'normal', 'lost', 'expired')}
      and (
        (
          t.room_id = any(${[...roomIds]}::bigint[])
          and not exists (
            select 1
            from (${currentPlaces({ ownerId, projectCode, today })}) p
            where p.user_id = t.user_id and p.room_id = t.room_id
          )
        )
        or (t.room_id is null and t.user_id in (${departed}))
      )
    returning t.id
  `)
  const faces = await tx.rows<{ id: Id }>(sql`
    update face_key t
    set state = ${code(faceState, 'deleted')}, ${touch(scope, 't')}
    where t.owner_id = ${ownerId}
      and t.project_code = ${projectCode}
      and t.user_id in (${departed})
      and ${notDeleted('t')}
      and t.state <> ${code(faceState, 'deleted')}
    returning t.id
  `)
  publishRecordsWritten(tx, ownerId, { entity: identityCard.name, action: 'update', ids: idsOf(cards) })
  publishRecordsWritten(tx, ownerId, { entity: faceKey.name, action: 'update', ids: idsOf(faces) })
})
