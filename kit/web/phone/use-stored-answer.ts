import { useCallback, useEffect } from 'react'
import type { Call } from '#kit/contract/call.ts'
import { Refused } from '#kit/contract/wire.ts'
import { readStored, saveStored, useStored } from '../browser-store.ts'
import { offlineAnswerPrefix } from '../offline/offline-names.ts'
import { invalidateCalls, useCall } from '../query.ts'
import { personalKey, useSession } from '../session.ts'
import { useOnline } from '../use-online.ts'

export interface StoredAnswer<O> {
  readonly answer: O | undefined
  /** There is no value yet, neither from the server nor stored. */
  readonly isLoading: boolean
  /** There is no network, or the server could not be reached: the answer is that of the last time. */
  readonly isOld: boolean
  /** What the server refused, for want of a right or of the person's staff record. */
  readonly refusal: string | undefined
  readonly refetch: () => void
  readonly change: (next: (before: O) => O) => void
}

/**
 * The last answer of a call, kept on the phone for where there is no network, for the person who is
 * signed in; it goes when that person signs out. `name` tells it from those of other calls.
 */
export function useStoredAnswer<I, O>(
  call: Call<I, O>,
  input: NoInfer<I>,
  name: string,
  isEnabled = true,
): StoredAnswer<O> {
  // The key is that of the person: it is another one when somebody else signs in.
  useSession(s => s.signed?.manager.id)
  const storeKey = `${offlineAnswerPrefix}${personalKey(name)}`
  const [answer, setAnswer] = useStored<O | undefined>(storeKey, undefined)
  const query = useCall(call, input, { quiet: true, project: 0, staleMs: 0, enabled: isEnabled })
  const { data, error } = query
  const refusal = error instanceof Refused ? error.message : undefined
  // Nothing is asked while a page is filled in: that the network is lost is known without it.
  const online = useOnline()
  const isPaused = !online || query.fetchStatus === 'paused'
  useEffect(() => {
    if (data !== undefined) {
      setAnswer(data)
    }
  }, [data])
  useEffect(() => {
    if (refusal !== undefined) {
      setAnswer(undefined)
    }
  }, [refusal])
  const change = useCallback(
    (next: (before: O) => O): void => {
      const before = readStored<O | undefined>(storeKey, undefined)
      if (before !== undefined) {
        saveStored(storeKey, next(before))
      }
    },
    [storeKey],
  )
  return {
    answer,
    isLoading: isEnabled && query.isPending && !isPaused && answer === undefined,
    isOld: isEnabled && (isPaused || (query.isError && refusal === undefined)),
    refusal,
    // Not `query.refetch`: that joins a first answer under way, which may have been read before the change.
    refetch: () => void invalidateCalls(call),
    change,
  }
}
