import { useCallback, useEffect, useRef } from 'react'
import type { Call } from '#kit/contract/call.ts'
import { subscribeTopic, useLiveUpdate } from './live.ts'
import { invalidateCalls } from './query.ts'

interface LiveSource {
  /** What the server is asked to report while the screen is open. */
  readonly topic: string
  /** The kind of its messages. */
  readonly kind: string
  /** Much may change at once: what is shown is requested again no sooner. */
  readonly pauseMs: number
}

/** Refetches these calls while the source reports changes, and after the connection was lost. */
export function useLiveRefetch({ topic, kind, pauseMs }: LiveSource, calls: readonly Call[]): void {
  useEffect(() => subscribeTopic(topic), [topic])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(calls)
  latest.current = calls
  useEffect(() => () => clearTimeout(timer.current), [])
  const refetch = useCallback(() => {
    if (timer.current !== undefined) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      void invalidateCalls(...latest.current)
    }, pauseMs)
  }, [pauseMs])
  useLiveUpdate(kind, refetch)
}
