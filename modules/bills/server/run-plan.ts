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

/** What a run knows before it looks at relations. */
export interface RunContext {
  readonly owner: number
  readonly project: string
  readonly scope: PlanScope
  readonly standards: ReadonlyMap<number, ChargeableStandard>
  readonly totals: Awaited<ReturnType<typeof loadRoomTotals>> | undefined
  readonly excluded: ReadonlySet<number>
  /** Readings that wait for their bills, by relation (MTR-9). */
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
  readonly drawn: readonly PlannedBill[]
  readonly left: readonly SkippedRelation[]
  readonly moved: readonly { readonly id: number; readonly to: Day }[]
  readonly more: number
  /** What this plan bills, by place. */ readonly here: ReadonlyMap<string, readonly ExistingBill[]>
}

const placeKey = (b: BillingRelation): string => `${sourceKey(b)}\n${b.itemId}`

interface StoredBill extends ExistingBill {
  readonly id: number
  readonly freed: boolean
}

/**
 * Live bills of the objects and items that could stand in the way, and abolished or deleted ones whose period
 * is free again (GEN-2, GEN-3), by place. Needs bill_source and bill_gone, which is only looked into where a
 * bill of the estate was ever deleted. Read after the relations are held: what another run has written
 * meanwhile is seen. `offset 0` keeps the look-up by place: a plan made while there were few bills would
 * otherwise go on comparing every place with every bill when there are many.
 */
async function findExistingBills(
  db: Db,
  r: RunContext,
  bounds: readonly BillingRelation[],
): Promise<ReadonlyMap<string, StoredBill[]>> {
  const from = r.scope.kind === 'month' ? firstDay(r.scope.month) : undefined
  const places = new Map<string, { b: BillingRelation; from: Day }>()
  for (const b of bounds) {
    const to = b.relation.billedTo ?? '0001-01-01'
    const day = from !== undefined && from < to ? from : to
    const key = placeKey(b)
    const known = places.get(key)
    if (!known || day < known.from) {
      places.set(key, { b, from: day })
    }
  }
  const all = [...places.values()]
  const mine = sql`b.owner_id = ${r.owner} and b.project_code = ${r.project}`
  const here = sql`${mine}
    and b.source_type = w.source_type
    and b.source_code = w.source_code
    and b.fee_item_id = w.fee_item_id
    and b.end_date >= w.from_day`
  // Halves that were put together again went with their split: the whole speaks for their days.
  const deleted = sql`b.delete_tag = 1
    and b.relation_id is not null
    and (
      b.parent_id is null
      or exists (select from bill p where p.owner_id = ${r.owner} and p.id = b.parent_id and p.state = ${code(billState, 'split')})
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
      ${all.map(p => codeOf(sourceType, p.b.sourceType))}::smallint[],
      ${all.map(p => p.b.sourceCode)}::text[], ${all.map(p => p.b.itemId)}::bigint[],
      ${all.map(p => p.from)}::date[]
    ) with ordinality as w(source_type, source_code, fee_item_id, from_day, n)
    cross join lateral (
      select b.*
      from bill b
      where ${here} and ${live('b')} and b.state in ${codes(billState, 'pending', 'normal', 'abolished', 'writtenOff')}
      union all
      select b.*
      from bill b
      where (select exists (select from bill b where ${mine} and ${deleted})) and ${here} and ${deleted}
      offset 0
    ) b
    order by b.id desc
  `)
  return Map.groupBy(rows, x => placeKey(all[x.place - 1]!.b))
}

/**
 * Of abolished and deleted bills of one relation those that no later one covers too: a period is freed once.
 */
function findFreedPeriods(all: readonly StoredBill[], relation: number): Period[] {
  const out: Period[] = []
  for (const b of all) {
    if (b.freed && b.relationId === relation && !out.some(o => overlaps(o, b))) {
      out.push({ begin: b.begin, end: b.end })
    }
  }
  return out.sort((a, b) => (a.begin < b.begin ? -1 : 1))
}

/**
 * What relations are billed in a run and why not: reads a few times however many they are, writes nothing.
 * `before`: what is being written right now and cannot be read yet.
 */
export async function planRelations(
  db: Db,
  r: RunContext,
  bounds: readonly BillingRelation[],
  before: RunPlan['here'] = new Map(),
): Promise<RunPlan> {
  const drawn: PlannedBill[] = []
  const left: SkippedRelation[] = []
  const moved: { id: number; to: Day }[] = []
  // What this very plan bills counts for the relations of the same place that follow.
  const here = new Map<string, readonly ExistingBill[]>()
  let more = 0
  if (!bounds.length) return { drawn, left, moved, more, here }
  const [there, sources, readings] = await Promise.all([
    findExistingBills(db, r, bounds),
    loadSources(db, r.owner, r.project, bounds, r.scope.today, r.totals),
    r.readings(db, bounds),
  ])
  for (const bound of bounds) {
    const charged = r.standards.get(bound.standardId)
    const located = sources.get(sourceKey(bound))
    const { relation } = bound
    if (!charged) continue
    const say = (skip: PlannedSkip): void => {
      left.push({ bound, charged, skip })
    }
    if (!located) {
      say({ relationId: relation.id, reason: 'sourceDisabled', detail: '收费对象已删除或暂不支持按周期收费' })
      continue
    }
    const place = placeKey(bound)
    const known = there.get(place) ?? []
    const live: ExistingBill[] = [
      ...known.filter(b => !b.freed),
      ...(before.get(place) ?? []),
      ...(here.get(place) ?? []),
    ]
    const waiting = readings.get(relation.id) ?? []
    const p = planRelation(
      charged.prepared,
      { ...relation, freed: findFreedPeriods(known, relation.id), excluded: r.excluded.has(relation.id) },
      located.source,
      live,
      r.scope,
      waiting,
    )
    for (const line of p.lines) {
      drawn.push({
        bound,
        charged,
        located,
        line,
        reading: line.readingId === undefined ? undefined : waiting.find(x => x.id === line.readingId),
      })
    }
    if (p.lines.length) {
      here.set(place, [
        ...(here.get(place) ?? []),
        ...p.lines.map(l => ({ begin: l.begin, end: l.end, relationId: relation.id })),
      ])
    }
    p.skips.forEach(say)
    if (!p.lines.length && !p.skips.length && r.scope.kind === 'month') {
      const month = periodOfMonth(r.scope.month)
      const mine = live.find(b => b.relationId === relation.id && overlaps(b, month))
      if (mine) {
        say({ relationId: relation.id, reason: 'periodExists', period: { begin: mine.begin, end: mine.end } })
      }
    }
    if (p.billedTo !== undefined && p.billedTo !== relation.billedTo) {
      moved.push({ id: relation.id, to: p.billedTo })
    }
    if (p.more) {
      more++
    }
  }
  return { drawn, left, moved, more, here }
}

/**
 * From which BilledTo on nothing of a standard can be due by a day: one that is billed that far is not looked
 * at (GEN-1).
 */
export function latestUndueDay(c: ChargeableStandard, today: Day): Day | undefined {
  if (c.prepared.metered) return undefined
  const { mode, advanceDays, delayDays } = c.prepared.standard.timing
  return mode === 'ahead' ? addDays(today, advanceDays) : addDays(today, -1 - delayDays)
}
