import { secondsBetween, type Moment } from '#kit/domain/moment.ts'
import type { HubType } from '../contract/choices.ts'
import type { MeterSample } from './terms.ts'

/** What a port of such a pile delivers at most, in kilowatts, where the pile names no power. */
const usualKw: Readonly<Record<HubType, number>> = { carSlow: 50, carFast: 800, bike: 5 }

export const maxWattsOf = (hubType: HubType, maxKw: number | undefined): number =>
  (maxKw ?? usualKw[hubType]) * 1000

/** A reading may be so much older than the message that brings it. */
const slackSeconds = 120

/** A reading, and whether the energy counts. */
export interface JudgedSample extends MeterSample {
  readonly isBelieved: boolean
}

const highestBy = (samples: readonly MeterSample[], at: Moment, begin: Moment): MeterSample =>
  samples
    .filter(sample => sample.at <= at)
    .reduce((highest, sample) => (sample.wattHours >= highest.wattHours ? sample : highest), {
      at: begin,
      wattHours: 0,
    })

/**
 * A reading that the port cannot have delivered in the time since the one before is not believed (C20): by
 * our clock, since the pile's may be wrong. New readings are judged in the order of their times, by those
 * believed before.
 */
export function judgeSamples(
  known: readonly MeterSample[],
  added: readonly MeterSample[],
  { begin, now, maxWatts }: { readonly begin: Moment; readonly now: Moment; readonly maxWatts: number },
): JudgedSample[] {
  const believed = [...known]
  return added
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.wattHours - b.wattHours))
    .map(sample => {
      const before = highestBy(believed, sample.at, begin)
      const seconds = secondsBetween(before.at, now) + slackSeconds
      const isBelieved =
        sample.wattHours >= 0 && (sample.wattHours - before.wattHours) * 3600 <= maxWatts * seconds
      if (isBelieved) {
        believed.push(sample)
      }
      return { ...sample, isBelieved }
    })
}
