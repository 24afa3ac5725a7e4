import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { MeterSample } from '../../domain/terms.ts'
import type { MeterValue, SampledValue } from './schemas.ts'

/** A clock that is ahead is not believed: nothing is charged for a time to come. */
export function readTime(iso: string | undefined, now: Moment): Moment {
  const ms = iso === undefined ? Number.NaN : Date.parse(iso)
  if (Number.isNaN(ms)) return now
  const at = fromInstant(ms)
  return at > now ? now : at
}

const isEnergy = ({ measurand = 'Energy.Active.Import.Register', phase }: SampledValue): boolean =>
  measurand === 'Energy.Active.Import.Register' && phase === undefined

/** Watt-hours on the meter's register. */
function registerOf({ sampledValue }: MeterValue): number | undefined {
  const found = sampledValue.find(isEnergy)
  const value = found === undefined ? Number.NaN : Number(found.value)
  if (!Number.isFinite(value)) return undefined
  return Math.round(found?.unit === 'kWh' ? value * 1000 : value)
}

interface ReadOrder {
  readonly meterStart?: number
  readonly beginTime?: Moment | undefined
}

/** A clock that is behind moves no energy to before the charge. */
export const notBefore = (at: Moment, beginTime: Moment | undefined): Moment =>
  beginTime !== undefined && at < beginTime ? beginTime : at

/** Energy since the charge began, as far as the messages tell it. */
export const samplesOf = (
  values: readonly MeterValue[],
  { meterStart = 0, beginTime }: ReadOrder,
  now: Moment,
): readonly MeterSample[] =>
  values.flatMap(value => {
    const register = registerOf(value)
    const at = readTime(value.timestamp, now)
    return register === undefined
      ? []
      : [{ at: notBefore(at, beginTime), wattHours: Math.max(0, register - meterStart) }]
  })
