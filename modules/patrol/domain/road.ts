/** The way to a point, in minutes. */
export interface Leg {
  readonly legMinutes: number
}

/** Minutes from the start of a round to each of its points (PAT-4). */
export const offsetsOf = (legs: readonly Leg[]): number[] => {
  let offset = 0
  return legs.map(leg => (offset += leg.legMinutes))
}

export const totalMinutesOf = (legs: readonly Leg[]): number => offsetsOf(legs).at(-1) ?? 0
