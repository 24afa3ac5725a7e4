import { useMemo, useRef } from 'react'

type Callbacks = Readonly<Record<string, ((...a: never[]) => unknown) | undefined>>

/**
 * The same functions for the life of the component, each doing what the newest one does: what is memoised
 * with them stays drawn.
 */
export function useStableCallbacks<T extends Callbacks>(hands: T): T {
  const now = useRef(hands)
  now.current = hands
  return useMemo(
    () => Object.fromEntries(Object.keys(hands).map(k => [k, (...a: never[]) => now.current[k]!(...a)])) as T,
    [],
  )
}
