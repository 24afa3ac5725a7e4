import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { maxDay, type Day } from '#kit/domain/day.ts'
import type { Decimal } from '#kit/domain/decimal.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { roomAreaKeys, type RoomAreas } from '../contract/room-change.ts'
import { changeItem, roomState, type RoomState } from '../contract/labels.ts'
import { payerSpans, type PayerSpan } from '../domain/payer-history.ts'
import { areaSpans, type AreaSpan, type AreaChange } from '../domain/room-areas.ts'

/** A room as billing needs it: its areas and its payer, each with its history. */
export interface ChargedRoom {
  readonly id: Id
  readonly code: string
  readonly path: string
  readonly buildCode: string
  readonly unitName: string
  readonly floorNum: number
  readonly sortKey: string
  readonly enabled: boolean
  readonly state: RoomState
  readonly delivered?: Day | undefined
  readonly movedIn?: Day | undefined
  readonly people: number
  /** Rising; the first one holds before its day too (BASE-7). */
  readonly areas: readonly AreaSpan[]
  /** Residents only; rising, the first one holds before its day too. */
  readonly payers: readonly PayerSpan[]
}

interface RoomRow extends RoomAreas {
  id: Id
  code: string
  path: string
  buildCode: string
  unitName: string
  floorNum: number
  sortKey: string
  state: number
  roomState: number
  deliverDate?: Day
  checkinDate?: Day
  people: number
  payerId?: Id
}

interface RoomChangeRow {
  id: Id
  roomId: Id
  item: string
  effectiveDate: Day
  oldValue?: string
  newValue?: string
  oldRef?: Id
  newRef?: Id
}

const minDay: Day = '0001-01-01'
const areaKeyByItem = new Map<unknown, keyof RoomAreas>(
  roomAreaKeys.map(key => [codeOf(changeItem, key), key]),
)
const payerItem = codeOf(changeItem, 'payer')
const chargedItems = [...areaKeyByItem.keys(), payerItem]

const areaColumns = sql.raw(
  ['build_area', 'inner_area', 'share_area', 'charge_area', 'fee_ratio']
    .map(c => `trim_scale(r.${c})::text as ${c}`)
    .join(', '),
)

function areaSpansOf(room: RoomRow, changes: readonly RoomChangeRow[]): readonly AreaSpan[] {
  const current: RoomAreas = Object.fromEntries(
    roomAreaKeys.flatMap(key => (room[key] ? [[key, room[key]]] : [])),
  )
  const areaChanges = changes.flatMap((change): AreaChange[] => {
    const item = areaKeyByItem.get(change.item)
    return item ? [{ ...change, item }] : []
  })
  return areaChanges.length
    ? areaSpans(current, areaChanges, minDay, maxDay)
    : [{ from: minDay, areas: current }]
}

const toChargedRoom = (room: RoomRow, changes: readonly RoomChangeRow[]): ChargedRoom => ({
  id: room.id,
  code: room.code,
  path: room.path,
  buildCode: room.buildCode,
  unitName: room.unitName,
  floorNum: room.floorNum,
  sortKey: room.sortKey,
  enabled: room.state === codeOf(enabledState, 'on'),
  state: defined(keyOf(roomState, room.roomState)),
  delivered: room.deliverDate,
  movedIn: room.checkinDate,
  people: room.people,
  areas: areaSpansOf(room, changes),
  payers: payerSpans(
    room.payerId,
    changes.filter(change => change.item === payerItem),
  ),
})

/**
 * Rooms of a project by code, in one round trip; absent ones are left out. Needs room_code_live and
 * room_change_room.
 */
export async function findChargedRooms(
  db: Db,
  ownerId: Id,
  project: string,
  codes: readonly string[],
): Promise<ReadonlyMap<string, ChargedRoom>> {
  if (!codes.length) return new Map()
  const selected = sql`r.owner_id = ${ownerId}
    and r.project_code = ${project}
    and r.code = any(${[...new Set(codes)]})
    and ${notDeleted('r')}`
  const [rooms, changes] = await db.all<[RoomRow, RoomChangeRow]>(
    sql`
      select r.id, r.code, r.path, r.build_code, r.unit_name, r.floor_num, r.sort_key, r.state,
        r.room_state, r.deliver_date, r.checkin_date, r.people, r.payer_id, ${areaColumns}
      from room r
      where ${selected}
    `,
    sql`
      select c.id, c.room_id, c.item, c.effective_date, c.old_value, c.new_value, c.old_ref, c.new_ref
      from room r
      join room_change_log c on c.owner_id = ${ownerId}
        and c.room_id = r.id
        and ${notDeleted('c')}
        and c.item = any(${chargedItems})
      where ${selected}
      order by c.effective_date, c.id
    `,
  )
  const changesByRoom = Map.groupBy(changes, change => change.roomId)
  return new Map(rooms.map(room => [room.code, toChargedRoom(room, changesByRoom.get(room.id) ?? [])]))
}

/**
 * Sums over the rooms in use of an estate, by unit and building: values of formulas beside those of the room
 * itself (FEE-20).
 */
export interface RoomTotals {
  readonly units: ReadonlyMap<string, Decimal>
  readonly buildings: ReadonlyMap<string, Decimal>
  readonly project: Decimal
  readonly households: number
}

export const unitTotalKey = (buildCode: string, unitName: string): string => `${buildCode}\n${unitName}`

export async function getRoomTotals(db: Db, ownerId: Id, project: string): Promise<RoomTotals> {
  const rows = await db.rows<{
    buildCode?: string
    unitName?: string
    area: string
    households: number
    level: number
  }>(sql`
    select build_code, unit_name, trim_scale(coalesce(sum(build_area), 0))::text as area,
      count(*)::int as households, grouping(build_code, unit_name) as level
    from room
    where owner_id = ${ownerId}
      and project_code = ${project}
      and state = ${codeOf(enabledState, 'on')}
      and ${notDeleted()}
    group by grouping sets ((build_code, unit_name), (build_code), ())
  `)
  const total = rows.find(r => r.level === 3)
  return {
    units: new Map(
      rows
        .filter(r => r.level === 0)
        .map(r => [unitTotalKey(defined(r.buildCode), defined(r.unitName)), r.area]),
    ),
    buildings: new Map(rows.filter(r => r.level === 1).map(r => [defined(r.buildCode), r.area])),
    project: total?.area ?? '0',
    households: total?.households ?? 0,
  }
}
