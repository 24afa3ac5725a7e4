export interface UnitFloors {
  readonly name: string
  readonly floorCount: number
  readonly undergroundFloors?: number | undefined
}

/** Units of a building, those of one name as one with the floors of all (0§3). Order: as they come. */
export function mergeUnitsByName<U extends UnitFloors>(units: readonly U[]): UnitFloors[] {
  return [...Map.groupBy(units, u => u.name)].map(([name, same]) => ({
    name,
    floorCount: Math.max(...same.map(u => u.floorCount)),
    undergroundFloors: Math.max(...same.map(u => u.undergroundFloors ?? 0)),
  }))
}

/** Floors from the lowest to the highest; below ground they are negative and there is no floor 0. */
export const floorsOf = (unitFloors: UnitFloors): number[] => {
  const below = unitFloors.undergroundFloors ?? 0
  return [
    ...Array.from({ length: below }, (_, i) => i - below),
    ...Array.from({ length: unitFloors.floorCount }, (_, i) => i + 1),
  ]
}

/** 地下 2 层, 15 层. */
export const floorLabel = (n: number): string => (n < 0 ? `地下 ${-n} 层` : `${n} 层`)

/** 2 → 2 单元; a name that already says so stays. */
export const unitLabel = (name: string): string => (name.endsWith('单元') ? name : `${name} 单元`)
