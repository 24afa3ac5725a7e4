import { Suspense, lazy, useState, type ComponentType, type ReactNode } from 'react'

/**
 * A component whose code is fetched when it is first drawn; until then `waiting` is shown. After `warm` it is
 * drawn at once: React shows even a loaded lazy component only in its next render.
 */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: ReactNode | ((props: P) => ReactNode) = null,
): ComponentType<P> & { warm(): void } {
  let ready: ComponentType<P> | undefined
  const fetchPart = async (): Promise<{ default: ComponentType<object> }> => {
    ready = await load()
    return { default: ready as ComponentType<object> }
  }
  const Part = lazy(fetchPart)
  const Later = (props: P): ReactNode => {
    // Decided once per instance, or its state would be lost in between.
    const [Ready] = useState(() => ready)
    return Ready ? (
      <Ready {...props} />
    ) : (
      <Suspense fallback={typeof waiting === 'function' ? waiting(props) : waiting}>
        <Part {...props} />
      </Suspense>
    )
  }
  return Object.assign(Later, {
    warm: () => {
      fetchPart().catch(() => {
        /* reported when it is drawn */
      })
    },
  })
}
