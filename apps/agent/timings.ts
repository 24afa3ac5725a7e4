import { heartbeatMs } from '#modules/devices/contract/agent-protocol.ts'
import { isObject, parseJson } from './json.ts'

const defaults = {
  beatMs: heartbeatMs,
  /** After this long without a message from the server, the connection counts as lost. */
  silenceMs: 3 * heartbeatMs,
  firstRetryMs: 1000,
  lastRetryMs: 60_000,
  /** A new version has to connect within this. */
  candidateMs: 120_000,
  /** What is asked of a device waits so long for a driver that starts. */
  startWaitMs: 10_000,
  /** Between asking a program to end and ending it. */
  killMs: 2000,
  /** A download that brings nothing for so long is started again where it was. */
  downloadIdleMs: 30_000,
}

export type Timings = Readonly<typeof defaults>

/** Tests shorten what people can wait for: `AGENT_TIMINGS='{"beatMs":100}'`. */
export function readTimings(env: NodeJS.ProcessEnv = process.env): Timings {
  const overrides = env.AGENT_TIMINGS ? parseJson(env.AGENT_TIMINGS) : {}
  const numbers = isObject(overrides)
    ? Object.entries(overrides).filter(([, ms]) => typeof ms === 'number')
    : []
  return { ...defaults, ...Object.fromEntries(numbers) }
}

/** Milliseconds before the next attempt: doubling to the last, with a random half (attempts count from 0). */
export function retryDelay(attempt: number, timings: Timings): number {
  const full = Math.min(timings.lastRetryMs, timings.firstRetryMs * 2 ** Math.min(attempt, 30))
  return full * (0.5 + Math.random() / 2)
}
