import { Suspense, lazy, useState, type ComponentType, type ReactNode } from 'react'

/**
 * A part whose code is fetched when it is first drawn; `waiting` holds its place until then, made of what the
 * part gets where need be. After `warm` it is drawn at once: React shows even a fetched lazy part only in its
 * next turn.
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
    // What it began as it stays, or its state would be lost in between.
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
        /* told when it is drawn */
      })
    },
  })
}
