/** Two cameras of a lane that read so soon after each other have seen one car. */
export const sameCarSeconds = 10

/** A reading that is sent again after so long does not open any more: the car is not there. */
export const openAgainSeconds = 30

const differences = (a: string, b: string): number =>
  [...a].reduce((count, character, i) => count + (character === b[i] ? 0 : 1), 0)

/**
 * Whether two readings at one lane within seconds are of one car: the same plate, one with a misread
 * character, or none where a camera saw no plate.
 */
export function isSameCar(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return true
  return a.length === b.length && differences(a, b) <= 1
}
