import { useCallback, useEffect, useRef } from 'react'
import { Refused } from '#kit/contract/wire.ts'

/**
 * Sends what waits, one after the other: a refused one is handed back with the reason and the next follows;
 * without a network the rest stays as it is. True when all of it was sent or refused.
 */
export async function sendInOrder<T>(
  waiting: readonly T[],
  send: (item: T) => Promise<void>,
  onRefused: (item: T, refusal: Refused) => void,
): Promise<boolean> {
  for (const item of waiting) {
    try {
      await send(item)
    } catch (error) {
      if (!(error instanceof Refused)) return false
      onRefused(item, error)
    }
  }
  return true
}

const retryInterval = 30_000

/**
 * Sends what waits when the page opens, when the network is back, and every 30 seconds; never twice at once.
 */
export function useResend(hasWaiting: boolean, flush: () => Promise<unknown>): () => void {
  const isBusy = useRef(false)
  const latest = useRef(flush)
  latest.current = flush
  const run = useCallback((): void => {
    if (isBusy.current) return
    isBusy.current = true
    void latest.current().finally(() => {
      isBusy.current = false
    })
  }, [])
  useEffect(() => {
    if (!hasWaiting) return undefined
    run()
    const timer = setInterval(run, retryInterval)
    addEventListener('online', run)
    return () => {
      clearInterval(timer)
      removeEventListener('online', run)
    }
  }, [hasWaiting, run])
  return run
}
