import { createContext, type Ref } from 'react'

/**
 * Stands for what the router's links do in pages that a server renders: there they fetch the data of a page
 * ahead. Left out, every page is some 3 kB lighter.
 */
export const FrameworkContext = createContext<undefined>(undefined)
export const PrefetchPageLinks = (): null => null
export const usePrefetchBehavior = (): readonly [boolean, undefined, object] => [false, undefined, {}]

export const mergeRefs =
  <T>(...refs: readonly (Ref<T> | undefined)[]) =>
  (element: T): void => {
    for (const ref of refs) {
      if (typeof ref === 'function') {
        ref(element)
      } else if (ref) {
        ref.current = element
      }
    }
  }
