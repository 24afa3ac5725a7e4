import { shortBuildingName, shortUnitName } from './room-numbering.ts'

/** Where a line of the room sheet puts a room in a unit; its floor may not be known. */
export interface PositionInUnit {
  readonly unitName: string
  readonly floorNum: number | undefined
}

/** Where a line puts its room; a line with other faults may name no unit. */
export interface NamedPosition {
  readonly building: string
  readonly unitName: string | undefined
  readonly floorNum: number | undefined
}

export interface PlannedUnits {
  readonly units: readonly { readonly name: string; readonly floors: number }[]
  /** Floors under the ground, the same of all units. */
  readonly underground: number
}

interface PlannedBuilding extends PlannedUnits {
  readonly name: string
}

const onlyUnit = '1'

/** The units of these rooms: `1单元` and `1` are one, each as high as its highest room (BASE-2). */
export function planUnitsOf(positions: readonly PositionInUnit[]): PlannedUnits {
  const floorOf = ({ floorNum }: PositionInUnit): number => floorNum ?? 1
  return {
    units: [...Map.groupBy(positions, p => shortUnitName(p.unitName))].map(([name, rooms]) => ({
      name,
      floors: Math.max(1, ...rooms.map(floorOf)),
    })),
    underground: Math.max(0, ...positions.map(p => -floorOf(p))),
  }
}

/**
 * The buildings that these rooms are in: `9栋` and `9` are one; one without any unit gets one. Names as they
 * first occur.
 */
export function planBuildings(positions: readonly NamedPosition[]): PlannedBuilding[] {
  const groups = Map.groupBy(positions, p => shortBuildingName(p.building))
  return [...groups.values()].map(ofBuilding => {
    const hasUnits = ofBuilding.some(p => p.unitName !== undefined)
    const inUnits = ofBuilding.flatMap(({ unitName = hasUnits ? undefined : onlyUnit, floorNum }) =>
      unitName === undefined ? [] : [{ unitName, floorNum }],
    )
    return { name: ofBuilding[0]?.building ?? '', ...planUnitsOf(inUnits) }
  })
}
