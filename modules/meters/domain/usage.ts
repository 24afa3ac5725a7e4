import { text, type Dec } from '#kit/domain/decimal.ts'
import { minus, order, parse, plus, rounded, sum, times, type Exact } from '#kit/domain/exact.ts'

/**
 * Two readings of one meter. `modulus`: where the counter starts again (10^digits); `loss` is added as it is
 * (MTR-2).
 */
export interface Counting {
  readonly last: Dec
  readonly current: Dec
  readonly multiplier: Dec
  readonly loss?: Dec | undefined
  readonly rollover?: boolean | undefined
  readonly modulus?: Dec | undefined
  /** The last reading was an estimate: a lower one is a correction, not a fault (MTR-13). */
  readonly afterEstimate?: boolean | undefined
}

/** A reading has gone through the top of the counter so plausibly that the flag is offered (MTR-3). */
export function mayRollOver(last: Dec, current: Dec, modulus: Dec | undefined): boolean {
  if (modulus === undefined) return false
  const m = parse(modulus)
  return order(parse(last), times(m, parse('0.9'))) > 0 && order(parse(current), times(m, parse('0.1'))) < 0
}

/** Why a number cannot be read off this meter; nothing when it can. */
export function readingRefusal(current: Dec, modulus: Dec | undefined, decimals: number): string | undefined {
  const x = parse(current)
  if (x.n < 0n) return '读数不能为负'
  if (modulus !== undefined && order(x, parse(modulus)) >= 0)
    return `读数超过表的最大值，应小于 ${text(parse(modulus))}，请核对`
  return order(rounded(x, decimals, 'floor'), x) === 0
    ? undefined
    : decimals === 0
      ? '该表读数应为整数'
      : `该表读数最多 ${decimals} 位小数`
}

const raw = (c: Counting): Exact => {
  const rolled =
    c.rollover && c.modulus !== undefined
      ? plus(minus(parse(c.modulus), parse(c.last)), parse(c.current))
      : minus(parse(c.current), parse(c.last))
  return plus(times(rolled, parse(c.multiplier)), parse(c.loss ?? '0'))
}

/** Why a usage cannot be reckoned; nothing when it can (MTR-3). */
export function usageRefusal(c: Counting): string | undefined {
  const lower = order(parse(c.current), parse(c.last)) < 0
  if (c.rollover && c.modulus === undefined)
    return '这只表没有登记位数，不能按翻表计算；请先在仪表档案填写位数'
  if (c.rollover && order(parse(c.last), parse(c.modulus!)) >= 0)
    return `上期读数 ${text(parse(c.last))} 超过表的最大值，不能按翻表计算；请先在仪表档案核对位数`
  if (c.rollover && !lower) return '本期读数不小于上期读数，不是翻表，请取消勾选'
  if (lower && !c.rollover && !c.afterEstimate) return '本期读数小于上期读数，如为翻表请勾选'
  return undefined
}

/**
 * (current − last) × multiplier + loss, through the counter's top when flagged, to four decimals (MTR-2,
 * MTR-3). Negative only after an estimate. T-MTR-01: modulus 100 000, 99 980 → 15, ×40 → 1400. Throws
 * RangeError with a text for people.
 */
export function usageOf(c: Counting): Dec {
  const no = usageRefusal(c)
  if (no) throw new RangeError(no)
  return text(rounded(raw(c), 4))
}

/**
 * Usage of a period with replacements: each part with its own multiplier (MTR-11). T-MTR-02: 132 × 20 + 93 ×
 * 30 → 5430.
 */
export const usageOfParts = (parts: readonly Counting[]): Dec => text(sum(parts.map(p => parse(usageOf(p)))))

/** Up to four registers by time of use, each with its price (MTR-15). Yuan, exact. */
export interface Register extends Counting {
  readonly name: string
  readonly price: Dec
}

export function registersOf(list: readonly Register[]): { readonly usage: Dec; readonly yuan: Dec } {
  if (!list.length || list.length > 4) throw new RangeError('分时读数应为 1 到 4 组')
  const usages = list.map(r => parse(usageOf(r)))
  return { usage: text(sum(usages)), yuan: text(sum(usages.map((u, i) => times(u, parse(list[i]!.price))))) }
}

/**
 * A register that shows less went through its top: with the counter, or by itself where that is plausible
 * (MTR-3). What all counted together says whether it did.
 */
export const registerRolls = (last: Dec, current: Dec, modulus: Dec | undefined, counter: boolean): boolean =>
  order(parse(current), parse(last)) < 0 && (counter || mayRollOver(last, current, modulus))

/**
 * MTR-15: registers together count what the counter counts, and what they do not is billed at the wrong
 * price. Each leaves off behind its last digit, so they may differ by less than that digit for each of them.
 * Why they do not agree; nothing when they do. Throws RangeError as `usageOf` does.
 */
export function registersRefusal(
  parts: readonly Omit<Counting, 'multiplier'>[],
  counter: Omit<Counting, 'multiplier'>,
  decimals: number,
): string | undefined {
  const bare = (c: Omit<Counting, 'multiplier'>): Exact =>
    parse(usageOf({ ...c, multiplier: '1', loss: '0' }))
  const all = sum(parts.map(bare))
  const one = bare(counter)
  const apart = minus(all, one)
  return order(
    { n: apart.n < 0n ? -apart.n : apart.n, s: apart.s },
    { n: BigInt(parts.length + 1), s: decimals },
  ) < 0
    ? undefined
    : `各时段合计走了 ${text(all)}，总读数走了 ${text(one)}，两者不符，请核对`
}

/**
 * MTR-13: below nought nothing is billed and the rest is carried to the next reading. `carried` is nought or
 * negative.
 */
export function trueUp(usage: Dec, carried: Dec = '0'): { readonly billed: Dec; readonly carried: Dec } {
  const x = plus(parse(usage), parse(carried))
  return x.n < 0n ? { billed: '0', carried: text(x) } : { billed: text(x), carried: '0' }
}

/**
 * MTR-13: the average of past usages by day, for so many days, as a reading of the meter: rounded down to its
 * decimals. Nothing without a past.
 */
export function estimate(
  past: readonly { readonly usage: Dec; readonly days: number }[],
  days: number,
  last: Dec,
  multiplier: Dec,
  decimals: number,
): Dec | undefined {
  const span = past.reduce((n, p) => n + p.days, 0)
  const used = sum(past.map(p => parse(p.usage)))
  const m = parse(multiplier)
  if (span <= 0 || m.n <= 0n || used.n < 0n) return undefined
  const scale = 10n ** BigInt(decimals)
  const top = used.n * BigInt(days) * scale * 10n ** BigInt(m.s)
  const bottom = BigInt(span) * 10n ** BigInt(used.s) * m.n
  return text(plus(parse(last), { n: top / bottom, s: decimals }))
}

/**
 * What a main meter counted beyond the meters below it: the usage a pool shares (SHR-1). Throws RangeError
 * when they counted more than the main one.
 */
export function lossOf(main: Dec, parts: readonly Dec[]): Dec {
  const rest = minus(parse(main), sum(parts.map(parse)))
  if (rest.n < 0n) throw new RangeError(`分表用量之和大于总表用量 ${text(parse(main))}，请核对读数`)
  return text(rest)
}
