import { sameEntranceMs } from '#modules/devices/contract/code-reading.ts'

/** One that is stored, or came before in the batch. */
export interface KeptPassage {
  /** Which record it is, in the device's own count. */
  readonly keys: readonly string[]
  readonly atMs: number
}

/** The same passing reported twice is one record (ACS-5), as two readings of a code are one entrance. */
export const mergeWindowMs = sameEntranceMs

/** The server's own record of an opening from afar, and the device's: their clocks differ. */
export const remoteWindowMs = 60_000

interface MergeInput<T> {
  /** Of one door, one credential, one direction and one result. */
  readonly stored: readonly KeptPassage[]
  readonly incoming: readonly T[]
  readonly keyOf: (passage: T) => string
  readonly timeOf: (passage: T) => number
  readonly windowMs: number
}

export interface Merged<T> {
  /** With the keys of those that are the same passing. */
  readonly added: readonly { readonly passage: T; readonly mergedKeys: readonly string[] }[]
  /** Keys that come to stored ones, by their place there. */
  readonly repeated: ReadonlyMap<number, readonly string[]>
}

interface Slot<T> {
  readonly keys: Set<string>
  readonly atMs: number
  readonly passage?: T
  readonly fresh: string[]
}

/**
 * Each incoming record is known already, the same passing as one that is kept, or a new one. Every record is
 * measured by the one that is kept, so that a card that is held to the reader for a minute stays visible.
 */
export function mergePassages<T>({ stored, incoming, keyOf, timeOf, windowMs }: MergeInput<T>): Merged<T> {
  const slots: Slot<T>[] = stored.map(({ keys, atMs }) => ({ keys: new Set(keys), atMs, fresh: [] }))
  for (const passage of incoming.toSorted((a, b) => timeOf(a) - timeOf(b))) {
    const key = keyOf(passage)
    const atMs = timeOf(passage)
    if (slots.some(slot => slot.keys.has(key))) continue
    const same = slots.find(slot => Math.abs(slot.atMs - atMs) <= windowMs)
    if (same) {
      same.keys.add(key)
      same.fresh.push(key)
    } else {
      slots.push({ keys: new Set([key]), atMs, passage, fresh: [] })
    }
  }
  return {
    added: slots.flatMap(({ passage, fresh }) =>
      passage === undefined ? [] : [{ passage, mergedKeys: fresh }],
    ),
    repeated: new Map(
      slots.flatMap(({ passage, fresh }, place) =>
        passage === undefined && fresh.length ? [[place, fresh] as const] : [],
      ),
    ),
  }
}
