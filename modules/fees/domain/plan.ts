import { addDays, type Day } from '#kit/domain/day.ts'
import { sum, type Dec } from '#kit/domain/decimal.ts'
import { lastDay, monthOf, type Month } from '#kit/domain/month.ts'
import { covers, overlaps, subtract, periodOfMonth, type Period } from '#kit/domain/period.ts'
import { chargingEnd, chargingStart, dueDate, generationDay } from './charging.ts'
import { nextPeriod, type ChargingRange } from './cycle.ts'
import {
  computePeriodBills,
  computeReadingBill,
  type ComputedBill,
  type BillOutcome,
  type SkippedBill,
} from './bill-computation.ts'
import type { PreparedStandard, Reading, Relation, Source, Standard } from './standard.ts'

/**
 * Which periods a run bills: what has fallen due by a day (GEN-1), all up to a month, or the next few ahead
 * of time (TMP-2).
 */
export type PlanScope =
  | { readonly kind: 'due'; readonly today: Day }
  | {
      readonly kind: 'month'
      readonly month: Month
      readonly today: Day
      /** Share standards whose pool of the month has a total (SHR-1). */ readonly pools?: ReadonlySet<number>
    }
  | { readonly kind: 'ahead'; readonly count: number; readonly today: Day }

export interface PlannedLine extends ComputedBill {
  readonly relationId: number
  readonly belongMonth: Month
  readonly dueDate: Day
  readonly readingId?: number
  /** What lists show beside the amount; the last stretch's where they changed. */
  readonly quantity?: Dec
  readonly price?: Dec
  /** No one to send it to: a warning, the bill is made all the same (GEN-6 PAYER_MISSING). */
  readonly payerMissing: boolean
}

export interface PlannedSkip extends SkippedBill {
  readonly relationId: number
  readonly period?: Period
}

export interface BillingPlan {
  readonly lines: readonly PlannedLine[]
  readonly skips: readonly PlannedSkip[]
  /** Where charging stands after the run; absent when nothing was ever settled (CYC-4). */
  readonly billedTo?: Day
  /** The limit of one run was reached; another run goes on (GEN-4). */
  readonly more: boolean
}

/** GEN-4 */
export const maxPeriods = 36

/** A live bill of the same item on the same object. */
export interface ExistingBill extends Period {
  readonly relationId?: number | undefined
}

/** GEN-2: items and fee types whose bills may overlap; their relations are still billed once per period. */
export const canOverlap = (s: Pick<Standard, 'allowMulti' | 'feeType'>): boolean =>
  s.allowMulti || ['temporary', 'monthCard', 'parking', 'lateFee', 'other'].includes(s.feeType)

const quantityVariables = ['建筑面积', '套内面积', '计费面积', '数量', '用量'] as const

/** A relation's line from what was drawn for it. */
export function toPlannedLine(
  s: Standard,
  relationId: number,
  d: ComputedBill,
  billedOn: Day,
  readingId?: number,
): PlannedLine {
  const values = d.snapshot.parts.at(-1)?.values ?? {}
  // By time of use all registers count, and no one price holds (MTR-15).
  const byTime = values.时段 !== undefined
  const quantity = byTime
    ? sum(d.snapshot.parts.map(x => x.values.用量 || '0'))
    : quantityVariables.map(n => values[n]).find(Boolean)
  const price = byTime ? undefined : values.单价 || values.金额 || values.租金
  return {
    ...d,
    relationId,
    belongMonth: monthOf(d.begin),
    dueDate: dueDate(s.due, billedOn, d),
    payerMissing: d.payer === undefined,
    ...(readingId === undefined ? {} : { readingId }),
    ...(quantity ? { quantity } : {}),
    ...(price ? { price } : {}),
  }
}

const isDue = (s: Standard, p: Period, scope: PlanScope): boolean => {
  if (scope.kind === 'ahead') return true
  if (scope.kind === 'due') return generationDay(s.timing, p) <= scope.today
  return (s.timing.mode === 'ahead' ? p.begin : p.end) <= lastDay(scope.month)
}

/** Why nothing of a relation may be billed, whatever the period (CYC-8, GEN-6). */
const findBlockingReason = (r: Relation, s: Source): SkippedBill | undefined =>
  r.excluded
    ? { reason: 'excluded' }
    : r.state === 'suspended'
      ? { reason: 'suspended' }
      : s.enabled
        ? undefined
        : { reason: 'sourceDisabled' }

/**
 * What one relation is billed in a run, oldest first, and why not (GEN-2 to GEN-6). Pure and repeatable:
 * bills it already has (`standing`) come out as PERIOD_EXISTS, never twice. Amounts of nought and free
 * periods move BilledTo on (CYC-7); every other reason stops the relation there.
 */
export function planRelation(
  p: PreparedStandard,
  r: Relation,
  s: Source,
  standing: readonly ExistingBill[],
  scope: PlanScope,
  readings: readonly Reading[] = [],
): BillingPlan {
  const std = p.standard
  const said = (list: readonly PlannedSkip[] = []): BillingPlan => ({
    lines: [],
    skips: list,
    ...(r.billedTo === undefined ? {} : { billedTo: r.billedTo }),
    more: false,
  })
  // Ended is a word for lists: what the end date leaves open is billed all the same (GEN-3).
  if (
    (r.state === 'ended' && r.end === undefined) ||
    std.formulaType === 'imported' ||
    std.formulaType === 'times'
  )
    return said()
  const start = chargingStart(std.startRule, r.begin, std.versions[0]?.from, s.dates)
  const no = findBlockingReason(r, s)
  if (start === undefined) return said([{ relationId: r.id, ...(no ?? { reason: 'startDateMissing' }) }])
  const end = chargingEnd(r.end, std.end, s.dates.leaseTo, s.dates.cardTo)
  const charging: ChargingRange = end === undefined ? { start } : { start, end }
  if (std.formulaType === 'share') {
    // Pools are shared as wholes (share.ts); a relation only says that its pool is still to come (SHR-4: who
    // is there on the last day takes part).
    const there =
      scope.kind === 'month' &&
      start <= lastDay(scope.month) &&
      (end === undefined || lastDay(scope.month) <= end)
    return said(
      there && !scope.pools?.has(std.id) ? [{ relationId: r.id, ...(no ?? { reason: 'poolMissing' }) }] : [],
    )
  }
  if (p.metered)
    return no
      ? said(readings.length || scope.kind === 'month' ? [{ relationId: r.id, ...no }] : [])
      : planReadings(p, r, s, standing, scope, readings, charging)

  const lines: PlannedLine[] = []
  const skips: PlannedSkip[] = []
  const most = scope.kind === 'ahead' ? Math.min(scope.count, maxPeriods) : maxPeriods
  let to = r.billedTo
  let more = false
  const draw = (period: Period): SkippedBill | undefined => {
    const got = computePeriodBills(p, r, s, period, start, scope.kind === 'ahead' ? scope.today : undefined)
    for (const d of got.drawn ?? []) {
      lines.push(toPlannedLine(std, r.id, d, scope.today))
    }
    return got.skipped
  }
  const month = scope.kind === 'month' && periodOfMonth(scope.month)
  for (const f of (month && !no && r.freed) || []) {
    const cut = {
      begin: f.begin < start ? start : f.begin,
      end: end !== undefined && end < f.end ? end : f.end,
    }
    if (
      to === undefined ||
      f.end > to ||
      cut.begin > cut.end ||
      !month ||
      !overlaps(cut, month) ||
      standing.some(b => overlaps(b, cut))
    )
      continue
    const why = draw(cut)
    if (why) {
      skips.push({ relationId: r.id, period: cut, ...why })
    }
  }
  for (let n = 0; ; n++) {
    const period = nextPeriod(std.cycle, charging, to)
    if (!period || !isDue(std, period, scope)) break
    if (n >= most) {
      more = scope.kind !== 'ahead'
      break
    }
    const skip = (why: SkippedBill): void => {
      skips.push({ relationId: r.id, period, ...why })
    }
    if (no) {
      skip(no)
      break
    }
    const all = standing.filter(b => overlaps(b, period) && (b.relationId === r.id || !canOverlap(std)))
    const [there] = all
    // Halves of a split bill, or two imported ones, cover a period together.
    if (there && !covers(there, period) && subtract(period, ...all).length) {
      skip({
        reason: 'periodExists',
        detail: `与 ${there.begin} 至 ${there.end} 的账单部分重叠，请先处理该账单`,
      })
      break
    }
    if (there) {
      skip({ reason: 'periodExists' })
    } else {
      const why = draw(period)
      if (why) {
        skip(why)
      }
      if (why && why.reason !== 'freePeriod' && why.reason !== 'amountZero') break
    }
    to = period.end
  }
  return { lines, skips, ...(to === undefined ? {} : { billedTo: to }), more }
}

/** Every waiting reading within charging is one bill; each stands or falls alone (MTR-9). */
function planReadings(
  p: PreparedStandard,
  r: Relation,
  s: Source,
  standing: readonly ExistingBill[],
  scope: PlanScope,
  readings: readonly Reading[],
  charging: ChargingRange,
): BillingPlan {
  const lines: PlannedLine[] = []
  const skips: PlannedSkip[] = []
  let to = r.billedTo
  const until = scope.kind === 'month' ? lastDay(scope.month) : scope.today
  for (const reading of readings) {
    if (
      reading.end > until ||
      reading.end < charging.start ||
      (charging.end !== undefined && reading.begin > charging.end)
    )
      continue
    const period = { begin: reading.begin, end: reading.end }
    const there = standing.some(
      b => overlaps(b, period) && (b.relationId === r.id || !canOverlap(p.standard)),
    )
    const got: BillOutcome = there
      ? { skipped: { reason: 'periodExists' } }
      : computeReadingBill(p, r, s, reading)
    for (const d of got.drawn ?? []) {
      lines.push(toPlannedLine(p.standard, r.id, d, scope.today, reading.id))
    }
    // A reading of nought stays open: it is told of once, and in its own month, not in every run there will
    // ever be.
    const nought = got.skipped?.reason === 'amountZero'
    const told =
      nought &&
      r.billedTo !== undefined &&
      reading.end <= r.billedTo &&
      !(scope.kind === 'month' && monthOf(reading.end) === scope.month)
    if (got.skipped && !told) {
      skips.push({ relationId: r.id, period, ...got.skipped })
    }
    if ((got.drawn || nought) && (to === undefined || reading.end > to)) {
      to = reading.end
    }
  }
  const asked =
    scope.kind === 'month' &&
    overlaps({ begin: charging.start, end: charging.end ?? '9999-12-31' }, periodOfMonth(scope.month))
  if (asked && ![...readings, ...standing].some(x => monthOf(x.end) === scope.month)) {
    skips.push({ relationId: r.id, reason: 'meterReadingMissing' })
  }
  return { lines, skips, ...(to === undefined ? {} : { billedTo: to }), more: false }
}

/**
 * BilledTo after bills were abolished or removed: the last day a live bill of the relation reaches; nothing
 * when there is none (C3.2, TMP-2).
 */
export const computeBilledTo = (live: readonly Period[]): Day | undefined =>
  live.reduce<Day | undefined>((to, b) => (to === undefined || b.end > to ? b.end : to), undefined)

/** The default begin of the next manual bill (BILL-10). */
export const nextManualBegin = (live: readonly Period[], start: Day): Day => {
  const to = computeBilledTo(live)
  return to === undefined ? start : addDays(to, 1)
}

/** Counts by reason and up to fifty samples, as a run's result keeps them (GEN-6). */
export function summarizeSkips(skips: Iterable<PlannedSkip>): {
  readonly counts: Readonly<Partial<Record<PlannedSkip['reason'], number>>>
  readonly samples: readonly PlannedSkip[]
} {
  const counts: Partial<Record<PlannedSkip['reason'], number>> = {}
  const samples: PlannedSkip[] = []
  for (const s of skips) {
    counts[s.reason] = (counts[s.reason] ?? 0) + 1
    if (samples.length < 50) {
      samples.push(s)
    }
  }
  return { counts, samples }
}
