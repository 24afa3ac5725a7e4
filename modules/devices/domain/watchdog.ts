export interface WatchdogState {
  readonly missCount: number
  readonly missLimit: number
  /** Restarts since the last beat. */
  readonly attempts: number
  /** Seconds since the last restart; undefined where there was none. */
  readonly sinceRestart: number | undefined
  readonly hasBeat: boolean
}

export interface WatchdogDecision {
  readonly missCount: number
  readonly attempts: number
  readonly shouldRestart: boolean
  readonly message: string
}

/** A machine that was restarted gets this long to beat again before it is restarted once more. */
export const restartGraceSeconds = 300
/** After this many restarts without a beat, a person has to look. */
export const maxAttempts = 3

const silenceMessage = (missCount: number, attempts: number, isWaiting: boolean): string => {
  const missed = `连续 ${missCount} 次未收到心跳`
  if (!attempts) return missed
  return isWaiting || attempts < maxAttempts
    ? `已下发重启指令 ${attempts} 次，等待恢复，${missed}`
    : `已下发重启指令 ${attempts} 次仍未恢复，请到现场处理`
}

/**
 * One check. Only a beat resets the counts of misses and restarts. At the limit of misses the machine is
 * restarted, again after each grace period, `maxAttempts` times in all.
 */
export function decideWatchdog(state: WatchdogState): WatchdogDecision {
  const { attempts, sinceRestart } = state
  if (state.hasBeat)
    return { missCount: 0, attempts: 0, shouldRestart: false, message: attempts ? '已恢复' : '正常' }
  const missCount = state.missCount + 1
  const isWaiting = sinceRestart !== undefined && sinceRestart < restartGraceSeconds
  const shouldRestart = missCount >= state.missLimit && !isWaiting && attempts < maxAttempts
  return { missCount, attempts, shouldRestart, message: silenceMessage(missCount, attempts, isWaiting) }
}
