import { defined } from '#kit/domain/defined.ts'
import { formatExact, type Decimal } from '#kit/domain/decimal.ts'
import {
  subtractExact,
  compareExact,
  parseExact,
  addExact,
  roundExact,
  sumExact,
  multiplyExact,
  type Exact,
} from '#kit/domain/exact.ts'

/**
 * Two readings of one meter. `modulus`: where the counter starts again (10^digits); `loss` is added as it is
 * (MTR-2).
 */
export interface CounterInterval {
  readonly last: Decimal
  readonly current: Decimal
  readonly multiplier: Decimal
  readonly loss?: Decimal | undefined
  readonly rollover?: boolean | undefined
  readonly modulus?: Decimal | undefined
  /** The last reading was an estimate: a lower one is a correction, not a fault (MTR-13). */
  readonly afterEstimate?: boolean | undefined
}

/** Where a counter of so many digits starts again: 10^digits; undefined where they are not known. */
export const modulusOf = (m: { readonly digits?: number | undefined }): Decimal | undefined =>
  m.digits === undefined ? undefined : `1${'0'.repeat(m.digits)}`

/**
 * Whether a lower reading is plausibly a rollover: last above 90 % and current below 10 % of the modulus
 * (MTR-3).
 */
export function canRollOver(last: Decimal, current: Decimal, modulus: Decimal | undefined): boolean {
  if (modulus === undefined) return false
  const top = parseExact(modulus)
  return (
    compareExact(parseExact(last), multiplyExact(top, parseExact('0.9'))) > 0 &&
    compareExact(parseExact(current), multiplyExact(top, parseExact('0.1'))) < 0
  )
}

/** Why a number cannot be read off this meter; nothing when it can. */
export function readingRefusal(
  current: Decimal,
  modulus: Decimal | undefined,
  decimals: number,
): string | undefined {
  const exact = parseExact(current)
  if (exact.units < 0n) return '读数不能为负'
  if (modulus !== undefined && compareExact(exact, parseExact(modulus)) >= 0)
    return `读数超过表的最大值，应小于 ${formatExact(parseExact(modulus))}，请核对`
  return compareExact(roundExact(exact, decimals, 'floor'), exact) === 0
    ? undefined
    : decimals === 0
      ? '该表读数应为整数'
      : `该表读数最多 ${decimals} 位小数`
}

const computeRawUsage = (interval: CounterInterval): Exact => {
  const rolled =
    interval.rollover && interval.modulus !== undefined
      ? addExact(
          subtractExact(parseExact(interval.modulus), parseExact(interval.last)),
          parseExact(interval.current),
        )
      : subtractExact(parseExact(interval.current), parseExact(interval.last))
  return addExact(multiplyExact(rolled, parseExact(interval.multiplier)), parseExact(interval.loss ?? '0'))
}

/** Why a usage cannot be computed; undefined when it can (MTR-3). */
export function usageRefusal(interval: CounterInterval): string | undefined {
  const lower = compareExact(parseExact(interval.current), parseExact(interval.last)) < 0
  if (interval.rollover && interval.modulus === undefined)
    return '该表未登记位数，不能按翻表计算；请先在仪表档案填写位数'
  if (
    interval.rollover &&
    compareExact(parseExact(interval.last), parseExact(defined(interval.modulus))) >= 0
  )
    return `上期读数 ${formatExact(parseExact(interval.last))} 超过表的最大值，不能按翻表计算；请先在仪表档案核对位数`
  if (interval.rollover && !lower) return '本期读数不小于上期读数，不是翻表，请取消勾选'
  if (lower && !interval.rollover && !interval.afterEstimate) return '本期读数小于上期读数，如为翻表请勾选'
  return undefined
}

/**
 * (current − last) × multiplier + loss, through the counter's top when flagged, to four decimals (MTR-2,
 * MTR-3). Negative only after an estimate. T-MTR-01: modulus 100 000, 99 980 → 15, ×40 → 1400. Throws
 * RangeError with a text for people.
 */
export function computeUsage(interval: CounterInterval): Decimal {
  const refusal = usageRefusal(interval)
  if (refusal) throw new RangeError(refusal)
  return formatExact(roundExact(computeRawUsage(interval), 4))
}

/** Up to four registers by time of use, each with its price (MTR-15). Yuan, exact. */
export interface Register extends CounterInterval {
  readonly name: string
  readonly price: Decimal
}

export function sumRegisters(list: readonly Register[]): { readonly usage: Decimal; readonly yuan: Decimal } {
  if (!list.length || list.length > 4) throw new RangeError('分时读数应为 1 到 4 组')
  const usages = list.map(r => parseExact(computeUsage(r)))
  return {
    usage: formatExact(sumExact(usages)),
    yuan: formatExact(sumExact(usages.map((u, i) => multiplyExact(u, parseExact(defined(list[i]).price))))),
  }
}

/**
 * Whether a register with a lower number rolled over: together with the counter, or alone where that is
 * plausible (MTR-3). `registersRefusal` checks the sum.
 */
export const isRegisterRollover = (
  last: Decimal,
  current: Decimal,
  modulus: Decimal | undefined,
  isCounterRollover: boolean,
): boolean =>
  compareExact(parseExact(current), parseExact(last)) < 0 &&
  (isCounterRollover || canRollOver(last, current, modulus))

/**
 * MTR-15: why registers do not add up to the counter; undefined when they do. A difference would be billed at
 * the wrong price. Each register drops what is behind its last digit, so they may differ by less than that
 * digit for each of them. Throws RangeError as `computeUsage` does.
 */
export function registersRefusal(
  parts: readonly Omit<CounterInterval, 'multiplier'>[],
  counter: Omit<CounterInterval, 'multiplier'>,
  decimals: number,
): string | undefined {
  const movementOf = (interval: Omit<CounterInterval, 'multiplier'>): Exact =>
    parseExact(computeUsage({ ...interval, multiplier: '1', loss: '0' }))
  const registerMovement = sumExact(parts.map(movementOf))
  const counterMovement = movementOf(counter)
  const difference = subtractExact(registerMovement, counterMovement)
  return compareExact(
    { units: difference.units < 0n ? -difference.units : difference.units, scale: difference.scale },
    { units: BigInt(parts.length + 1), scale: decimals },
  ) < 0
    ? undefined
    : `各时段用量合计 ${formatExact(registerMovement)}，总用量 ${formatExact(counterMovement)}，两者不符，请核对`
}

/**
 * MTR-13: negative usage bills 0 and carries the rest to the next reading. `negativeUsage` is zero or
 * negative.
 */
export function trueUp(
  usage: Decimal,
  negativeUsage: Decimal = '0',
): { readonly billed: Decimal; readonly negativeUsage: Decimal } {
  const x = addExact(parseExact(usage), parseExact(negativeUsage))
  return x.units < 0n
    ? { billed: '0', negativeUsage: formatExact(x) }
    : { billed: formatExact(x), negativeUsage: '0' }
}

/**
 * MTR-13: the average daily usage of past periods over so many days, as a number of the meter rounded down to
 * its decimals. Undefined without past periods.
 */
export function estimateReading(
  periods: readonly { readonly usage: Decimal; readonly days: number }[],
  days: number,
  last: Decimal,
  multiplier: Decimal,
  decimals: number,
): Decimal | undefined {
  const span = periods.reduce((n, p) => n + p.days, 0)
  const used = sumExact(periods.map(p => parseExact(p.usage)))
  const factor = parseExact(multiplier)
  if (span <= 0 || factor.units <= 0n || used.units < 0n) return undefined
  const scale = 10n ** BigInt(decimals)
  const numerator = used.units * BigInt(days) * scale * 10n ** BigInt(factor.scale)
  const denominator = BigInt(span) * 10n ** BigInt(used.scale) * factor.units
  return formatExact(addExact(parseExact(last), { units: numerator / denominator, scale: decimals }))
}
