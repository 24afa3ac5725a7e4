/** Cars that are recorded as inside, and by how many those that were counted differ from them. */
export interface RecordedCars {
  readonly inside: number
  readonly temporary: number
  readonly adjustment: number
}

export interface Occupancy {
  readonly inside: number
  readonly temporary: number
}

interface Places {
  readonly totalPlace?: number | undefined
  readonly tempPlace?: number | undefined
}

/**
 * PRK-9: how many are inside by the last count. Cars that were not there any more are taken for temporary
 * ones first; more than are recorded take places, but none of the temporary ones.
 */
export function occupancyOf({ inside, temporary, adjustment }: RecordedCars): Occupancy {
  const counted = Math.max(0, inside + adjustment)
  const left = Math.max(0, temporary + Math.min(0, adjustment))
  return { inside: counted, temporary: Math.min(counted, left) }
}

const isUsedUp = (count: number, places: number | undefined): boolean =>
  Boolean(places) && count >= (places ?? 0)

/** No place for a temporary car: of all, or of those for temporary ones; none named is no limit. */
export const isFullFor = ({ inside, temporary }: Occupancy, { totalPlace, tempPlace }: Places): boolean =>
  isUsedUp(inside, totalPlace) || isUsedUp(temporary, tempPlace)
