import { defined } from '#kit/domain/defined.ts'
import { useMemo, useRef } from 'react'

type Callbacks = Readonly<Record<string, ((...a: never[]) => unknown) | undefined>>

/**
 * The same functions for the life of the component, each calling the newest one: memoised children that get
 * them are not drawn again.
 */
export function useStableCallbacks<T extends Callbacks>(callbacks: T): T {
  const latest = useRef(callbacks)
  latest.current = callbacks
  return useMemo(
    () =>
      Object.fromEntries(
        Object.keys(callbacks).map(k => [k, (...a: never[]) => defined(latest.current[k])(...a)]),
      ) as T,
    [],
  )
}
