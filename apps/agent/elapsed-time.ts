import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { hrtime } from 'node:process'
import { isObject } from './json.ts'

/** Milliseconds by a clock that nobody sets, the same for every process of this machine. */
export const monotonicMs = (): number => Number(hrtime.bigint() / 1000n) / 1000

/** A moment by the clocks that nobody sets. */
export interface TimeStamp {
  /** The start of the machine that the clocks count from. */
  readonly boot: string
  readonly monotonicMs: number
  /** Counts on while the machine is suspended, but from the start of a container in some of them. */
  readonly uptimeMs: number
}

/** Where the start of the machine has no name of its own, only this process knows that it is the same one. */
function readBoot(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return `${process.pid}-${Date.now()}-${Math.random()}`
  }
}

const boot = readBoot()

export const timeStamp = (): TimeStamp => ({
  boot,
  monotonicMs: Math.round(monotonicMs()),
  uptimeMs: Math.round(uptime() * 1000),
})

/** The moment so long before this one. */
export const timeStampBefore = (ms: number): TimeStamp => {
  const now = timeStamp()
  return { ...now, monotonicMs: now.monotonicMs - ms, uptimeMs: now.uptimeMs - ms }
}

/** How long ago that was; undefined where it was before another start of the machine. */
export function elapsedSince(stamp: TimeStamp): number | undefined {
  const now = timeStamp()
  if (stamp.boot !== now.boot) return undefined
  return Math.max(0, now.monotonicMs - stamp.monotonicMs, now.uptimeMs - stamp.uptimeMs)
}

/** The value read from the disk; earlier versions wrote none. */
export function readTimeStamp(value: unknown): TimeStamp | undefined {
  if (!isObject(value)) return undefined
  const { boot: start, monotonicMs: monotonic, uptimeMs } = value
  if (typeof start !== 'string' || typeof monotonic !== 'number' || typeof uptimeMs !== 'number')
    return undefined
  return { boot: start, monotonicMs: monotonic, uptimeMs }
}
