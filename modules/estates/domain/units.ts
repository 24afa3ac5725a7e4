import { defined } from '#kit/domain/defined.ts'
import { Refused, invalidField } from '#kit/contract/wire.ts'
import type { Building } from '../contract/building.ts'

export interface PlannedUnit {
  readonly name: string
  readonly floors: number
  readonly underground: number
}

type UnitPlanInput = Pick<Building, 'units' | 'unitType' | 'unitNames' | 'floors' | 'undergroundFloors'>

/** 1 2 3 … or A … Z AA AB … (BASE-2). */
export const defaultUnitName = (type: Building['unitType'], i: number): string =>
  type === 'number'
    ? String(i + 1)
    : (i >= 26 ? String.fromCharCode(64 + Math.floor(i / 26)) : '') + String.fromCharCode(65 + (i % 26))

/**
 * The units that a building's own words describe (BASE-2): as many as `units`, distinct names (made when none
 * are given), a floor count each (one number serves all). Refuses with the field that is wrong.
 */
export function planUnits(input: UnitPlanInput): PlannedUnit[] {
  const names = input.unitNames?.length
    ? input.unitNames
    : Array.from({ length: input.units }, (_, i) => defaultUnitName(input.unitType, i))
  if (names.length !== input.units)
    throw invalidField('Unitnames', `单元名称有 ${names.length} 个，与单元数 ${input.units} 不一致`)
  const twice = names.find((n, i) => names.indexOf(n) !== i)
  if (twice !== undefined) throw invalidField('Unitnames', `单元名称「${twice}」重复`)
  const long = names.find(n => [...n].length > 20)
  if (long !== undefined) throw invalidField('Unitnames', `单元名称「${long}」超过 20 个字`)
  const counts = input.floors.map(f => (/^\d{1,3}$/.test(f) ? Number(f) : NaN))
  if (counts.some(n => !(n >= 1 && n <= 200)))
    throw invalidField('Floors', '楼层数应为 1 到 200 的整数，多个单元用逗号分隔')
  if (counts.length !== 1 && counts.length !== input.units)
    throw invalidField('Floors', `楼层数有 ${counts.length} 个，应为 1 个或与单元数 ${input.units} 一致`)
  return names.map((name, i) => ({
    name,
    floors: counts[i] ?? defined(counts[0]),
    underground: input.undergroundFloors ?? 0,
  }))
}

export interface UnitRooms {
  readonly unit: string
  readonly rooms: number
  readonly top: number
  readonly bottom: number
}

/**
 * BASE-4: a unit with rooms keeps its name and the floors they are on. `rooms` counts live rooms by unit name
 * with their highest and lowest floor.
 */
export function assertRoomsFit(planned: readonly PlannedUnit[], rooms: readonly UnitRooms[]): void {
  for (const row of rooms.filter(x => x.rooms > 0)) {
    const unit = planned.find(p => p.name === row.unit)
    if (!unit)
      throw new Refused(
        10002,
        `「${row.unit}」单元还有 ${row.rooms} 个房间，不能改名或减少，请先处理这些房间`,
      )
    if (row.top > unit.floors)
      throw new Refused(10002, `「${row.unit}」单元 ${row.top} 层还有房间，楼层数不能低于 ${row.top}`)
    if (row.bottom < -unit.underground)
      throw new Refused(
        10002,
        `「${row.unit}」单元地下 ${-row.bottom} 层还有房间，地下层数不能低于 ${-row.bottom}`,
      )
  }
}
