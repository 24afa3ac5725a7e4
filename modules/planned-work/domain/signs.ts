import { addMinutes, addSeconds, secondsBetween, type Moment } from '#kit/domain/moment.ts'
import type { ExtraReason, TaskState } from '../contract/choices.ts'

/** How long before its begin a task may be signed. */
export const openMinutes = 30

/** PAT-6: a clock that is off by more is flagged, and offline records are accepted for so long. */
export const maxClockOffset = 300
const maxOfflineSeconds = 24 * 3600

export interface SignTimes {
  readonly deviceTime: Moment
  readonly isOffline: boolean
  /** The clock of the device when it sent, where it says so. */
  readonly sentTime?: Moment | undefined
}

export interface SignClock {
  /** When the step was signed by the server's clock. */
  readonly at: Moment
  /** Device less server, in seconds. */
  readonly offset: number
  readonly isOff: boolean
}

/**
 * When something was signed. What comes at once was signed now. What was kept without a network was signed by
 * the device's clock, less what that clock is off when it sends: so nobody walks on time by setting it.
 */
export function clockOfSign({ deviceTime, isOffline, sentTime }: SignTimes, now: Moment): SignClock {
  const sent = sentTime ?? (isOffline ? undefined : deviceTime)
  const offset = sent === undefined ? 0 : secondsBetween(now, sent)
  const isOff = Math.abs(offset) > maxClockOffset
  if (!isOffline) return { at: now, offset, isOff }
  const at = isOff ? addSeconds(deviceTime, -offset) : deviceTime
  return { at: at > now ? now : at, offset, isOff }
}

export interface SignedTask {
  readonly state: TaskState
  readonly beginTime: Moment
  readonly closeTime: Moment
}

/** Why a sign counts for no step of the task, whatever it is of. */
export function timeRefusal(task: SignedTask, at: Moment, now: Moment): ExtraReason | undefined {
  if (task.state === 'disabled') return 'taskClosed'
  if (secondsBetween(at, now) > maxOfflineSeconds) return 'tooOld'
  return at < addMinutes(task.beginTime, -openMinutes) || at > task.closeTime ? 'outsideTime' : undefined
}
