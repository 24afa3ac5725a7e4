import { invalidInput, invalidField } from '#kit/contract/wire.ts'
import { naturalSortKey } from '#kit/domain/natural-sort-key.ts'

/** `3 栋`, `3号楼`, `3#` become `3`; names without a number stay whole. */
export const shortBuildingName = (name: string): string =>
  /^([A-Za-z]?\d+[A-Za-z]?|[A-Za-z])\s*(栋|幢|座|号楼|号|楼|#)$/.exec(name.trim())?.[1] ?? name.trim()

export const shortUnitName = (name: string): string => /^(.+?)\s*单元$/.exec(name.trim())?.[1] ?? name.trim()

export interface RoomPosition {
  readonly building: string
  readonly unit: string
  readonly floor: number
  readonly roomNo: string
}

/** The path of a room, as people write it: `3-2-1502`. */
export const roomPathOf = (position: RoomPosition): string =>
  `${shortBuildingName(position.building)}-${shortUnitName(position.unit)}-${position.roomNo}`

/** Building, unit, floor, number: one text whose order is theirs. Floors −999 to 8999. */
export const roomSortKeyOf = (position: RoomPosition): string =>
  `${naturalSortKey(shortBuildingName(position.building))} ${naturalSortKey(shortUnitName(position.unit))} ${String(position.floor + 1000).padStart(4, '0')} ${naturalSortKey(position.roomNo)}`

export interface UnitFloors {
  readonly name: string
  readonly floorCount: number
  readonly undergroundFloors?: number
}

/** Why a floor does not exist in a unit; nothing when it does. There is no floor 0. */
export function floorFault(unit: UnitFloors, floor: number): string | undefined {
  const below = unit.undergroundFloors ?? 0
  if (floor !== 0 && floor <= unit.floorCount && floor >= -below) return undefined
  return `「${unit.name}」单元只有 1 到 ${unit.floorCount} 层${below ? `和地下 1 到 ${below} 层（填 -1 到 -${below}）` : ''}，无 ${floor} 层`
}

export interface PlannedRoom {
  readonly unitName: string
  readonly floorNum: number
  readonly roomNo: string
}

/**
 * Floor and two digits: 101, 1502; below ground B101 (BASE-3). An estate may write its floors with more
 * digits: 0101.
 */
export const roomNoOf = (floor: number, n: number, floorDigits = 1): string =>
  `${floor < 0 ? `B${-floor}` : String(floor).padStart(floorDigits, '0')}${String(n).padStart(2, '0')}`

/** The floor that a room number begins with: 1 of 101, 15 of 1502, −1 of B101; nothing where it has none. */
export function floorOfRoomNo(roomNo: string): number | undefined {
  const [, below, floor] = /^(B?)0?(\d{1,2})\d{2}$/i.exec(roomNo.trim()) ?? []
  return Number(floor) > 0 ? Number(floor) * (below ? -1 : 1) : undefined
}

const maxBatchRooms = 5000

/**
 * All rooms of floors × rooms per floor in each unit; floor 0 is left out. Refuses with the field that is
 * wrong (BASE-3).
 */
export function planRoomBatch(
  units: readonly UnitFloors[],
  from: number,
  to: number,
  perFloor: number,
  floorDigits = 1,
): PlannedRoom[] {
  if (from > to) throw invalidField('FloorTo', '终止楼层不能低于起始楼层')
  const floors = Array.from({ length: to - from + 1 }, (_, i) => from + i).filter(floor => floor !== 0)
  for (const unit of units) {
    for (const floor of floors) {
      const fault = floorFault(unit, floor)
      if (fault) throw invalidInput([{ Field: floor < from + 1 ? 'FloorFrom' : 'FloorTo', Message: fault }])
    }
  }
  const count = units.length * floors.length * perFloor
  if (count > maxBatchRooms)
    throw invalidField('PerFloor', `一次最多生成 ${maxBatchRooms} 个房间，现在是 ${count} 个，请分几次生成`)
  return units.flatMap(unit =>
    floors.flatMap(floorNum =>
      Array.from({ length: perFloor }, (_, i) => ({
        unitName: unit.name,
        floorNum,
        roomNo: roomNoOf(floorNum, i + 1, floorDigits),
      })),
    ),
  )
}
