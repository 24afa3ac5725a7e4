import { Suspense, lazy, type ComponentType, type ReactNode } from 'react'

/** A part whose code is fetched when it is first drawn; `waiting` holds its place until then. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>, waiting: ReactNode = null): ComponentType<P> {
  const Part = lazy(async () => ({ default: (await load()) as ComponentType<object> }))
  return p => <Suspense fallback={waiting}><Part {...p} /></Suspense>
}
