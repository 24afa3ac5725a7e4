import { useMemo, useRef } from 'react'

type Callbacks = Readonly<Record<string, ((...a: never[]) => unknown) | undefined>>

/**
 * The same functions for the life of the component, each doing what the newest one does: what is memoised
 * with them stays drawn.
 */
export function useStableCallbacks<T extends Callbacks>(callbacks: T): T {
  const latest = useRef(callbacks)
  latest.current = callbacks
  return useMemo(
    () =>
      Object.fromEntries(
        Object.keys(callbacks).map(k => [k, (...a: never[]) => latest.current[k]!(...a)]),
      ) as T,
    [],
  )
}
