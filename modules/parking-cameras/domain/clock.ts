import { addSeconds, secondsBetween, type Moment } from '#kit/domain/moment.ts'

/** Up to so much the clock of a camera may differ, as that of a lane (PRK-2). */
const clockToleranceSeconds = 300

/** What is wrong with a clock that is so many seconds ahead, or behind where below zero. */
export function clockFault(seconds: number): string | undefined {
  if (Math.abs(seconds) <= clockToleranceSeconds) return undefined
  const minutes = Math.round(Math.abs(seconds) / 60)
  return `相机时间${seconds > 0 ? '快' : '慢'} ${minutes} 分钟，请在相机上校时`
}

/**
 * When a car passed that a camera reports afterwards: by its clock, put right by how far that was off when it
 * was last heard; nothing that is to come.
 */
export function passedAt(
  deviceTime: Moment | undefined,
  clockDiff: number | undefined,
  now: Moment,
): Moment | undefined {
  if (deviceTime === undefined) return undefined
  const isOff = clockDiff !== undefined && Math.abs(clockDiff) > clockToleranceSeconds
  const at = isOff ? addSeconds(deviceTime, -clockDiff) : deviceTime
  return secondsBetween(now, at) > 0 ? now : at
}
