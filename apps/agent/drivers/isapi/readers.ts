/** What passes at a door or a reader: 10 out, 20 in, 30 both. */
export const outwards = 10
const inwards = 20
export const bothWays = 30

/** Of one door the first is outside, the second within; the controller numbers those of all its doors. */
export const readersOfDoorway = 2

export const directionNumber = (value: unknown): number => {
  const number = Number(value)
  return number === outwards || number === inwards ? number : bothWays
}

/** The way of somebody at a reader, of a device that is for one way only or for both. */
export const wayOf = (reader: number, direction: number): number => {
  if (direction !== bothWays) return direction
  return reader > 0 && reader % readersOfDoorway === 0 ? outwards : inwards
}

export interface Reader {
  readonly no: number
  readonly isEnabled: boolean
}

/** ACS-2: a door lets nobody pass against its direction, so that its readers of the other way are off. */
export const readersOf = (doorNo: number, direction: number, passage: number): Reader[] =>
  Array.from({ length: readersOfDoorway }, (_, i) => (doorNo - 1) * readersOfDoorway + i + 1).map(no => ({
    no,
    isEnabled: passage === bothWays || wayOf(no, direction) === passage,
  }))
