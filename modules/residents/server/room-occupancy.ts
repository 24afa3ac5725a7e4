import { defined } from '#kit/domain/defined.ts'
import { keyOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import { live, code, codes } from '#kit/server/sql.ts'
import { room as roomEntity, type Room } from '#modules/rooms/contract/room.ts'
import type { RoomState } from '#modules/rooms/contract/labels.ts'
import { updateRoomOccupants, applyRoomState, type RoomOccupants } from '#modules/rooms/server/public.ts'
import { relation, residencyStatus } from '../contract/labels.ts'
import { payerKindOf, roomStateAfter } from '../domain/residency.ts'

interface RoomOccupancyRow {
  roomId: number
  mainOwnerId?: number
  mainOwnerName?: string
  payerId?: number
  payerName?: string
  payerRelation?: number
  people: number
  nonTenants: number
}

/**
 * Rooms follow their links: main owner, payer, people, and the state of who lives there (BASE-9, BASE-11).
 * `leaving`: somebody who lived there has just left. Statements over sets, however many rooms. Needs
 * user_room_room.
 */
export async function syncRoomOccupancy(
  tx: Tx,
  scope: Scope,
  roomIds: readonly number[],
  options: {
    readonly today: Day
    readonly leaving?: boolean
    readonly inDate?: Day | undefined
    readonly reason?: string | undefined
  },
): Promise<void> {
  const ids = [...new Set(roomIds)]
  if (!ids.length) return
  const occupancies = await tx.rows<RoomOccupancyRow>(sql`
    select w.id as room_id, m.user_id as main_owner_id, mp.name as main_owner_name,
      coalesce(y.user_id, m.user_id) as payer_id, coalesce(yp.name, mp.name) as payer_name,
      coalesce(y.relation, m.relation) as payer_relation, coalesce(o.people, 0)::int as people,
      coalesce(o.non_tenants, 0)::int as non_tenants
    from unnest(${ids}::bigint[]) as w(id)
    left join user_room m on m.owner_id = ${scope.ownerId}
      and m.room_id = w.id
      and ${live('m')}
      and m.status = ${code(residencyStatus, 'living')}
      and m.is_main
    left join resident mp on mp.owner_id = m.owner_id and mp.id = m.user_id
    left join user_room y on y.owner_id = ${scope.ownerId}
      and y.room_id = w.id
      and ${live('y')}
      and y.status = ${code(residencyStatus, 'living')}
      and y.is_payer
    left join resident yp on yp.owner_id = y.owner_id and yp.id = y.user_id
    left join (
      select room_id, count(*) as people,
        count(*) filter (where relation not in ${codes(relation, 'tenant', 'tenantFamily')}) as non_tenants
      from user_room
      where owner_id = ${scope.ownerId}
        and room_id = any(${ids})
        and ${live()}
        and status = ${code(residencyStatus, 'living')}
        and in_date is not null
      group by room_id
    ) o on o.room_id = w.id
  `)
  await updateRoomOccupants(
    tx,
    scope,
    occupancies.map(({ payerRelation, nonTenants: _, ...row }): RoomOccupants => ({
      ...row,
      ...(payerRelation === undefined
        ? {}
        : { payerKind: payerKindOf(defined(keyOf(relation, payerRelation))) }),
    })),
    options,
  )
  const rooms = (
    await tx.rows<Record<string, unknown>>(
      sql`select * from room where owner_id = ${scope.ownerId} and id = any(${ids}) and ${live()}`,
    )
  ).map(room => toEntityRow(roomEntity, room))
  const occupancyByRoom = new Map(occupancies.map(row => [row.roomId, row]))
  const roomsByNextState = new Map<RoomState, Room[]>()
  for (const room of rooms) {
    const nextState = roomStateAfter(
      room.roomState,
      defined(occupancyByRoom.get(room.id)),
      options.leaving ?? false,
    )
    if (nextState) {
      roomsByNextState.set(nextState, [...(roomsByNextState.get(nextState) ?? []), room])
    }
  }
  for (const [nextState, changed] of roomsByNextState) {
    await applyRoomState(tx, scope, changed, nextState, {
      today: options.today,
      reason: options.reason ?? (nextState === 'vacant' ? '住户全部迁出' : '住户入住'),
      ...(options.inDate ? { checkinDate: options.inDate } : {}),
    })
  }
}
