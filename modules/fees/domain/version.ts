import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import type { Decimal } from '#kit/domain/decimal.ts'
import type { Period } from '#kit/domain/period.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { tierBase } from '../contract/choices.ts'

/** `to` absent: everything above the tier before. */
export interface Tier {
  readonly to?: Decimal | undefined
  readonly price: Decimal
}

/** What a standard costs from a day on (FEE-6). Money-like values in yuan. */
export interface PriceVersion {
  readonly id: Id
  readonly from: Day
  readonly to?: Day | undefined
  readonly price?: Decimal | undefined
  readonly extra?: Decimal | undefined
  /** FEE-24: the extra is prorated by days too. */
  readonly extraProrate?: boolean | undefined
  /** The formula's own parameters and 系数, 数量 by name. */
  readonly params?: Readonly<Record<string, Decimal>> | undefined
  readonly tiers?: readonly Tier[] | undefined
  readonly tierBase?: ChoiceOf<typeof tierBase> | undefined
  /** MTR-14: each head above `headsFrom` adds this much to every bound. */
  readonly perHeadAdd?: Decimal | undefined
  readonly headsFrom?: number | undefined
}

/**
 * In force on a day; nothing before the first, or after one that has ended without a successor. Versions by
 * `from`, rising.
 */
export function versionOn<V extends Pick<PriceVersion, 'from' | 'to'>>(
  versions: readonly V[],
  day: Day,
): V | undefined {
  for (let i = versions.length - 1; i >= 0; i--) {
    const v = defined(versions[i])
    if (v.from <= day) return v.to === undefined || day <= v.to ? v : undefined
  }
  return undefined
}

/** The days inside a period on which another version begins or one ends: where it is cut (PRO-7). */
export const versionChangeDays = (versions: readonly Pick<PriceVersion, 'from' | 'to'>[], p: Period): Day[] =>
  versions
    .flatMap(v => [v.from, ...(v.to === undefined ? [] : [addDays(v.to, 1)])])
    .filter(d => p.begin < d && d <= p.end)

/**
 * A price change is a new version; the one before ends the day before, a later one limits it (FEE-6). Returns
 * what to write. Throws RangeError when a version already begins that day, or the range is empty.
 */
export function insertVersion<V extends Pick<PriceVersion, 'from' | 'to'>>(
  versions: readonly V[],
  from: Day,
  to?: Day,
): { readonly shorten?: { readonly version: V; readonly to: Day }; readonly to?: Day } {
  if (versions.some(v => v.from === from)) throw new RangeError(`${from} 已有一个价格版本，请更换生效日期`)
  const before = versions.filter(v => v.from < from).at(-1)
  const after = versions.find(v => v.from > from)
  const limit = after && addDays(after.from, -1)
  const end = to === undefined || (limit !== undefined && limit < to) ? limit : to
  if (to !== undefined && to < from) throw new RangeError(`失效日期 ${to} 不能早于生效日期 ${from}`)
  return {
    ...(before && (before.to === undefined || before.to >= from)
      ? { shorten: { version: before, to: addDays(from, -1) } }
      : {}),
    ...(end === undefined ? {} : { to: end }),
  }
}

/** A relation as far as FEE-7 looks at it. */
export interface RelationSpan extends Partial<Period> {
  readonly id?: Id
  readonly sourceType: string
  readonly sourceCode: string
  readonly itemId: Id
}
