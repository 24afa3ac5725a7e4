import { useSyncExternalStore } from 'react'

/**
 * What modules add to another module's screen, each once, from their `extensions.ts`. They arrive after the
 * first screen has been drawn: `useAll` renders again.
 */
export interface ExtensionPoint<T> {
  readonly provide: (item: T) => void
  readonly all: () => readonly T[]
  readonly useAll: () => readonly T[]
}

export function createExtensionPoint<T>(): ExtensionPoint<T> {
  let items: readonly T[] = []
  const listeners = new Set<() => void>()
  const all = (): readonly T[] => items
  return {
    provide: item => {
      if (!items.includes(item)) {
        items = [...items, item]
        listeners.forEach(listener => listener())
      }
    },
    all,
    useAll: () =>
      useSyncExternalStore(listener => {
        listeners.add(listener)
        return () => {
          listeners.delete(listener)
        }
      }, all),
  }
}
