import { addSeconds, secondsBetween, type Moment } from '#kit/domain/moment.ts'

/** Up to so much a clock of a lane may differ. */
export const clockToleranceSeconds = 300

export interface EventTime {
  readonly at: Moment
  readonly isDoubtful: boolean
}

/**
 * When a car passed. A live message whose clock is off has the time of its arrival; one that is reported
 * afterwards keeps its time, but never one that is to come.
 */
export function eventTime(reported: Moment | undefined, now: Moment, isAfterwards: boolean): EventTime {
  if (reported === undefined) return { at: now, isDoubtful: false }
  const ahead = secondsBetween(now, reported)
  const isOff = isAfterwards ? ahead > clockToleranceSeconds : Math.abs(ahead) > clockToleranceSeconds
  return isOff ? { at: now, isDoubtful: true } : { at: reported, isDoubtful: false }
}

/** Two cameras, or one twice: so close together it is the same passage. */
export const samePassageSeconds = 60

export const isSamePassage = (a: Moment, b: Moment): boolean =>
  Math.abs(secondsBetween(a, b)) <= samePassageSeconds

/** A message that overtook another by the difference of clocks still belongs to what it follows. */
export const isNotBefore = (at: Moment, earlier: Moment): boolean =>
  at >= addSeconds(earlier, -samePassageSeconds)
