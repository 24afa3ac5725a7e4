import { shortBuildingName, shortUnitName } from './room-numbering.ts'

/** Where a line of the room sheet puts its room. */
export interface NamedPosition {
  readonly building: string
  readonly unitName: string
  readonly floorNum: number
}

interface PlannedBuilding {
  readonly name: string
  readonly units: readonly { readonly name: string; readonly floors: number }[]
  /** Floors under the ground, the same of all units. */
  readonly underground: number
}

/**
 * The buildings that these rooms stand in: `9栋` and `9` are one, each unit as high as its highest room
 * (BASE-2). Names as they first occur.
 */
export function planBuildings(positions: readonly NamedPosition[]): PlannedBuilding[] {
  const groups = Map.groupBy(positions, p => shortBuildingName(p.building))
  return [...groups.values()].map(ofBuilding => {
    const byUnit = Map.groupBy(ofBuilding, p => shortUnitName(p.unitName))
    const depths = ofBuilding.map(p => Math.max(0, -p.floorNum))
    return {
      name: ofBuilding[0]?.building ?? '',
      units: [...byUnit.entries()].map(([name, rooms]) => ({
        name,
        floors: Math.max(1, ...rooms.map(p => p.floorNum)),
      })),
      underground: Math.max(0, ...depths),
    }
  })
}
