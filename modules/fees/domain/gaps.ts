import type { Id } from '#kit/domain/id.ts'
import { addDays, maxDay, type Day } from '#kit/domain/day.ts'
import { overlaps, periodOfMonth, subtract, type Period } from '#kit/domain/period.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { periodAfter } from '../contract/choices.ts'
import type { ChargingRange } from './cycle.ts'
import type { PlanScope } from './planned-line.ts'

export type PeriodAfter = ChoiceOf<typeof periodAfter>

/** Days that an abolished or deleted bill left, and what was decided about them (GEN-3). */
export interface FreedPeriod extends Period {
  readonly billId?: Id | undefined
  readonly after?: PeriodAfter | undefined
}

/**
 * The days of abolished bills with the decisions about them. Of bills that once covered the same days the
 * newest counts: `freed` is newest first.
 */
export function resolveFreedPeriods(freed: readonly FreedPeriod[]): FreedPeriod[] {
  const settled: FreedPeriod[] = []
  for (const each of freed) {
    const rest = subtract({ begin: each.begin, end: each.end }, ...settled)
    settled.push(...rest.map(piece => ({ ...each, ...piece })))
  }
  return settled.toSorted((a, b) => (a.begin < b.begin ? -1 : 1))
}

interface GapBounds {
  readonly charging: ChargingRange
  readonly billedTo: Day | undefined
  /** What the former system charged: days up to it are no gap (CYC-4). */
  readonly floor?: Day | undefined
}

const latest = (...days: readonly (Day | undefined)[]): Day =>
  days.reduce<Day>((last, d) => (d !== undefined && d > last ? d : last), '0001-01-01')

/**
 * Free periods inside what a relation is billed for already, that no live bill covers (GEN-3, CYC-4). Those
 * that are not to be charged are among them.
 */
export function findGaps(
  freed: readonly FreedPeriod[],
  effectivePeriods: readonly Period[],
  { charging, billedTo, floor }: GapBounds,
): FreedPeriod[] {
  if (billedTo === undefined) return []
  const begin = latest(charging.start, floor && addDays(floor, 1))
  const last = charging.end ?? maxDay
  return freed.flatMap(each => {
    const inside = { begin: latest(each.begin, begin), end: each.end < last ? each.end : last }
    if (inside.begin > inside.end) return []
    return subtract(inside, ...effectivePeriods)
      .filter(piece => piece.end <= billedTo)
      .map(piece => ({ ...each, ...piece }))
  })
}

export const gapKey = (relationId: Id, { begin }: Pick<Period, 'begin'>): string => `${relationId}/${begin}`

/**
 * Whether a run bills a gap (GEN-3). Gaps selected by hand are billed. Otherwise those whose bill was
 * abolished with 重新出账, and in a run of their own month those without a choice. Gaps with 不再收取 are
 * never billed.
 */
export function isGapBilled(gap: FreedPeriod, relationId: Id, scope: PlanScope): boolean {
  if (gap.after === 'waived' || scope.kind === 'ahead') return false
  if (scope.kind === 'due') return gap.after === 'rebill'
  if (scope.kind === 'gaps') return scope.gaps.has(gapKey(relationId, gap))
  if (scope.gaps) return scope.gaps.has(gapKey(relationId, gap))
  return gap.after === 'rebill' || overlaps(gap, periodOfMonth(scope.month))
}

/** Gaps that a run may show: those that begin in its month or before (GEN-3). */
export const isGapInScope = (gap: Period, scope: PlanScope): boolean =>
  scope.kind === 'month' ? gap.begin <= periodOfMonth(scope.month).end : scope.kind !== 'ahead'
