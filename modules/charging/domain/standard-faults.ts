import type { FieldFault } from '#kit/contract/wire.ts'
import type { ChargeTerms, PricePeriod } from './terms.ts'

/** The clock of a day, with its end. */
export const dayClock = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/

function coversDay(periods: readonly PricePeriod[]): boolean {
  const ordered = periods.toSorted((a, b) => a.begin.localeCompare(b.begin))
  return (
    ordered.length > 0 &&
    ordered[0]?.begin === '00:00' &&
    ordered.at(-1)?.end === '24:00' &&
    ordered.every(({ begin, end }, i) => begin < end && (i === 0 || ordered[i - 1]?.end === begin))
  )
}

const isAscending = (values: readonly number[]): boolean =>
  values.every((value, i) => i === 0 || (values[i - 1] ?? 0) < value)

/** What of a standard cannot be charged by. */
export function standardFaults(terms: ChargeTerms): FieldFault[] {
  const { mode, periods, powerBands, packages } = terms
  const fault = (Field: string, Message: string): FieldFault[] => [{ Field, Message }]
  if (mode === 'energy' && !coversDay(periods))
    return fault('PeriodJson', '分时电价应从 00:00 到 24:00 首尾相接，不重叠、不间断')
  if (mode === 'duration') {
    if (!powerBands.length) return fault('PowerBandJson', '按时长计费请至少填写一个功率档')
    if (!isAscending(powerBands.map(({ maxWatts }) => maxWatts)))
      return fault('PowerBandJson', '功率档应从低到高填写，功率不能重复')
    if (!powerBands.every(({ price }, i) => i === 0 || Number(powerBands[i - 1]?.price) <= Number(price)))
      return fault('PowerBandJson', '功率较高的档，价格不能低于较低的档')
  }
  if (mode === 'package') {
    if (!packages.length) return fault('PackageJson', '包时计费请至少填写一个套餐')
    if (!isAscending(packages.map(({ hours }) => hours)))
      return fault('PackageJson', '套餐应按小时从少到多填写，小时不能重复')
    if (packages.some(({ hours }) => hours > terms.maxHours))
      return fault('PackageJson', `套餐不能超过最长小时（${terms.maxHours} 小时），请修改套餐或最长小时`)
  }
  return []
}
