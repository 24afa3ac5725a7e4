import { addDays, daysBetween, type Day } from '#kit/domain/day.ts'
import { formatExact } from '#kit/domain/exact.ts'
import type { Id } from '#kit/domain/id.ts'
import { ratio, roundRatio } from '#kit/domain/ratio.ts'
import type { Decimal } from '#kit/domain/decimal.ts'

/** Hours since 1970 in Shanghai. */
export type HourNumber = number

/** The cars of one car park in one hour. */
export interface HourCount {
  readonly parkId: Id
  readonly hour: HourNumber
  readonly inCount: number
  readonly outCount: number
  /** By how many more cars are inside after it. */
  readonly change: number
  readonly minutes: number
  readonly timedCount: number
}

export interface FlowPark {
  readonly parkId: Id
  readonly parkName: string
  readonly places: number
  /** Inside when the time begins. */
  readonly insideBefore: number
}

const hoursOfDay = 24
const epoch: Day = '1970-01-01'

export const hourOfDay = (day: Day): HourNumber => daysBetween(epoch, day) * hoursOfDay

interface Figures {
  inCount: number
  outCount: number
  minutes: number
  timedCount: number
  maxInside: number
}

const noFigures = (maxInside: number): Figures => ({
  inCount: 0,
  outCount: 0,
  minutes: 0,
  timedCount: 0,
  maxInside,
})

function addCount(figures: Figures, count: HourCount | undefined, inside: number): void {
  figures.inCount += count?.inCount ?? 0
  figures.outCount += count?.outCount ?? 0
  figures.minutes += count?.minutes ?? 0
  figures.timedCount += count?.timedCount ?? 0
  figures.maxInside = Math.max(figures.maxInside, inside)
}

export const averageMinutes = ({ minutes, timedCount }: Pick<Figures, 'minutes' | 'timedCount'>) =>
  timedCount ? Math.round(minutes / timedCount) : undefined

/** STAT: how often each place was used a day; a car park without a number of places has none. */
export const turnoverOf = (outCount: number, places: number, days: number): Decimal | undefined =>
  places > 0 ? formatExact(roundRatio(ratio(outCount, places * days), 2)) : undefined

const shownFigures = (figures: Figures, places: number, days: number) => ({
  inCount: figures.inCount,
  outCount: figures.outCount,
  avgMinutes: averageMinutes(figures),
  maxInside: figures.maxInside,
  places,
  turnover: turnoverOf(figures.outCount, places, days),
})

export type ShownFigures = ReturnType<typeof shownFigures>

interface Span {
  readonly from: Day
  readonly to: Day
  /** The hour that is running: what comes after it is not yet. */
  readonly now: HourNumber
}

/** The hours of a car park one after the other, each with the cars inside at its end. */
function* walkHours(park: FlowPark, counts: ReadonlyMap<HourNumber, HourCount>, { from, to, now }: Span) {
  let inside = park.insideBefore
  const last = Math.min(hourOfDay(addDays(to, 1)) - 1, now)
  for (let hour = hourOfDay(from); hour <= last; hour++) {
    const count = counts.get(hour)
    const before = inside
    inside += count?.change ?? 0
    yield { hour, count, before, inside }
  }
}

const countsByPark = (counts: readonly HourCount[]) => {
  const byPark = new Map<Id, Map<HourNumber, HourCount>>()
  for (const count of counts) {
    const ofPark = byPark.get(count.parkId) ?? new Map<HourNumber, HourCount>()
    byPark.set(count.parkId, ofPark.set(count.hour, count))
  }
  return (park: FlowPark): ReadonlyMap<HourNumber, HourCount> => byPark.get(park.parkId) ?? new Map()
}

/** Each car park over the whole time. */
export function parkFigures(parks: readonly FlowPark[], counts: readonly HourCount[], span: Span) {
  const countsOf = countsByPark(counts)
  const days = daysBetween(span.from, span.to) + 1
  return parks.map(park => {
    const figures = noFigures(park.insideBefore)
    for (const { count, inside } of walkHours(park, countsOf(park), span)) {
      addCount(figures, count, inside)
    }
    const { parkId, parkName } = park
    return { parkId, parkName, ...shownFigures(figures, park.places, days) }
  })
}

/** The hours of the day: cars that came and went in all, and how many were inside at the end of it. */
export function hourFigures(parks: readonly FlowPark[], counts: readonly HourCount[], span: Span) {
  const sums = Array.from({ length: hoursOfDay }, () => ({ inCount: 0, outCount: 0, inside: 0, days: 0 }))
  const countsOf = countsByPark(counts)
  for (const [i, park] of parks.entries()) {
    for (const { hour, count, inside } of walkHours(park, countsOf(park), span)) {
      const sum = sums[hour % hoursOfDay]
      if (!sum) continue
      sum.inCount += count?.inCount ?? 0
      sum.outCount += count?.outCount ?? 0
      sum.inside += inside
      sum.days += i === 0 ? 1 : 0
    }
  }
  return sums.map(({ inCount, outCount, inside, days }, hour) => ({
    hour,
    inCount,
    outCount,
    inside: days ? formatExact(roundRatio(ratio(inside, days), 1)) : '0.0',
  }))
}

/** A line for each day and car park, the latest day first. */
export function dayFigures(parks: readonly FlowPark[], counts: readonly HourCount[], span: Span) {
  const countsOf = countsByPark(counts)
  const lines = parks.flatMap(park => {
    const byDay = new Map<number, Figures>()
    for (const { hour, count, before, inside } of walkHours(park, countsOf(park), span)) {
      const day = Math.floor(hour / hoursOfDay)
      const figures = byDay.get(day) ?? noFigures(before)
      addCount(figures, count, inside)
      byDay.set(day, figures)
    }
    return [...byDay].map(([day, figures]) => ({
      day: addDays(epoch, day),
      parkId: park.parkId,
      parkName: park.parkName,
      ...shownFigures(figures, park.places, 1),
    }))
  })
  return lines.toSorted((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0))
}
