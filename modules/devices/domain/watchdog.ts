export interface WatchdogState {
  readonly missCount: number
  readonly missLimit: number
  readonly checkSeconds: number
  /** Seconds since the last restart; nothing where there was none. */
  readonly sinceRestart: number | undefined
  readonly hasBeat: boolean
}

export type WatchdogDecision = { readonly missCount: number; readonly shouldRestart: boolean }

/** A machine that was restarted gets this long before its beats are missed again. */
export const restartGraceSeconds = 300

/** One check: a beat forgets the misses; as many misses as allowed restart, and start the count again. */
export function decideWatchdog(state: WatchdogState): WatchdogDecision {
  if (state.hasBeat) return { missCount: 0, shouldRestart: false }
  if (state.sinceRestart !== undefined && state.sinceRestart < restartGraceSeconds)
    return { missCount: 0, shouldRestart: false }
  const missCount = state.missCount + 1
  return missCount >= state.missLimit
    ? { missCount: 0, shouldRestart: true }
    : { missCount, shouldRestart: false }
}
