import { useEffect, useLayoutEffect, useState, type RefObject } from 'react'

/** Height of the window, followed once it has been still for 200 ms: page sizes hang on it. */
export function useWindowHeight(): number {
  const [height, setHeight] = useState(innerHeight)
  useEffect(() => {
    let t = 0
    const read = (): void => {
      clearTimeout(t)
      t = window.setTimeout(() => setHeight(innerHeight), 200)
    }
    addEventListener('resize', read)
    return () => {
      clearTimeout(t)
      removeEventListener('resize', read)
    }
  }, [])
  return height
}

/** Width of an element, followed; that of the window until it is known. */
export function useElementWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(innerWidth)
  useLayoutEffect(() => {
    const el = ref.current
    if (!el) return undefined
    const read = (): void => {
      if (el.clientWidth) {
        setWidth(el.clientWidth)
      }
    }
    read()
    const seen = new ResizeObserver(read)
    seen.observe(el)
    return () => seen.disconnect()
  }, [ref])
  return width
}
