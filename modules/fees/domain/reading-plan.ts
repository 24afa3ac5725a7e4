import { maxDay, type Day } from '#kit/domain/day.ts'
import { lastDay, monthOf } from '#kit/domain/month.ts'
import { overlaps, periodOfMonth, type Period } from '#kit/domain/period.ts'
import { computeReadingBill, type BillOutcome } from './bill-computation.ts'
import type { ChargingRange } from './cycle.ts'
import {
  canOverlap,
  toPlannedLine,
  type BillingPlan,
  type ExistingBill,
  type PlannedLine,
  type PlannedSkip,
  type PlanScope,
} from './planned-line.ts'
import type { PreparedStandard, Reading, Relation, Source } from './standard.ts'

const isWithin = (reading: Reading, charging: ChargingRange, until: Day): boolean =>
  reading.end <= until &&
  reading.end >= charging.start &&
  (charging.end === undefined || reading.begin <= charging.end)

/**
 * A reading of zero usage stays open. It is reported once, and again only in a run of its own month, not in
 * every run to come.
 */
const isReportedBefore = (reading: Reading, r: Relation, scope: PlanScope): boolean =>
  r.billedTo !== undefined &&
  reading.end <= r.billedTo &&
  !(scope.kind === 'month' && monthOf(reading.end) === scope.month)

/** Whether a run of a month lacks the month's reading. */
function lacksReading(
  scope: PlanScope,
  charging: ChargingRange,
  known: readonly { readonly end: Day }[],
): boolean {
  if (scope.kind !== 'month') return false
  const charged = { begin: charging.start, end: charging.end ?? maxDay }
  return overlaps(charged, periodOfMonth(scope.month)) && !known.some(x => monthOf(x.end) === scope.month)
}

/** Every unbilled reading within charging becomes one bill; each is billed or skipped separately (MTR-9). */
export function planReadings(
  prepared: PreparedStandard,
  relation: Relation,
  source: Source,
  existing: readonly ExistingBill[],
  scope: PlanScope,
  readings: readonly Reading[],
  charging: ChargingRange,
): BillingPlan {
  const lines: PlannedLine[] = []
  const skips: PlannedSkip[] = []
  let billedTo = relation.billedTo
  const until = scope.kind === 'month' ? lastDay(scope.month) : scope.today
  const isBilled = (period: Period): boolean =>
    existing.some(
      b => overlaps(b, period) && (b.relationId === relation.id || !canOverlap(prepared.standard)),
    )
  for (const reading of readings) {
    if (!isWithin(reading, charging, until)) continue
    const period = { begin: reading.begin, end: reading.end }
    const outcome: BillOutcome = isBilled(period)
      ? { skipped: { reason: 'periodExists' } }
      : computeReadingBill(prepared, relation, source, reading)
    for (const bill of outcome.drawn ?? []) {
      lines.push(toPlannedLine(prepared.standard, relation.id, bill, scope.today, reading.id))
    }
    const isZero = outcome.skipped?.reason === 'amountZero'
    if (outcome.skipped && !(isZero && isReportedBefore(reading, relation, scope))) {
      skips.push({ relationId: relation.id, period, ...outcome.skipped })
    }
    if ((outcome.drawn || isZero) && (billedTo === undefined || reading.end > billedTo)) {
      billedTo = reading.end
    }
  }
  if (lacksReading(scope, charging, [...readings, ...existing])) {
    skips.push({ relationId: relation.id, reason: 'meterReadingMissing' })
  }
  return { lines, skips, gaps: [], ...(billedTo === undefined ? {} : { billedTo }), hasMore: false }
}
