import { useEffect, useLayoutEffect, useState, type RefObject } from 'react'

/** Height of the window, followed once it has not changed for 200 ms: page sizes depend on it. */
export function useWindowHeight(): number {
  const [height, setHeight] = useState(innerHeight)
  useEffect(() => {
    let timer = 0
    const update = (): void => {
      clearTimeout(timer)
      timer = window.setTimeout(() => setHeight(innerHeight), 200)
    }
    addEventListener('resize', update)
    return () => {
      clearTimeout(timer)
      removeEventListener('resize', update)
    }
  }, [])
  return height
}

/** Width of an element, followed; that of the window until it is known. */
export function useElementWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(innerWidth)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const update = (): void => {
      if (element.clientWidth) {
        setWidth(element.clientWidth)
      }
    }
    update()
    const observer = new ResizeObserver(update)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return width
}
