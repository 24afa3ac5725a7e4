import { addDays } from '#kit/domain/day.ts'
import { dayOfMoment, momentAt, timeOf, type Moment } from '#kit/domain/moment.ts'

/** SMS-3: marketing goes out from 08:00 to 21:00. */
const opens = '08:00'
const closes = '21:00'

export const isMarketingHour = (now: Moment): boolean => {
  const time = timeOf(now).slice(0, 5)
  return time >= opens && time < closes
}

/** The first moment from `wanted` on at which marketing may go out. */
export function nextMarketingMoment(wanted: Moment): Moment {
  if (isMarketingHour(wanted)) return wanted
  const day = dayOfMoment(wanted)
  return momentAt(timeOf(wanted).slice(0, 5) < opens ? day : addDays(day, 1), opens)
}
