import { useSyncExternalStore } from 'react'

/**
 * What modules lend to another's screen, each once, from their `provides.ts`. They come after the first
 * screen has been drawn: `use` draws anew.
 */
export interface ExtensionPoint<T> {
  readonly provide: (x: T) => void
  readonly all: () => readonly T[]
  readonly useAll: () => readonly T[]
}

export function createExtensionPoint<T>(): ExtensionPoint<T> {
  let held: readonly T[] = []
  const watchers = new Set<() => void>()
  const all = (): readonly T[] => held
  return {
    provide: x => {
      if (!held.includes(x)) {
        held = [...held, x]
        watchers.forEach(w => w())
      }
    },
    all,
    useAll: () =>
      useSyncExternalStore(then => {
        watchers.add(then)
        return () => {
          watchers.delete(then)
        }
      }, all),
  }
}
