import { useCallback, useEffect, useRef } from 'react'
import type { Call } from '#kit/contract/call.ts'
import { subscribeTopic, useLiveUpdate } from '#kit/web/live.ts'
import { invalidateCalls } from '#kit/web/query.ts'

/** Many orders may move at once: what is shown is asked again no sooner. */
const pauseMs = 2000

/** Refetches these calls while orders change, and after the connection was lost. */
export function useLiveOrders(...calls: readonly Call[]): void {
  useEffect(() => subscribeTopic('workOrders'), [])
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
  }, [])
  useLiveUpdate('workOrder', refetch)
}
