import type { BusyTime } from '../domain/scan-burst.ts'

/** Timers come at least this late; what is later still was kept back by other work. */
const usualDelayMs = 12

/** Long enough for the keys of one burst. */
const watchMs = 250

/**
 * Notes when the page was kept busy, from `watch` on for a moment: a timer that comes late tells. Nothing
 * runs while nobody types.
 */
export function createBusyTimes(): {
  readonly watch: () => void
  readonly times: () => readonly BusyTime[]
  readonly stop: () => void
} {
  let spans: readonly BusyTime[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastTick = 0
  let watchedUntil = 0
  const note = (): void => {
    const now = performance.now()
    if (now - lastTick > usualDelayMs) {
      spans = [...spans.filter(span => now - span.to < 1000), { from: lastTick, to: now }]
    }
    lastTick = now
  }
  const tick = (): void => {
    note()
    timer = lastTick < watchedUntil ? setTimeout(tick) : undefined
  }
  return {
    watch: () => {
      const now = performance.now()
      watchedUntil = now + watchMs
      if (timer === undefined) {
        lastTick = now
        timer = setTimeout(tick)
      }
    },
    times: () => {
      if (timer !== undefined) {
        note()
      }
      return spans
    },
    stop: () => {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
