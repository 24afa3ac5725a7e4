import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { asFen, sumFen } from '#kit/domain/money.ts'
import { keyOf, keysOf } from '#kit/contract/field.ts'
import { invalidField } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { hasBuilding, outOfDomain, type Scope } from '#kit/server/scope.ts'
import { findAll, tenantFilter } from '#kit/server/table.ts'
import { building } from '#modules/estates/contract/building.ts'
import { findBuildings } from '#modules/estates/server/public.ts'
import { listBoardBuildings, getRoomBoard } from '../contract/room-board.ts'
import { room as roomEntity } from '../contract/room.ts'
import { debtAge, roomState } from '../contract/labels.ts'
import { debtAgeOf } from '../domain/debt-age.ts'
import {
  occupancyRateOf,
  countOccupied,
  countRoomsInStates,
  type RoomStateCounts,
} from '../domain/occupancy.ts'
import { findBuildingDebts, findRoomDebts } from './room-debts.ts'

const toStateCounts = (rooms: readonly { roomState: number; count: number }[]): RoomStateCounts =>
  Object.fromEntries(rooms.map(r => [defined(keyOf(roomState, r.roomState)), r.count]))

const occupancyField = (counts: RoomStateCounts) => {
  const occupancy = occupancyRateOf(counts)
  return occupancy === undefined ? {} : { occupancy }
}

const roomStateKeys = keysOf(roomState)

interface BoardContext {
  readonly db: Db
  readonly scope: Scope
  readonly today: Day
}

/** What is overdue, by room code; nothing where the caller may not see bills. */
async function loadDebts({ db, scope, today }: BoardContext, projectCode: string, buildCode: string) {
  const debts = await findRoomDebts({ db, scope, today }, projectCode, { buildCode })
  return (
    debts &&
    new Map(
      debts.flatMap(({ code, overdue, oldestDue }) =>
        oldestDue ? [[code, { debt: overdue, debtAge: debtAgeOf(oldestDue, today) }] as const] : [],
      ),
    )
  )
}

function summarizeDebts(debts: NonNullable<Awaited<ReturnType<typeof loadDebts>>>) {
  const all = [...debts.values()]
  return {
    debt: sumFen(all.map(d => d.debt)),
    debtCounts: keysOf(debtAge).map(age => ({ age, count: all.filter(d => d.debtAge === age).length })),
  }
}

async function loadBoard(context: BoardContext, projectCode: string, buildCode: string) {
  const { db, scope } = context
  if (!hasBuilding(scope.domain, projectCode, buildCode)) throw outOfDomain()
  const foundBuilding = (await findBuildings(db, scope.ownerId, projectCode, [buildCode])).get(buildCode)
  if (!foundBuilding) throw invalidField('Buildcode', '楼栋不存在或不属于该项目，请重新选择')
  const rooms = await findAll(
    db,
    roomEntity,
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
  const counts: RoomStateCounts = Object.fromEntries(
    roomStateKeys.map(s => [s, rooms.filter(r => r.roomState === s).length]),
  )
  const debts = await loadDebts(context, projectCode, buildCode)
  const withDebt = rooms.map(r => ({ ...r, ...debts?.get(r.code ?? '') }))
  const roomsByUnit = Map.groupBy(withDebt, r => r.unitName)
  return {
    buildCode,
    buildName: foundBuilding.name,
    total: rooms.length,
    ...occupancyField(counts),
    ...(debts ? summarizeDebts(debts) : {}),
    counts: roomStateKeys.map(s => ({ roomState: s, count: counts[s] ?? 0 })),
    units: foundBuilding.units.map(unit => ({
      unitName: unit.name,
      floorCount: unit.floorCount,
      undergroundFloors: unit.undergroundFloors,
      rooms: (roomsByUnit.get(unit.name) ?? []).toSorted((x, y) => y.floorNum - x.floorNum),
    })),
  }
}

export const boardHandlers = [
  reads(listBoardBuildings, async ({ projectCode }, { db, scope, today }) => {
    const buildings = await findAll(db, building, scope, { projectCode })
    const rooms = await db.rows<{ buildCode: string; roomState: number; count: number }>(
      sql`
        select t.build_code, t.room_state, count(*)::int as count
        from room as t
        where ${tenantFilter(roomEntity, scope, projectCode)}
        group by 1, 2
      `,
    )
    const rowsByBuilding = Map.groupBy(rooms, r => r.buildCode)
    const debts = await findBuildingDebts({ db, scope, today }, projectCode)
    return buildings.map(foundBuilding => {
      const counts = toStateCounts(rowsByBuilding.get(defined(foundBuilding.code)) ?? [])
      return {
        buildCode: defined(foundBuilding.code),
        buildName: foundBuilding.name,
        rooms: countRoomsInStates(counts),
        occupied: countOccupied(counts),
        ...occupancyField(counts),
        ...(debts ? { debt: debts.get(defined(foundBuilding.code)) ?? asFen(0) } : {}),
      }
    })
  }),
  reads(getRoomBoard, ({ projectCode, buildCode }, { db, scope, today }) =>
    loadBoard({ db, scope, today }, projectCode, buildCode),
  ),
]
