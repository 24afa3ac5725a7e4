import type { App } from './app.ts'

/**
 * Work that every server process repeats while it runs, at a pace that crons do not have. Processes do it at
 * the same time: what it does must bear that.
 */
export interface Interval {
  readonly name: string
  readonly everyMs: number
  readonly run: (app: App) => Promise<void>
}

export const defineInterval = (interval: Interval): Interval => interval

/** Runs each repeatedly, never twice at once. Returns a stop function, which waits for running ones. */
export function startIntervals(app: App, intervals: readonly Interval[]): () => Promise<void> {
  const running = new Set<Promise<void>>()
  const busy = new Set<string>()
  const timers = intervals.map(({ name, everyMs, run }) =>
    setInterval(() => {
      if (busy.has(name)) return
      busy.add(name)
      const turn = run(app)
        .catch((err: unknown) => app.log.warn({ err, interval: name }, 'repeated work failed'))
        .finally(() => {
          busy.delete(name)
          running.delete(turn)
        })
      running.add(turn)
    }, everyMs).unref(),
  )
  return async () => {
    timers.forEach(timer => clearInterval(timer))
    await Promise.all(running)
  }
}
