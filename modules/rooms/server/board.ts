import { keyOf } from '#kit/contract/field.ts'
import { wrong } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handle.ts'
import { inBuilding, outside, type Scope } from '#kit/server/scope.ts'
import { rows, wall } from '#kit/server/table.ts'
import { building } from '#modules/estates/contract/building.ts'
import { standing } from '#modules/estates/server/public.ts'
import { boardBuildings, roomBoard } from '../contract/board.ts'
import { room } from '../contract/room.ts'
import { roomState, type RoomState } from '../contract/words.ts'
import { occupancyOf, occupiedOf, roomsOf, type Counts } from '../domain/occupancy.ts'

const countsOf = (found: readonly { roomState: number; count: number }[]): Counts =>
  Object.fromEntries(found.map(r => [keyOf(roomState, r.roomState)!, r.count]))

const rate = (c: Counts) => {
  const occupancy = occupancyOf(c)
  return occupancy === undefined ? {} : { occupancy }
}

const states = Object.keys(roomState.rows) as RoomState[]

async function board(db: Db, scope: Scope, projectCode: string, buildCode: string) {
  if (!inBuilding(scope.domain, projectCode, buildCode)) throw outside()
  const b = (await standing(db, scope.ownerId, projectCode, [buildCode])).get(buildCode)
  if (!b) throw wrong([{ Field: 'Buildcode', Message: '楼栋不存在或不属于该项目，请重新选择' }])
  const found = await rows(
    db,
    room,
    scope,
    { projectCode, buildCode: [buildCode] },
    {
      filters: ['buildCode'],
      keys: [
        'id',
        'code',
        'path',
        'roomNo',
        'floorNum',
        'roomType',
        'roomState',
        'buildArea',
        'state',
        'unitName',
        'mainOwnerName',
        'companyName',
        'people',
      ],
      limit: 20_000,
    },
  )
  const counts: Counts = Object.fromEntries(states.map(s => [s, found.filter(r => r.roomState === s).length]))
  const ofUnit = Map.groupBy(found, r => r.unitName)
  return {
    buildCode,
    buildName: b.name,
    total: found.length,
    ...rate(counts),
    counts: states.map(s => ({ roomState: s, count: counts[s] ?? 0 })),
    units: b.units.map(u => ({
      unitName: u.name,
      floorCount: u.floorCount,
      undergroundFloors: u.undergroundFloors,
      rooms: (ofUnit.get(u.name) ?? []).toSorted((x, y) => y.floorNum - x.floorNum),
    })),
  }
}

export const boardHandlers = [
  reads(boardBuildings, async ({ projectCode }, { db, scope }) => {
    const buildings = await rows(db, building, scope, { projectCode })
    const found = await db.rows<{ buildCode: string; roomState: number; count: number }>(
      sql`
        select t.build_code, t.room_state, count(*)::int as count
        from room as t
        where ${wall(room, scope, projectCode)}
        group by 1, 2
      `,
    )
    const of = Map.groupBy(found, r => r.buildCode)
    return buildings.map(b => {
      const c = countsOf(of.get(b.code!) ?? [])
      return { buildCode: b.code!, buildName: b.name, rooms: roomsOf(c), occupied: occupiedOf(c), ...rate(c) }
    })
  }),
  reads(roomBoard, ({ projectCode, buildCode }, { db, scope }) => board(db, scope, projectCode, buildCode)),
]
