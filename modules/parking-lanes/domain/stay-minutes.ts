import { addDays, type Day } from '#kit/domain/day.ts'
import { dayOfMoment, momentAt, secondsBetween, startOfDay, type Moment } from '#kit/domain/moment.ts'
import type { FeeCapType } from '../contract/choices.ts'
import type { FeeTerms } from './fee-terms.ts'

export const minutesOfDay = 1440

/** From `from` up to but not including `to`, in minutes since the entry. */
export interface MinuteSpan {
  readonly from: number
  readonly to: number
}

/** A begun minute counts (PRK-20); an exit before the entry, by a clock that is off, is no stay. */
export const stayMinutes = (entry: Moment, exit: Moment): number =>
  Math.max(0, Math.ceil(secondsBetween(entry, exit) / 60))

/** The first minute of a stay that begins at or after a moment. */
const offsetOf = (entry: Moment, at: Moment): number => Math.ceil(secondsBetween(entry, at) / 60)

const lengthOf = ({ from, to }: MinuteSpan): number => Math.max(0, to - from)

export const intersect = (a: MinuteSpan, b: MinuteSpan): MinuteSpan => ({
  from: Math.max(a.from, b.from),
  to: Math.min(a.to, b.to),
})

export const minutesIn = (span: MinuteSpan): number => lengthOf(span)

export interface StayBlock extends MinuteSpan {
  /** On which it begins: its prices are of this day. */
  readonly day: Day
}

function blocksOfHours(entry: Moment, minutes: number): StayBlock[] {
  const blocks: StayBlock[] = []
  const first = dayOfMoment(entry)
  for (let from = 0; from < minutes; from += minutesOfDay) {
    const to = Math.min(minutes, from + minutesOfDay)
    blocks.push({ from, to, day: addDays(first, from / minutesOfDay) })
  }
  return blocks
}

function blocksOfDays(entry: Moment, minutes: number): StayBlock[] {
  const blocks: StayBlock[] = []
  let day = dayOfMoment(entry)
  for (let from = 0; from < minutes; day = addDays(day, 1)) {
    const to = Math.min(minutes, offsetOf(entry, startOfDay(addDays(day, 1))))
    if (to > from) {
      blocks.push({ from, to, day })
    }
    from = to
  }
  return blocks
}

/** What a cap counts over: 24 hours from the entry, days cut at midnight, or the whole stay (PRK-21). */
export function blocksOf(capType: FeeCapType, entry: Moment, minutes: number): StayBlock[] {
  if (capType === 'hours') return blocksOfHours(entry, minutes)
  if (capType === 'day') return blocksOfDays(entry, minutes)
  return minutes > 0 ? [{ from: 0, to: minutes, day: dayOfMoment(entry) }] : []
}

export interface Night extends MinuteSpan {
  /** On which it begins: a night is paid once. */
  readonly day: Day
}

/** The nights that a span of a stay meets; none where the rule has no night. */
export function nightsOf(
  { nightBegin, nightEnd }: Pick<FeeTerms, 'nightBegin' | 'nightEnd'>,
  entry: Moment,
  span: MinuteSpan,
): Night[] {
  if (!nightBegin || !nightEnd) return []
  const first = dayOfMoment(entry)
  const dayFrom = Math.floor(span.from / minutesOfDay) - 1
  const dayTo = Math.ceil(span.to / minutesOfDay) + 1
  return Array.from({ length: dayTo - dayFrom + 1 }, (_, i) => addDays(first, dayFrom + i))
    .map(day => ({
      day,
      from: offsetOf(entry, momentAt(day, nightBegin)),
      to: offsetOf(entry, momentAt(nightEnd > nightBegin ? day : addDays(day, 1), nightEnd)),
    }))
    .map(night => ({ ...intersect(night, span), day: night.day }))
    .filter(night => minutesIn(night) > 0)
}
