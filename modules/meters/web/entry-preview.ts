import { compare, isDecimal, parseDecimal, sum } from '#kit/domain/decimal.ts'
import { lastDay, monthOf, shiftMonth } from '#kit/domain/month.ts'
import type { Day, Decimal, Month } from '#kit/contract/field.ts'
import { usageUnits } from '../contract/choices.ts'
import type { MeterMonth } from '../contract/month-grid.ts'
import { detectAnomalies, type Anomaly } from '../domain/anomaly.ts'
import { canRollOver, readingRefusal, computeUsage } from '../domain/usage.ts'

export interface EntryPreview {
  readonly value?: Decimal
  readonly usage?: Decimal
  readonly flags: readonly Anomaly[]
  readonly fault?: string
  /** Whether 翻表 is offered (MTR-3). */
  readonly rolls: boolean
}

/** The typed number, full-width digits and a Chinese point included; undefined where it is none. */
export function parseTypedNumber(typed: string): Decimal | undefined {
  const plain = typed.normalize('NFKC').replace('。', '.').trim().replace(/^\./, '0.')
  return /^\d+(\.\d+)?$/.test(plain) && isDecimal(plain) ? parseDecimal(plain) : undefined
}

/** What a number would mean if it were saved, by the server's own rules. */
export function previewEntry(
  meter: Pick<
    MeterMonth,
    | 'before'
    | 'multiple'
    | 'digits'
    | 'decimals'
    | 'afterEstimate'
    | 'carried'
    | 'recent'
    | 'lastYear'
    | 'loss'
  >,
  text: string,
  { rollover, day }: { readonly rollover: boolean; readonly day: Day },
): EntryPreview {
  const none = { flags: [], rolls: false }
  const value = parseTypedNumber(text)
  if (text.trim() === '') return none
  if (value === undefined) return { ...none, fault: '请填写数字' }
  const modulus = meter.digits === undefined ? undefined : `1${'0'.repeat(meter.digits)}`
  const shows = readingRefusal(value, modulus, meter.decimals)
  if (shows) return { ...none, fault: shows }
  if (meter.before === undefined) return { ...none, value }
  const rolls = compare(value, meter.before) < 0 && canRollOver(meter.before, value, modulus)
  try {
    const usage = sum([
      computeUsage({
        last: meter.before,
        current: value,
        multiplier: meter.multiple,
        modulus,
        afterEstimate: meter.afterEstimate,
        rollover: rollover && compare(value, meter.before) < 0,
      }),
      meter.carried,
      meter.loss ?? '0',
    ])
    return {
      value,
      usage,
      flags: detectAnomalies(usage, day, {
        recent: meter.recent ?? [],
        ...(meter.lastYear === undefined ? {} : { sameMonthLastYear: meter.lastYear }),
      }),
      rolls,
    }
  } catch (e) {
    if (!(e instanceof RangeError)) throw e
    return {
      flags: [],
      rolls,
      fault: rolls
        ? '本期小于上期，如为翻表请勾选'
        : `本期读数小于上期 ${meter.before}，请核对；换过表的请先登记换表`,
    }
  }
}

export const usageUnitOf = (p: Pick<MeterMonth, 'meterKind'>): string => usageUnits[p.meterKind]

/** The default reading day of a month: today in the current one, the last day of a past one. */
export const defaultReadDay = (month: Month, today: Day): Day =>
  monthOf(today) === month ? today : lastDay(month) < today ? lastDay(month) : today

/** Reading days allowed for a month: from the month before to the month after, not beyond today. */
export const canReadOn = (month: Month, day: Day, today: Day): boolean =>
  day <= today && day >= `${shiftMonth(month, -1)}-01` && day <= lastDay(shiftMonth(month, 1))
