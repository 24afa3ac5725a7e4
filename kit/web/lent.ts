import { useSyncExternalStore } from 'react'

/**
 * What modules lend to another's screen, each once, from their `provides.ts`. They come after the first
 * screen has been drawn: `use` draws anew.
 */
export interface Lending<T> {
  readonly lend: (x: T) => void
  readonly all: () => readonly T[]
  readonly use: () => readonly T[]
}

export function lending<T>(): Lending<T> {
  let held: readonly T[] = []
  const watchers = new Set<() => void>()
  const all = (): readonly T[] => held
  return {
    lend: x => {
      if (!held.includes(x)) {
        held = [...held, x]
        watchers.forEach(w => w())
      }
    },
    all,
    use: () =>
      useSyncExternalStore(then => {
        watchers.add(then)
        return () => {
          watchers.delete(then)
        }
      }, all),
  }
}
