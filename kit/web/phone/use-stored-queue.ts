import { useCallback, useMemo } from 'react'
import { readStored, saveStored, useStored } from '../browser-store.ts'
import { useSession } from '../session.ts'

/** What was done on the phone and is not on the server yet. */
export interface QueuedItem {
  /** Idempotency key: a lost response cannot make it happen twice. */
  readonly uuid: string
  /** Why the server refused it. */
  readonly refusal?: string | undefined
}

export interface StoredQueue<Q> {
  readonly queue: Q
  readonly change: (next: (before: Q) => Q) => void
  /** The current queue, for callbacks that outlive a render. */
  readonly read: () => Q
}

/**
 * The queue of the signed-in person on this phone: it outlives the page and the session. A list or items
 * by key; `empty` must be the same object each time.
 */
export function useStoredQueue<Q extends readonly QueuedItem[] | Readonly<Record<string, QueuedItem>>>(
  name: string,
  empty: Q,
): StoredQueue<Q> {
  const userId = useSession(s => s.signed?.manager.id ?? 0)
  const storeKey = `${name}/${userId}`
  const [queue] = useStored(storeKey, empty)
  const read = useCallback((): Q => readStored(storeKey, empty), [storeKey, empty])
  const change = useCallback(
    (next: (before: Q) => Q): void => saveStored(storeKey, next(read())),
    [storeKey, read],
  )
  return useMemo(() => ({ queue, change, read }), [queue, change, read])
}
