import { useCallback } from 'react'
import { readStored, saveStored, useStored } from '../browser-store.ts'
import { useSession } from '../session.ts'

/** What was done on the telephone and is not on the server yet. */
export interface QueuedItem {
  /** Idempotency key: a lost response cannot make it happen twice. */
  readonly uuid: string
  /** Why the server refused it. */
  readonly refusal?: string | undefined
}

export interface StoredQueue<T> {
  readonly queue: readonly T[]
  readonly change: (next: (before: readonly T[]) => readonly T[]) => void
  /** As it is now, for callbacks that outlive a render. */
  readonly read: () => readonly T[]
}

const none: readonly never[] = []

/** The queue of the signed-in person on this telephone: it outlives the page and the session. */
export function useStoredQueue<T extends QueuedItem>(name: string): StoredQueue<T> {
  const userId = useSession(s => s.signed?.manager.id ?? 0)
  const storeKey = `${name}/${userId}`
  const [queue] = useStored<readonly T[]>(storeKey, none)
  const read = useCallback((): readonly T[] => readStored<readonly T[]>(storeKey, none), [storeKey])
  const change = useCallback(
    (next: (before: readonly T[]) => readonly T[]): void => saveStored(storeKey, next(read())),
    [storeKey, read],
  )
  return { queue, change, read }
}
