import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { keyOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import { notDeleted, code, codes } from '#kit/server/sql.ts'
import { room as roomEntity, type Room } from '#modules/rooms/contract/room.ts'
import type { RoomState } from '#modules/rooms/contract/labels.ts'
import {
  updateRoomOccupants,
  applyRoomState,
  type OccupantChangeOptions,
  type RoomOccupants,
} from '#modules/rooms/server/public.ts'
import { residencyStatus } from '../contract/labels.ts'
import { relation } from '../contract/relation.ts'
import { payerKindOf, roomStateAfter } from '../domain/residency.ts'

interface RoomOccupancyRow {
  roomId: Id
  mainOwnerId?: Id
  mainOwnerName?: string
  payerId?: Id
  payerName?: string
  payerRelation?: number
  people: number
  nonTenants: number
}

const roomOccupancy = sqlFile(import.meta.dirname, 'room-occupancy.sql', [
  'ownerId',
  'roomIds',
  'living',
  'tenantRelations',
])

export interface OccupancySyncOptions extends OccupantChangeOptions {
  /** Somebody who lived there has just left. */
  readonly leaving?: boolean
  /** The day on which somebody moved in, by room. */
  readonly inDates?: ReadonlyMap<Id, Day> | undefined
}

/** Brings rooms in line with their residencies: main owner, payer, people, state (BASE-9, BASE-11). */
export async function syncRoomOccupancy(
  tx: Tx,
  scope: Scope,
  roomIds: readonly Id[],
  options: OccupancySyncOptions,
): Promise<void> {
  const ids = [...new Set(roomIds)]
  if (!ids.length) return
  const occupancies = await tx.rows(
    roomOccupancy<RoomOccupancyRow>({
      ownerId: scope.ownerId,
      roomIds: ids,
      living: code(residencyStatus, 'living'),
      tenantRelations: codes(relation, 'tenant', 'tenantFamily'),
    }),
  )
  await updateRoomOccupants(tx, scope, occupancies.map(toRoomOccupants), options)
  await updateRoomStates(tx, scope, occupancies, options)
}

const toRoomOccupants = ({
  payerRelation,
  nonTenants: _nonTenants,
  ...row
}: RoomOccupancyRow): RoomOccupants => ({
  ...row,
  ...(payerRelation === undefined ? {} : { payerKind: payerKindOf(defined(keyOf(relation, payerRelation))) }),
})

interface StateMove {
  readonly room: Room
  readonly nextState: RoomState
  readonly effectiveDate: Day | undefined
  readonly checkinDate: Day | undefined
}

/** BASE-11: the state follows who lives in the room. */
async function updateRoomStates(
  tx: Tx,
  scope: Scope,
  occupancies: readonly RoomOccupancyRow[],
  { today, effectiveDates, leaving = false, inDates, reason }: OccupancySyncOptions,
): Promise<void> {
  const occupancyByRoom = new Map(occupancies.map(row => [row.roomId, row]))
  const rows = await tx.rows<Record<string, unknown>>(
    sql`
      select *
      from room
      where owner_id = ${scope.ownerId} and id = any(${[...occupancyByRoom.keys()]}) and ${notDeleted()}
    `,
  )
  const moves = rows.flatMap((row): StateMove[] => {
    const room = toEntityRow(roomEntity, row)
    const nextState = roomStateAfter(room.roomState, defined(occupancyByRoom.get(room.id)), leaving)
    const days = { effectiveDate: effectiveDates?.get(room.id), checkinDate: inDates?.get(room.id) }
    return nextState ? [{ room, nextState, ...days }] : []
  })
  const groups = Map.groupBy(moves, move => [move.nextState, move.effectiveDate, move.checkinDate].join(' '))
  for (const group of groups.values()) {
    const { nextState, effectiveDate, checkinDate } = defined(group[0])
    await applyRoomState(
      tx,
      scope,
      group.map(move => move.room),
      nextState,
      {
        today,
        effectiveDate,
        reason: reason ?? (nextState === 'vacant' ? '住户全部迁出' : '住户入住'),
        checkinDate: nextState === 'vacant' ? undefined : checkinDate,
      },
    )
  }
}
