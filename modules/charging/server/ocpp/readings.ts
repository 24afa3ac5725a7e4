import { fromInstant, toInstant, type Moment } from '#kit/domain/moment.ts'
import type { MeterSample } from '../../domain/terms.ts'
import type { MeterValue, SampledValue } from './schemas.ts'

/** Clocks that are set right again are within this. */
const toleranceMs = 60_000

/**
 * When it happened, by our clock. A pile's clock that is ahead is cut at now; one that was `behind` when the
 * charge began is corrected by that, until it has been set right. No time at all is now.
 */
export function readTime(iso: string | undefined, now: Moment, behindSeconds = 0): Moment {
  const reported = iso === undefined ? Number.NaN : Date.parse(iso)
  if (Number.isNaN(reported) || reported < 0) return now
  const nowMs = toInstant(now)
  const corrected = reported + behindSeconds * 1000
  const ms = corrected > nowMs + toleranceMs ? reported : corrected
  return ms > nowMs ? now : fromInstant(ms)
}

const energyUnits: ReadonlySet<string> = new Set(['Wh', 'kWh'])

const isEnergy = ({ measurand = 'Energy.Active.Import.Register', unit = 'Wh', phase }: SampledValue) =>
  measurand === 'Energy.Active.Import.Register' && phase === undefined && energyUnits.has(unit)

/** No meter shows more; what does is no number of one. */
const maxRegister = 1e12

/** Watt-hours on the meter's register. */
function registerOf({ sampledValue }: MeterValue): number | undefined {
  const found = sampledValue.find(isEnergy)
  const value = found === undefined || found.value.trim() === '' ? Number.NaN : Number(found.value)
  const wattHours = Math.round(found?.unit === 'kWh' ? value * 1000 : value)
  return Math.abs(wattHours) <= maxRegister ? wattHours : undefined
}

interface ReadOrder {
  readonly meterStart?: number
  readonly beginTime?: Moment | undefined
  readonly clockBehind: number
}

/** A clock that is behind moves no energy to before the charge. */
export const notBefore = (at: Moment, beginTime: Moment | undefined): Moment =>
  beginTime !== undefined && at < beginTime ? beginTime : at

/** Energy since the charge began, as far as the messages tell it. */
export const samplesOf = (
  values: readonly MeterValue[],
  { meterStart = 0, beginTime, clockBehind }: ReadOrder,
  now: Moment,
): readonly MeterSample[] =>
  values.flatMap(value => {
    const register = registerOf(value)
    const at = readTime(value.timestamp, now, clockBehind)
    return register === undefined
      ? []
      : [{ at: notBefore(at, beginTime), wattHours: Math.max(0, register - meterStart) }]
  })
