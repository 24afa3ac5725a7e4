import { defined } from '#kit/domain/defined.ts'
import { keysOfRecord } from '#kit/domain/records.ts'
import type { Random } from './names.ts'

/** The same numbers on every machine: nothing here may depend on luck. */
export function seededRandom(seed: number): Random {
  let x = seed >>> 0 || 1
  return below => {
    x ^= x << 13
    x >>>= 0
    x ^= x >>> 17
    x ^= x << 5
    x >>>= 0
    return x % below
  }
}

/** The list in another order. */
export function shuffle<T>(list: readonly T[], random: Random): T[] {
  const all = [...list]
  for (let i = all.length - 1; i > 0; i--) {
    const j = random(i + 1)
    ;[all[i], all[j]] = [defined(all[j]), defined(all[i])]
  }
  return all
}

/** A shuffled list with this many values of each kind, filled up with the remaining kind. */
export const distribute = <Kind extends string>(
  counts: Partial<Record<Kind, number>>,
  rest: Kind,
  total: number,
  random: Random,
): Kind[] => {
  const some = keysOfRecord(counts)
    .flatMap(kind => Array.from({ length: counts[kind] ?? 0 }, () => kind))
    .slice(0, total)
  return shuffle([...some, ...Array.from({ length: total - some.length }, () => rest)], random)
}
