import type { Id } from '#kit/domain/id.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { overlaps, periodOfMonth } from '#kit/domain/period.ts'
import type { Db } from '#kit/server/db.ts'
import {
  planRelation,
  sourceKey,
  loadSources,
  loadRoomTotals,
  type BillingRelation,
  type ChargeableStandard,
  type PlannedGap,
  type PlannedLine,
  type LocatedSource,
  type PlanScope,
  type Reading,
  type PlannedSkip,
  type ExistingBill,
} from '#modules/fees/server/public.ts'
import { findExistingBills, findFreedPeriods, placeKey, type StoredBill } from './run-existing-bills.ts'

/** What a run has read before it looks at relations. */
export interface RunContext {
  readonly ownerId: Id
  readonly project: string
  readonly scope: PlanScope
  readonly standards: ReadonlyMap<Id, ChargeableStandard>
  readonly totals: Awaited<ReturnType<typeof loadRoomTotals>> | undefined
  readonly excluded: ReadonlySet<Id>
  /** Readings without a bill yet, by relation (MTR-9). */
  readonly readings: (
    db: Db,
    billingRelations: readonly BillingRelation[],
  ) => Promise<ReadonlyMap<Id, readonly Reading[]>>
}

export interface PlannedBill {
  readonly billingRelation: BillingRelation
  readonly charged: ChargeableStandard
  readonly located: LocatedSource
  readonly line: PlannedLine
  readonly reading: Reading | undefined
}

export interface SkippedRelation {
  readonly billingRelation: BillingRelation
  readonly charged: ChargeableStandard
  readonly skip: PlannedSkip
}

/** A free period in the middle of a relation (GEN-3). */
export interface PlannedRelationGap {
  readonly billingRelation: BillingRelation
  readonly charged: ChargeableStandard
  readonly located: LocatedSource
  readonly gap: PlannedGap
}

export interface RunPlan {
  readonly bills: readonly PlannedBill[]
  readonly skipped: readonly SkippedRelation[]
  readonly gaps: readonly PlannedRelationGap[]
  readonly advanced: readonly { readonly id: Id; readonly to: Day }[]
  /** How many relations have more periods due than one run may bill. */
  readonly incomplete: number
  /** The bills of this plan by place (object and item), for the plan of the next chunk. */
  readonly billsByPlace: ReadonlyMap<string, readonly ExistingBill[]>
}

/**
 * Which bills relations get in a run, and why others get none (GEN-1 to GEN-6). A few reads however many
 * relations there are, no writes. `pending`: bills of the chunk before, which are being written and cannot be
 * read yet.
 */
export async function planRelations(
  db: Db,
  context: RunContext,
  billingRelations: readonly BillingRelation[],
  pending: RunPlan['billsByPlace'] = new Map(),
): Promise<RunPlan> {
  const plan: RunPlanDraft = {
    bills: [],
    skipped: [],
    gaps: [],
    advanced: [],
    incomplete: 0,
    billsByPlace: new Map<string, readonly ExistingBill[]>(),
  }
  if (!billingRelations.length) return plan
  const [existingByPlace, sources, readings] = await Promise.all([
    findExistingBills(db, context, billingRelations),
    loadSources(db, context.ownerId, context.project, billingRelations, context.scope.today, context.totals),
    context.readings(db, billingRelations),
  ])
  for (const billingRelation of billingRelations) {
    const charged = context.standards.get(billingRelation.standardId)
    if (!charged) continue
    const place = placeKey(billingRelation)
    addRelation(plan, context, {
      billingRelation,
      charged,
      place,
      located: sources.get(sourceKey(billingRelation)),
      stored: existingByPlace.get(place) ?? [],
      pending: pending.get(place) ?? [],
      readings: readings.get(billingRelation.relation.id) ?? [],
    })
  }
  return plan
}

interface RunPlanDraft extends RunPlan {
  readonly bills: PlannedBill[]
  readonly skipped: SkippedRelation[]
  readonly gaps: PlannedRelationGap[]
  readonly advanced: { id: Id; to: Day }[]
  incomplete: number
  readonly billsByPlace: Map<string, readonly ExistingBill[]>
}

/** A relation with everything its plan depends on. */
interface RelationInput {
  readonly billingRelation: BillingRelation
  readonly charged: ChargeableStandard
  readonly place: string
  readonly located: LocatedSource | undefined
  readonly stored: readonly StoredBill[]
  readonly pending: readonly ExistingBill[]
  readonly readings: readonly Reading[]
}

/** Plans one relation. Its bills count as existing for the following relations of the same place. */
function addRelation(plan: RunPlanDraft, context: RunContext, input: RelationInput): void {
  const { billingRelation, charged, located, place, stored, readings } = input
  const { relation } = billingRelation
  const skip = (reason: PlannedSkip): void => {
    plan.skipped.push({ billingRelation, charged, skip: reason })
  }
  if (!located)
    return skip({
      relationId: relation.id,
      reason: 'sourceDisabled',
      detail: '收费对象已删除或暂不支持按周期收费',
    })
  const plannedHere = plan.billsByPlace.get(place) ?? []
  const existing = [...stored.filter(b => !b.freed), ...input.pending, ...plannedHere]
  const result = planRelation(
    charged.prepared,
    {
      ...relation,
      freed: findFreedPeriods(stored, relation.id),
      excluded: context.excluded.has(relation.id),
    },
    located.source,
    existing,
    context.scope,
    readings,
  )
  for (const line of result.lines) {
    const reading = line.readingId === undefined ? undefined : readings.find(r => r.id === line.readingId)
    plan.bills.push({ billingRelation, charged, located, line, reading })
  }
  if (result.lines.length) {
    plan.billsByPlace.set(place, [
      ...plannedHere,
      ...result.lines.map(l => ({ begin: l.begin, end: l.end, relationId: relation.id })),
    ])
  }
  result.skips.forEach(skip)
  plan.gaps.push(...result.gaps.map(gap => ({ billingRelation, charged, located, gap })))
  if (!result.lines.length && !result.skips.length && context.scope.kind === 'month') {
    const month = periodOfMonth(context.scope.month)
    const billed = existing.find(b => b.relationId === relation.id && overlaps(b, month))
    if (billed) {
      skip({
        relationId: relation.id,
        reason: 'periodExists',
        period: { begin: billed.begin, end: billed.end },
      })
    }
  }
  if (result.billedTo !== undefined && result.billedTo !== relation.billedTo) {
    plan.advanced.push({ id: relation.id, to: result.billedTo })
  }
  if (result.hasMore) {
    plan.incomplete++
  }
}

/**
 * The last `billedTo` for which nothing of a standard can be due by today: relations billed that far are not
 * looked at (GEN-1). Undefined for metered standards, which have no period of their own.
 */
export function latestUndueDay(c: ChargeableStandard, today: Day): Day | undefined {
  if (c.prepared.metered) return undefined
  const { mode, advanceDays, delayDays } = c.prepared.standard.timing
  return mode === 'ahead' ? addDays(today, advanceDays) : addDays(today, -1 - delayDays)
}
