const lowest = -20
const highest = 200

const part = /^(-?\d{1,3})(?:\s*[~～-]\s*(-?\d{1,3}))?$/

/** There is no floor 0. */
const isFloor = (n: number): boolean => n >= lowest && n <= highest && n !== 0

const rangeOf = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i).filter(isFloor)

function floorsOfPart(text: string): readonly number[] | undefined {
  const found = part.exec(text)
  if (!found) return undefined
  const from = Number(found[1])
  const to = found[2] === undefined ? from : Number(found[2])
  return isFloor(from) && isFloor(to) && from <= to ? rangeOf(from, to) : undefined
}

/** `-2~-1，1~33` as floors from below, a range also as `1-33`; nothing where it cannot be read. */
export function parseFloors(text: string): readonly string[] | undefined {
  const parts = text.split(/[,，、\s]+/).filter(Boolean)
  const read = parts.map(floorsOfPart)
  if (!parts.length || read.some(floors => floors === undefined)) return undefined
  const floors = new Set(read.flatMap(found => found ?? []))
  return [...floors].toSorted((a, b) => a - b).map(String)
}

const nextFloor = (floor: number): number => (floor === -1 ? 1 : floor + 1)

/** The other way round, runs of three and more as ranges. */
export function formatFloors(floors: readonly string[]): string {
  const sorted = floors.map(Number).toSorted((a, b) => a - b)
  const runs: number[][] = []
  for (const floor of sorted) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run && last !== undefined && nextFloor(last) === floor) {
      run.push(floor)
    } else {
      runs.push([floor])
    }
  }
  return runs.map(run => (run.length > 2 ? `${run[0]}~${run.at(-1)}` : run.join('、'))).join('、')
}

/** Some of the floors of a lift, in its order. */
export const floorsWithin = (all: readonly string[], some: readonly string[] = []): readonly string[] =>
  all.filter(floor => some.includes(floor))
