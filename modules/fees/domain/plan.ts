import { addDays, type Day } from '#kit/domain/day.ts'
import { lastDay } from '#kit/domain/month.ts'
import { covers, overlaps, subtract, type Period } from '#kit/domain/period.ts'
import { chargingEnd, chargingStart, generationDay } from './charging.ts'
import { nextPeriod, type ChargingRange } from './cycle.ts'
import { findGaps, isGapBilled, isGapInScope } from './gaps.ts'
import { computePeriodBills, type SkippedBill } from './bill-computation.ts'
import { planReadings } from './reading-plan.ts'
import type { PreparedStandard, Reading, Relation, Source, Standard } from './standard.ts'
import {
  type BillingPlan,
  type ExistingBill,
  type PlanScope,
  type PlannedGap,
  type PlannedLine,
  type PlannedSkip,
  canOverlap,
  toPlannedLine,
} from './planned-line.ts'

/** Periods of one relation in one run at most (GEN-4). */
export const maxPeriods = 36

const isDue = (standard: Standard, period: Period, scope: PlanScope): boolean => {
  if (scope.kind === 'gaps') return false
  if (scope.kind === 'ahead') return true
  if (scope.kind === 'due') return generationDay(standard.timing, period) <= scope.today
  return (standard.timing.mode === 'ahead' ? period.begin : period.end) <= lastDay(scope.month)
}

/** Why nothing of a relation may be billed, whatever the period (CYC-8, GEN-6). */
function findBlockingReason(r: Relation, s: Source): SkippedBill | undefined {
  if (r.excluded) return { reason: 'excluded' }
  if (r.state === 'suspended') return { reason: 'suspended' }
  return s.enabled ? undefined : { reason: 'sourceDisabled' }
}

/** A relation that is never billed by period: ended permanently, or its amounts come from elsewhere. */
const isNeverBilled = (std: Standard, r: Relation): boolean =>
  // An ended relation with an end date is still billed up to it: ended is a state for lists (GEN-3).
  (r.state === 'ended' && r.end === undefined) ||
  std.formulaType === 'imported' ||
  std.formulaType === 'times'

/**
 * What one relation is billed in a run, oldest first, and why not (GEN-2 to GEN-6). Pure and repeatable:
 * `existing` bills come out as PERIOD_EXISTS, never twice. Zero amounts and free periods move BilledTo on
 * (CYC-7); every other reason stops the relation there.
 */
export function planRelation(
  prepared: PreparedStandard,
  relation: Relation,
  source: Source,
  existing: readonly ExistingBill[],
  scope: PlanScope,
  readings: readonly Reading[] = [],
): BillingPlan {
  const std = prepared.standard
  const skipOnly = (skips: readonly PlannedSkip[] = []): BillingPlan => ({
    lines: [],
    skips,
    gaps: [],
    ...(relation.billedTo === undefined ? {} : { billedTo: relation.billedTo }),
    hasMore: false,
  })
  if (isNeverBilled(std, relation)) return skipOnly()
  const start = chargingStart(std.startRule, relation.begin, std.versions[0]?.from, source.dates)
  const blocked = findBlockingReason(relation, source)
  if (start === undefined)
    return skipOnly([{ relationId: relation.id, ...(blocked ?? { reason: 'startDateMissing' }) }])
  const end = chargingEnd(relation.end, std.end, source.dates.leaseTo, source.dates.cardTo)
  const charging: ChargingRange = end === undefined ? { start } : { start, end }
  if (std.formulaType === 'share')
    return skipOnly(
      lacksPool(std, scope, charging)
        ? [{ relationId: relation.id, ...(blocked ?? { reason: 'poolMissing' }) }]
        : [],
    )
  if (!prepared.metered)
    return planPeriods({ p: prepared, r: relation, s: source, existing, scope, charging }, blocked)
  if (!blocked) return planReadings(prepared, relation, source, existing, scope, readings, charging)
  return skipOnly(readings.length || scope.kind === 'month' ? [{ relationId: relation.id, ...blocked }] : [])
}

/**
 * Pools are allocated as a whole (pool-allocation.ts); a relation only reports that its pool is missing. Who
 * is charged on the last day of the month takes part (SHR-4).
 */
function lacksPool(std: Standard, scope: PlanScope, { start, end }: ChargingRange): boolean {
  if (scope.kind !== 'month') return false
  const last = lastDay(scope.month)
  const takesPart = start <= last && (end === undefined || last <= end)
  return takesPart && !scope.pools?.has(std.id)
}

interface PeriodInput {
  readonly p: PreparedStandard
  readonly r: Relation
  readonly s: Source
  readonly existing: readonly ExistingBill[]
  readonly scope: PlanScope
  readonly charging: ChargingRange
}

/** Bills one period: adds its lines, or returns why there are none. */
function billPeriod(
  { p: prepared, r: relation, s: source, scope, charging }: PeriodInput,
  period: Period,
  lines: PlannedLine[],
) {
  const aheadFrom = scope.kind === 'ahead' ? scope.today : undefined
  const outcome = computePeriodBills(prepared, relation, source, period, charging.start, aheadFrom)
  for (const bill of outcome.drawn ?? []) {
    lines.push(toPlannedLine(prepared.standard, relation.id, bill, scope.today))
  }
  return outcome.skipped
}

/**
 * The free periods in the middle of a relation that a run may show, with what their bills would be (GEN-3);
 * where charging was given up, they are not shown.
 */
function planGaps(input: PeriodInput): PlannedGap[] {
  const { p: prepared, r: relation, existing, scope, charging } = input
  if (!relation.freed?.length || scope.kind === 'ahead') return []
  const effectivePeriods = existing.filter(
    b => b.relationId === relation.id || !canOverlap(prepared.standard),
  )
  const found = findGaps(relation.freed, effectivePeriods, {
    charging,
    billedTo: relation.billedTo,
    floor: relation.floor,
  })
  return found
    .filter(gap => gap.after !== 'waived' && isGapInScope(gap, scope))
    .map(gap => {
      const lines: PlannedLine[] = []
      const skipped = billPeriod(input, gap, lines)
      return {
        ...gap,
        relationId: relation.id,
        isBilled: isGapBilled(gap, relation.id, scope),
        lines,
        skipped,
      }
    })
}

/** What existing bills make of a period: nothing, billed already, or billed in part, which stops the run. */
function checkExisting(
  { p: prepared, r: relation, existing }: PeriodInput,
  period: Period,
): SkippedBill | undefined {
  const overlapping = existing.filter(
    b => overlaps(b, period) && (b.relationId === relation.id || !canOverlap(prepared.standard)),
  )
  const [first] = overlapping
  if (!first) return undefined
  // The parts of a split bill, or several imported ones, may cover a period together.
  const isCovered = covers(first, period) || !subtract(period, ...overlapping).length
  return isCovered
    ? { reason: 'periodExists' }
    : {
        reason: 'periodExists',
        detail: `与 ${first.begin} 至 ${first.end} 的账单部分重叠，请先处理该账单`,
      }
}

const passingReasons: ReadonlySet<SkippedBill['reason']> = new Set(['freePeriod', 'amountZero', 'waived'])

/** Bills a period after the last one, but for days whose charging was given up at its end (GEN-3). */
function billUnlessWaived(input: PeriodInput, period: Period, lines: PlannedLine[]): SkippedBill | undefined {
  const waived = (input.r.freed ?? []).filter(each => each.after === 'waived' && overlaps(each, period))
  if (!waived.length) return billPeriod(input, period, lines)
  const rest = subtract(period, ...waived)
  if (!rest.length) return { reason: 'waived' }
  for (const piece of rest) {
    const skipped = billPeriod(input, piece, lines)
    if (skipped && !passingReasons.has(skipped.reason)) return skipped
  }
  return undefined
}

/** Bills the gaps that are marked for billing, then one period after the other until none is due. */
function planPeriods(input: PeriodInput, blocked: SkippedBill | undefined): BillingPlan {
  const { p: prepared, r: relation, scope, charging } = input
  const lines: PlannedLine[] = []
  const skips: PlannedSkip[] = []
  const skip = (period: Period, skipped: SkippedBill): void => {
    skips.push({ relationId: relation.id, period, ...skipped })
  }
  const free = blocked ? [] : planGaps(input)
  const gaps = free.filter(gap => !gap.skipped || !passingReasons.has(gap.skipped.reason))
  for (const gap of free.filter(each => each.isBilled)) {
    lines.push(...gap.lines)
    if (gap.skipped) {
      skip({ begin: gap.begin, end: gap.end }, gap.skipped)
    }
  }
  const limit = scope.kind === 'ahead' ? Math.min(scope.count, maxPeriods) : maxPeriods
  let billedTo = relation.billedTo
  let hasMore = false
  for (let count = 0; ; count++) {
    const period = nextPeriod(prepared.standard.cycle, charging, billedTo)
    if (!period || !isDue(prepared.standard, period, scope)) break
    if (count >= limit) {
      hasMore = scope.kind !== 'ahead'
      break
    }
    if (blocked) {
      skip(period, blocked)
      break
    }
    const existing = checkExisting(input, period)
    const skipped = existing ?? billUnlessWaived(input, period, lines)
    if (skipped) {
      skip(period, skipped)
    }
    const goesOn = existing ? existing.detail === undefined : !skipped || passingReasons.has(skipped.reason)
    if (!goesOn) break
    billedTo = period.end
  }
  return { lines, skips, gaps, ...(billedTo === undefined ? {} : { billedTo }), hasMore: hasMore }
}

/**
 * BilledTo after bills were abolished or removed: the last day of the relation's live bills; undefined when
 * there is none (C3.2, TMP-2).
 */
export const computeBilledTo = (liveBills: readonly Period[]): Day | undefined =>
  liveBills.reduce<Day | undefined>((to, b) => (to === undefined || b.end > to ? b.end : to), undefined)

/** The first day of the next manual bill, as offered (BILL-10). */
export const nextManualBegin = (liveBills: readonly Period[], start: Day): Day => {
  const to = computeBilledTo(liveBills)
  return to === undefined ? start : addDays(to, 1)
}
