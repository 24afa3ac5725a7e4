import { useEffect, useSyncExternalStore } from 'react'
import './progress.css'

/**
 * The bar over the page: it starts with every change of address but the one to /login, and ends when the page
 * stands (0§2).
 */
let under = 0
let watchers: readonly (() => void)[] = []
const tell = (): void => watchers.forEach(w => w())

export const progress = {
  start: (): void => {
    under = Date.now()
    tell()
  },
  done: (): void => {
    under = 0
    tell()
  },
}

const watch = (w: () => void): (() => void) => {
  watchers = [...watchers, w]
  return () => {
    watchers = watchers.filter(x => x !== w)
  }
}

export function ProgressBar() {
  const began = useSyncExternalStore(watch, () => under)
  return (
    <div
      key={began || 'done'}
      className={began ? 'progress under' : 'progress'}
      role="progressbar"
      aria-hidden={!began}
      aria-label="正在打开页面"
    />
  )
}

/** Stands inside a page: when it has been drawn, the bar ends. */
export function Arrived() {
  useEffect(() => progress.done())
  return null
}
