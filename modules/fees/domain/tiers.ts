import { daysOf, type Period } from '#kit/domain/period.ts'
import { CalculationError } from './formula/errors.ts'
import type { PriceVersion } from './version.ts'

/**
 * How often a month's bounds fit a period: 1 for 20 to 40 days, otherwise days / 30, as text of a formula
 * (MTR-14).
 */
export function formatTierStretch(p: Period, stretches: boolean): string {
  const days = daysOf(p)
  return !stretches || (days >= 20 && days <= 40) ? '' : `×${days}÷30`
}

/**
 * The tiers of a version as a formula over 用量, and 已用量 when they run over a year (MTR-14):
 * bounds raised by heads beyond `headsFrom`, monthly ones stretched. Throws CalculationError without tiers.
 */
export function buildTierFormula(
  { tiers, tierBase, perHeadAdd, headsFrom }: PriceVersion,
  residentCount: number,
  period: Period,
  stretches = true,
): string {
  if (!tiers?.length) throw new CalculationError('missing', '阶梯标准未填写各档单价', '单价')
  const headsAddition =
    perHeadAdd !== undefined && headsFrom !== undefined && residentCount > headsFrom
      ? `+${residentCount - headsFrom}×${perHeadAdd}`
      : ''
  const stretch = tierBase === 'year' ? '' : formatTierStretch(period, stretches)
  const bound = (to: string): string =>
    headsAddition && stretch ? `(${to}${headsAddition})${stretch}` : `${to}${headsAddition}${stretch}`
  const table = tiers.map(t => `; ${t.to === undefined ? '*' : bound(t.to)},${t.price}`).join('')
  return tierBase === 'year' ? `STEP(已用量+用量${table})-STEP(已用量${table})` : `STEP(用量${table})`
}
