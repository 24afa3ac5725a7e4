import { useCallback, useEffect, useRef } from 'react'
import { subscribeTopic, useLiveUpdate } from '#kit/web/live.ts'
import { invalidateCalls } from '#kit/web/query.ts'
import type { Call } from '#kit/contract/call.ts'

/** A site with many devices reports often: what is shown is asked again no sooner. */
const pauseMs = 3000

/** Refetches these calls while devices and gateways report changes, and after the connection was lost. */
export function useLiveDevices(...calls: readonly Call[]): void {
  useEffect(() => subscribeTopic('devices'), [])
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
  useLiveUpdate('devices', refetch)
}
