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

const firstRetryMs = 2_000
const maxRetryMs = 30_000

/**
 * Runs a task unless another window of this browser does so at the moment. A page without encryption has no
 * locks: the server then tells repeated requests apart by their numbers, and a picture may arrive twice.
 */
async function runInOneWindow(name: string, task: () => Promise<unknown>): Promise<void> {
  if (!('locks' in navigator)) {
    await task()
    return
  }
  await navigator.locks.request(name, { ifAvailable: true }, async lock => lock && task())
}

/**
 * Sends what waits in this queue when the page opens, when the network is back, and again after 2 seconds,
 * then less often up to every 30; never twice at once, in two windows neither. A network that has just come
 * back may fail once more.
 */
export function useResend(queueName: string, hasWaiting: boolean, flush: () => Promise<unknown>): () => void {
  const isBusy = useRef(false)
  const latest = useRef(flush)
  latest.current = flush
  const run = useCallback((): void => {
    if (isBusy.current) return
    isBusy.current = true
    void runInOneWindow(queueName, () => latest.current()).finally(() => {
      isBusy.current = false
    })
  }, [queueName])
  useEffect(() => {
    if (!hasWaiting) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const runRepeatedly = (delay: number): void => {
      run()
      timer = setTimeout(() => runRepeatedly(Math.min(delay * 2, maxRetryMs)), delay)
    }
    const restart = (): void => {
      clearTimeout(timer)
      runRepeatedly(firstRetryMs)
    }
    restart()
    addEventListener('online', restart)
    return () => {
      clearTimeout(timer)
      removeEventListener('online', restart)
    }
  }, [hasWaiting, run])
  return run
}
