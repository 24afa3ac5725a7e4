import { addSeconds, secondsBetween, type Moment } from '#kit/domain/moment.ts'

/** Up to so much the clock of a camera may differ, as that of a lane (PRK-2). */
const clockToleranceSeconds = 300

/** As many seconds as a clock is taken to be off at most: what the database keeps of it. */
const maxDifference = 2_147_483_647

/** Seconds that a clock is ahead of the server's; below zero behind. */
export const clockDifference = (deviceTime: Moment, now: Moment): number =>
  Math.max(-maxDifference, Math.min(maxDifference, Math.round(secondsBetween(now, deviceTime))))

/** Two readings this far apart that are behind alike show a clock that runs, and not messages that waited. */
export const steadySeconds = 60
const steadyWithin = 30

/**
 * Whether a live reading shows that the clock is off so much. Nothing comes from the future, so that ahead is
 * sure; behind may be a message that came late, unless an earlier reading was behind alike.
 */
export const isClockKnown = (difference: number, earlier: number | undefined): boolean =>
  difference >= -clockToleranceSeconds ||
  (earlier !== undefined && Math.abs(difference - earlier) <= steadyWithin)

/** A reading that came late, by so many seconds below zero, or of a clock that is behind. */
export const lateFault = (seconds: number): string =>
  `识别记录晚到 ${spanText(seconds)}，请检查网络与相机时间`

const minutesOfDay = 1440

function spanText(seconds: number): string {
  const minutes = Math.round(Math.abs(seconds) / 60)
  return minutes < 2 * minutesOfDay ? `${minutes} 分钟` : `${Math.round(minutes / minutesOfDay)} 天`
}

/** What is wrong with a clock that is so many seconds ahead, or behind where below zero. */
export function clockFault(seconds: number): string | undefined {
  if (Math.abs(seconds) <= clockToleranceSeconds) return undefined
  return `相机时间${seconds > 0 ? '快' : '慢'} ${spanText(seconds)}，请在相机上校时`
}

/**
 * When a car passed that a camera reports afterwards: by its clock, put right by how far that was off when it
 * was last heard. What is a little ahead is now; what is far ahead stays so, for the lane to mark it (PRK-2).
 */
export function passedAt(
  deviceTime: Moment | undefined,
  clockDiff: number | undefined,
  now: Moment,
): Moment | undefined {
  if (deviceTime === undefined) return undefined
  const isOff = clockDiff !== undefined && Math.abs(clockDiff) > clockToleranceSeconds
  const at = isOff ? addSeconds(deviceTime, -clockDiff) : deviceTime
  const ahead = secondsBetween(now, at)
  return ahead > 0 && ahead <= clockToleranceSeconds ? now : at
}
