import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { firstDay } from '#kit/domain/month.ts'
import { overlaps, periodOfMonth, type Period } from '#kit/domain/period.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { live, code, codes } from '#kit/server/sql.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import {
  planRelation,
  sourceKey,
  loadSources,
  loadRoomTotals,
  type BillingRelation,
  type ChargeableStandard,
  type PlannedLine,
  type LocatedSource,
  type PlanScope,
  type Reading,
  type PlannedSkip,
  type ExistingBill,
} from '#modules/fees/server/public.ts'
import { billState } from '../contract/choices.ts'

/** What a run has read before it looks at relations. */
export interface RunContext {
  readonly owner: number
  readonly project: string
  readonly scope: PlanScope
  readonly standards: ReadonlyMap<number, ChargeableStandard>
  readonly totals: Awaited<ReturnType<typeof loadRoomTotals>> | undefined
  readonly excluded: ReadonlySet<number>
  /** Readings without a bill yet, by relation (MTR-9). */
  readonly readings: (
    db: Db,
    bounds: readonly BillingRelation[],
  ) => Promise<ReadonlyMap<number, readonly Reading[]>>
}

export interface PlannedBill {
  readonly bound: BillingRelation
  readonly charged: ChargeableStandard
  readonly located: LocatedSource
  readonly line: PlannedLine
  readonly reading: Reading | undefined
}

export interface SkippedRelation {
  readonly bound: BillingRelation
  readonly charged: ChargeableStandard
  readonly skip: PlannedSkip
}

export interface RunPlan {
  readonly bills: readonly PlannedBill[]
  readonly skipped: readonly SkippedRelation[]
  readonly advanced: readonly { readonly id: number; readonly to: Day }[]
  /** How many relations have more periods due than one run may bill. */
  readonly incomplete: number
  /** The bills of this plan by place (object and item), for the plan of the next chunk. */
  readonly billsByPlace: ReadonlyMap<string, readonly ExistingBill[]>
}

const placeKey = (b: BillingRelation): string => `${sourceKey(b)}\n${b.itemId}`

interface StoredBill extends ExistingBill {
  readonly id: number
  readonly freed: boolean
}

interface Place {
  /** A relation of this object and item. */
  readonly bound: BillingRelation
  /** The first day on which a bill of the run could begin. */
  readonly from: Day
}

/** The places of relations, each with the earliest day from which it may be billed. */
function findPlaces(context: RunContext, bounds: readonly BillingRelation[]): Place[] {
  const monthBegin = context.scope.kind === 'month' ? firstDay(context.scope.month) : undefined
  const places = new Map<string, Place>()
  for (const bound of bounds) {
    const billedTo = bound.relation.billedTo ?? '0001-01-01'
    const from = monthBegin !== undefined && monthBegin < billedTo ? monthBegin : billedTo
    const key = placeKey(bound)
    const place = places.get(key)
    if (!place || from < place.from) {
      places.set(key, { bound, from })
    }
  }
  return [...places.values()]
}

/**
 * By place: effective bills that could overlap a planned one, and abolished or deleted ones of which the
 * period is free again (GEN-2, GEN-3). Needs bill_source, and bill_gone, which is read only where the estate
 * has ever had a deleted bill. Read it after the relations are locked, so that it sees what another run has
 * written. `offset 0` keeps the lookup per place: a plan that was made while there were few bills would
 * otherwise compare every place with every bill when there are many.
 */
async function findExistingBills(
  db: Db,
  context: RunContext,
  bounds: readonly BillingRelation[],
): Promise<ReadonlyMap<string, StoredBill[]>> {
  const places = findPlaces(context, bounds)
  const inProject = sql`b.owner_id = ${context.owner} and b.project_code = ${context.project}`
  const atPlace = sql`${inProject}
    and b.source_type = w.source_type
    and b.source_code = w.source_code
    and b.fee_item_id = w.fee_item_id
    and b.end_date >= w.from_day`
  // Halves of a split that was merged back are deleted, but their days belong to the whole bill again.
  const deleted = sql`b.delete_tag = 1
    and b.relation_id is not null
    and (
      b.parent_id is null
      or exists (
        select
        from bill p
        where p.owner_id = ${context.owner} and p.id = b.parent_id and p.state = ${code(billState, 'split')}
      )
    )`
  const rows = await db.rows<{
    id: number
    place: number
    relationId?: number
    begin: Day
    end: Day
    freed: boolean
  }>(sql`
    select b.id, w.n::int as place, b.relation_id, b.begin_date as begin, b.end_date as end,
      b.state = ${code(billState, 'abolished')} or b.delete_tag = 1 as freed
    from unnest(
      ${places.map(p => codeOf(sourceType, p.bound.sourceType))}::smallint[],
      ${places.map(p => p.bound.sourceCode)}::text[], ${places.map(p => p.bound.itemId)}::bigint[],
      ${places.map(p => p.from)}::date[]
    ) with ordinality as w(source_type, source_code, fee_item_id, from_day, n)
    cross join lateral (
      select b.*
      from bill b
      where ${atPlace}
        and ${live('b')}
        and b.state in ${codes(billState, 'pending', 'normal', 'abolished', 'writtenOff')}
      union all
      select b.*
      from bill b
      where (select exists (select from bill b where ${inProject} and ${deleted}))
        and ${atPlace}
        and ${deleted}
      offset 0
    ) b
    order by b.id desc
  `)
  return Map.groupBy(rows, row => placeKey(defined(places[row.place - 1]).bound))
}

/**
 * The periods that abolished and deleted bills of one relation have left free. `all` is newest first: of
 * bills that cover the same days only the newest counts.
 */
function findFreedPeriods(stored: readonly StoredBill[], relation: number): Period[] {
  const out: Period[] = []
  for (const b of stored) {
    if (b.freed && b.relationId === relation && !out.some(o => overlaps(o, b))) {
      out.push({ begin: b.begin, end: b.end })
    }
  }
  return out.toSorted((a, b) => (a.begin < b.begin ? -1 : 1))
}

/**
 * Which bills relations get in a run, and why others get none (GEN-1 to GEN-6). A few reads however many
 * relations there are, no writes. `pending`: bills of the chunk before, which are being written and cannot be
 * read yet.
 */
export async function planRelations(
  db: Db,
  context: RunContext,
  bounds: readonly BillingRelation[],
  pending: RunPlan['billsByPlace'] = new Map(),
): Promise<RunPlan> {
  const plan: RunPlanDraft = {
    bills: [],
    skipped: [],
    advanced: [],
    incomplete: 0,
    billsByPlace: new Map<string, readonly ExistingBill[]>(),
  }
  if (!bounds.length) return plan
  const [existingByPlace, sources, readings] = await Promise.all([
    findExistingBills(db, context, bounds),
    loadSources(db, context.owner, context.project, bounds, context.scope.today, context.totals),
    context.readings(db, bounds),
  ])
  for (const bound of bounds) {
    const charged = context.standards.get(bound.standardId)
    if (!charged) continue
    const place = placeKey(bound)
    addRelation(plan, context, {
      bound,
      charged,
      place,
      located: sources.get(sourceKey(bound)),
      stored: existingByPlace.get(place) ?? [],
      pending: pending.get(place) ?? [],
      readings: readings.get(bound.relation.id) ?? [],
    })
  }
  return plan
}

interface RunPlanDraft extends RunPlan {
  readonly bills: PlannedBill[]
  readonly skipped: SkippedRelation[]
  readonly advanced: { id: number; to: Day }[]
  incomplete: number
  readonly billsByPlace: Map<string, readonly ExistingBill[]>
}

/** A relation with everything its plan depends on. */
interface RelationInput {
  readonly bound: BillingRelation
  readonly charged: ChargeableStandard
  readonly place: string
  readonly located: LocatedSource | undefined
  readonly stored: readonly StoredBill[]
  readonly pending: readonly ExistingBill[]
  readonly readings: readonly Reading[]
}

/** Plans one relation. Its bills count as existing for the following relations of the same place. */
function addRelation(plan: RunPlanDraft, context: RunContext, input: RelationInput): void {
  const { bound, charged, located, place, stored, readings } = input
  const { relation } = bound
  const skip = (reason: PlannedSkip): void => {
    plan.skipped.push({ bound, charged, skip: reason })
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
    plan.bills.push({ bound, charged, located, line, reading })
  }
  if (result.lines.length) {
    plan.billsByPlace.set(place, [
      ...plannedHere,
      ...result.lines.map(l => ({ begin: l.begin, end: l.end, relationId: relation.id })),
    ])
  }
  result.skips.forEach(skip)
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
  if (result.more) {
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
