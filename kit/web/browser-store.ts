import { useSyncExternalStore } from 'react'
import { keepUnwritten, takeUnwritten } from './unwritten-values.ts'

/**
 * What a person keeps in this browser: appearance, favourites, columns, drafts. Stored in IndexedDB, because
 * the end of a session clears local storage (0§8) and must not clear these. Read once at start, then answered
 * from memory; other windows follow changes.
 */
const storedValues = new Map<string, unknown>()
const listeners = new Map<string, Set<() => void>>()
let database: IDBDatabase | undefined
let channel: BroadcastChannel | undefined
let lastWrite: Promise<void> = Promise.resolve()
const unwritten = new Map<string, unknown>()

const storeName = 'kept'

const requestResult = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('no answer'))
  })

/** Ends with the transaction, whether it was written or given up. */
const endOf = (transaction: IDBTransaction, onWritten: () => void): Promise<void> =>
  new Promise(resolve => {
    transaction.oncomplete = () => {
      onWritten()
      resolve()
    }
    transaction.onabort = () => resolve()
  })

const notify = (key: string): void => listeners.get(key)?.forEach(listener => listener())

/** Opens the store; where the browser forbids it, values are kept for the life of the page only. */
export async function openBrowserStore(): Promise<void> {
  try {
    const request = indexedDB.open('anju', 1)
    request.onupgradeneeded = () => request.result.createObjectStore(storeName)
    database = await requestResult(request)
    const all = database.transaction(storeName).objectStore(storeName)
    const [keys, values] = await Promise.all([requestResult(all.getAllKeys()), requestResult(all.getAll())])
    keys.forEach((k, i) => storedValues.set(String(k), values[i]))
  } catch {
    database = undefined
  }
  takeUnwritten().forEach(([key, value]) => saveStored(key, value))
  addEventListener('pagehide', () => keepUnwritten(unwritten))
  if (typeof BroadcastChannel === 'undefined') return
  channel = new BroadcastChannel('anju.kept')
  channel.onmessage = ({ data }: MessageEvent<{ readonly key: string; readonly value: unknown }>) =>
    setValue(data.key, data.value)
}

function setValue(key: string, value: unknown): void {
  if (value === undefined) {
    storedValues.delete(key)
  } else {
    storedValues.set(key, value)
  }
  notify(key)
}

/** The stored value of a key, or the fallback. */
export const readStored = <T>(key: string, fallback: T): T =>
  storedValues.has(key) ? (storedValues.get(key) as T) : fallback

/** Stores a value (plain data) under a key; `undefined` deletes it. */
export function saveStored(key: string, value: unknown): void {
  setValue(key, value)
  channel?.postMessage({ key, value })
  try {
    const transaction = database?.transaction(storeName, 'readwrite')
    if (!transaction) return
    unwritten.set(key, value)
    lastWrite = endOf(transaction, () => {
      if (unwritten.get(key) === value) {
        unwritten.delete(key)
      }
    })
    const store = transaction.objectStore(storeName)
    if (value === undefined) {
      store.delete(key)
    } else {
      store.put(value, key)
    }
  } catch {
    /* full or forbidden: it stays in memory */
  }
}

/**
 * Ends when everything that was saved so far is written: it then outlives the page, which may end at any
 * moment. One write follows the other, so that the last ends last.
 */
export const whenWritten = (): Promise<void> => lastWrite

/** All keys that begin so, e.g. the drafts of a screen. */
export const storedKeys = (prefix: string): string[] =>
  [...storedValues.keys()].filter(k => k.startsWith(prefix))

function subscribe(key: string, listener: () => void): () => void {
  const all = listeners.get(key) ?? new Set()
  listeners.set(key, all.add(listener))
  return () => {
    all.delete(listener)
  }
}

/** A stored value as state. `initial` must be the same object each time, as with any store. */
export function useStored<T>(key: string, initial: T): [value: T, set: (next: T) => void] {
  const value = useSyncExternalStore(
    listener => subscribe(key, listener),
    () => readStored(key, initial),
  )
  return [value, next => saveStored(key, next)]
}
