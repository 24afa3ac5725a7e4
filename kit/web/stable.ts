import { useMemo, useRef } from 'react'

type Hands = Readonly<Record<string, ((...a: never[]) => unknown) | undefined>>

/**
 * The same functions for the life of the component, each doing what the newest one does: what is memoised
 * with them stays drawn.
 */
export function useStable<T extends Hands>(hands: T): T {
  const now = useRef(hands)
  now.current = hands
  return useMemo(
    () => Object.fromEntries(Object.keys(hands).map(k => [k, (...a: never[]) => now.current[k]!(...a)])) as T,
    [],
  )
}
