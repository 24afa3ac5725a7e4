import { useEffect, useSyncExternalStore } from 'react'
import './progress.css'

/**
 * The progress bar over the page: it starts with every change of address except to /login, and ends when the
 * page is drawn (0§2).
 */
let startedAt = 0
let listeners: readonly (() => void)[] = []
const notify = (): void => listeners.forEach(listener => listener())

export const progress = {
  start: (): void => {
    startedAt = Date.now()
    notify()
  },
  done: (): void => {
    startedAt = 0
    notify()
  },
}

const subscribe = (listener: () => void): (() => void) => {
  listeners = [...listeners, listener]
  return () => {
    listeners = listeners.filter(other => other !== listener)
  }
}

export function ProgressBar() {
  const startTime = useSyncExternalStore(subscribe, () => startedAt)
  return (
    <div
      key={startTime || 'done'}
      className={startTime ? 'progress under' : 'progress'}
      role="progressbar"
      aria-hidden={!startTime}
      aria-label="正在打开页面"
    />
  )
}

/** In the place of a page whose code is still fetched; shown after a third of a second. */
export const OpeningPage = () => (
  <p className="empty opening" role="status">
    正在打开页面…
  </p>
)

/** Placed inside a page: when it is mounted, the bar ends. */
export function PageReady() {
  useEffect(() => progress.done())
  return null
}
