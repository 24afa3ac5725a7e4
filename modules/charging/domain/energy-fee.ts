import { addDays } from '#kit/domain/day.ts'
import { toFixed, type Decimal } from '#kit/domain/decimal.ts'
import { asMoment, dayOfMoment, secondsBetween, startOfDay, timeOf, type Moment } from '#kit/domain/moment.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import type { ChargeTerms, MeterSample, PowerBand, PricePeriod } from './terms.ts'

/** Millionths of a yuan: prices have six digits. */
const microOf = (price: Decimal): bigint => BigInt(toFixed(price, 6).replace('.', ''))

const roundHalfUp = (numerator: bigint, denominator: bigint): Fen =>
  asFen(Number((2n * numerator + denominator) / (2n * denominator)))

/** A thousandth of a kWh at a millionth of a yuan: so many make a fen. */
const wattHourMicrosPerFen = 10_000_000n

/** A second at a millionth of a yuan an hour: so many make a fen. */
const secondMicrosPerFen = 36_000_000n

/** Between two readings of the meter. */
interface Interval {
  readonly from: Moment
  readonly to: Moment
  readonly seconds: number
  readonly wattHours: number
}

/**
 * Readings in the order of their times, however they came; a meter that shows less than before is read as
 * having stood still.
 */
export function intervalsOf(samples: readonly MeterSample[]): readonly Interval[] {
  const ordered = samples.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.wattHours - b.wattHours))
  let highest = ordered[0]?.wattHours ?? 0
  return ordered.slice(1).map((sample, i) => {
    const from = ordered[i]?.at ?? sample.at
    const wattHours = Math.max(0, sample.wattHours - highest)
    highest += wattHours
    return { from, to: sample.at, seconds: secondsBetween(from, sample.at), wattHours }
  })
}

export const energyOf = (samples: readonly MeterSample[]): number =>
  intervalsOf(samples).reduce((sum, { wattHours }) => sum + wattHours, 0)

const momentOfClock = (at: Moment, clock: string): Moment =>
  clock === '24:00' ? startOfDay(addDays(dayOfMoment(at), 1)) : asMoment(`${dayOfMoment(at)} ${clock}:00`)

/** The period that a moment is in; periods cover the day. */
const periodAt = (periods: readonly PricePeriod[], at: Moment): PricePeriod | undefined => {
  const clock = timeOf(at).slice(0, 5)
  return periods.find(({ begin, end }) => begin <= clock && clock < end)
}

/** Seconds of an interval in each price, times that price. */
function weighSeconds(periods: readonly PricePeriod[], { from, to }: Interval): bigint {
  let weighed = 0n
  let cursor = from
  while (cursor < to) {
    const period = periodAt(periods, cursor)
    const periodEnd = momentOfClock(cursor, period?.end ?? '24:00')
    const end = periodEnd < to ? periodEnd : to
    weighed += BigInt(secondsBetween(cursor, end)) * microOf(period?.price ?? '0')
    cursor = end
  }
  return weighed
}

/** What the energy of an interval costs, apportioned to the prices of its time (C20). */
function intervalCost(periods: readonly PricePeriod[], interval: Interval): bigint {
  const wattHours = BigInt(interval.wattHours)
  return interval.seconds > 0
    ? (wattHours * weighSeconds(periods, interval)) / BigInt(interval.seconds)
    : wattHours * microOf(periodAt(periods, interval.from)?.price ?? '0')
}

/** Electricity by time of use and service, each rounded once (C20). */
export function energyFee(
  { periods, servicePrice }: Pick<ChargeTerms, 'periods' | 'servicePrice'>,
  samples: readonly MeterSample[],
): { readonly elecFee: Fen; readonly serviceFee: Fen } {
  const intervals = intervalsOf(samples)
  const cost = intervals.reduce((sum, interval) => sum + intervalCost(periods, interval), 0n)
  const energy = BigInt(intervals.reduce((sum, { wattHours }) => sum + wattHours, 0))
  return {
    elecFee: roundHalfUp(cost, wattHourMicrosPerFen),
    serviceFee: roundHalfUp(energy * microOf(servicePrice), wattHourMicrosPerFen),
  }
}

const bandOf = (bands: readonly PowerBand[], { wattHours, seconds }: Interval): PowerBand | undefined => {
  const watts = seconds > 0 ? (wattHours * 3600) / seconds : 0
  return bands.find(({ maxWatts }) => watts <= maxWatts) ?? bands.at(-1)
}

/** Each interval by the band of its mean power. */
export function durationFee(
  { powerBands }: Pick<ChargeTerms, 'powerBands'>,
  samples: readonly MeterSample[],
): Fen {
  const cost = intervalsOf(samples).reduce(
    (sum, interval) => sum + BigInt(interval.seconds) * microOf(bandOf(powerBands, interval)?.price ?? '0'),
    0n,
  )
  return roundHalfUp(cost, secondMicrosPerFen)
}

/** A place that is kept, each minute begun, once the grace is over. */
export function idleFee(
  { idlePrice, graceMinutes }: Pick<ChargeTerms, 'idlePrice' | 'graceMinutes'>,
  end: Moment,
  leftAt: Moment,
): Fen {
  const minutes = Math.max(0, Math.ceil(secondsBetween(end, leftAt) / 60) - graceMinutes)
  return roundHalfUp(BigInt(minutes * 60) * microOf(idlePrice), secondMicrosPerFen)
}
