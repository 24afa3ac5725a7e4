import type { Moment } from '#kit/contract/field.ts'
import { addDays } from '#kit/domain/day.ts'
import { dayOfMoment, momentAt } from '#kit/domain/moment.ts'

/**
 * The hours of a day in which somebody's bell is silent, `22:00` to `07:00`: the end is outside. Equal
 * ends mean no hour at all.
 */
export interface QuietHours {
  readonly from: string
  readonly to: string
}

/** When the bell rings for something that happens now: at once, or as the quiet hours end. */
export function calculateRingTime(now: Moment, quiet: QuietHours | undefined): Moment {
  if (!quiet || quiet.from === quiet.to) return now
  const clock = now.slice(11, 16)
  const today = dayOfMoment(now)
  const spansMidnight = quiet.from > quiet.to
  const isQuiet = spansMidnight
    ? clock >= quiet.from || clock < quiet.to
    : clock >= quiet.from && clock < quiet.to
  if (!isQuiet) return now
  return momentAt(spansMidnight && clock >= quiet.from ? addDays(today, 1) : today, quiet.to)
}
