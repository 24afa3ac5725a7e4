import { useSyncExternalStore } from 'react'

/**
 * What a person likes to find again: appearance, favourites, columns, drafts. It lies in IndexedDB, because
 * the end of a session wipes local storage whole (0§8) and must not take these along. Read once at start,
 * then answered from memory; other windows hear of a change.
 */
const held = new Map<string, unknown>()
const watchers = new Map<string, Set<() => void>>()
let base: IDBDatabase | undefined
let windows: BroadcastChannel | undefined

const shelf = 'kept'

const asked = <T>(r: IDBRequest<T>): Promise<T> =>
  new Promise((fine, wrong) => {
    r.onsuccess = () => fine(r.result)
    r.onerror = () => wrong(r.error ?? new Error('no answer'))
  })

const told = (key: string): void => watchers.get(key)?.forEach(w => w())

/** Opens the shelf; where the browser forbids it, everything is kept for the life of the page only. */
export async function openKeep(): Promise<void> {
  try {
    const r = indexedDB.open('anju', 1)
    r.onupgradeneeded = () => r.result.createObjectStore(shelf)
    base = await asked(r)
    const all = base.transaction(shelf).objectStore(shelf)
    const [keys, values] = await Promise.all([asked(all.getAllKeys()), asked(all.getAll())])
    keys.forEach((k, i) => held.set(String(k), values[i]))
  } catch {
    base = undefined
  }
  if (typeof BroadcastChannel === 'undefined') return
  windows = new BroadcastChannel('anju.kept')
  windows.onmessage = e => {
    const { key, value } = e.data as { key: string; value: unknown }
    put(key, value)
  }
}

function put(key: string, value: unknown): void {
  if (value === undefined) {
    held.delete(key)
  } else {
    held.set(key, value)
  }
  told(key)
}

/** Reads what was kept under a key, or the other value. */
export const kept = <T>(key: string, otherwise: T): T => (held.has(key) ? (held.get(key) as T) : otherwise)

/** Keeps a value (plain data) under a key; `undefined` lets it go. */
export function keep(key: string, value: unknown): void {
  put(key, value)
  windows?.postMessage({ key, value })
  try {
    const s = base?.transaction(shelf, 'readwrite').objectStore(shelf)
    if (value === undefined) {
      s?.delete(key)
    } else {
      s?.put(value, key)
    }
  } catch {
    /* full or forbidden: it stays in memory */
  }
}

/** All keys that begin so, e.g. the drafts of a screen. */
export const keptKeys = (begin: string): string[] => [...held.keys()].filter(k => k.startsWith(begin))

function watch(key: string, then: () => void): () => void {
  const all = watchers.get(key) ?? new Set()
  watchers.set(key, all.add(then))
  return () => {
    all.delete(then)
  }
}

/** A kept value as state. `initial` must be the same object each time, as of any store. */
export function useKept<T>(key: string, initial: T): [value: T, set: (v: T) => void] {
  const value = useSyncExternalStore(
    then => watch(key, then),
    () => kept(key, initial),
  )
  return [value, v => keep(key, v)]
}
