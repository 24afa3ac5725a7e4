import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { firstDay } from '#kit/domain/month.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { notDeleted, code, codes } from '#kit/server/sql.ts'
import { periodAfter, sourceType } from '#modules/fees/contract/choices.ts'
import {
  resolveFreedPeriods,
  sourceKey,
  type BillingRelation,
  type ExistingBill,
  type FreedPeriod,
  type PlanScope,
} from '#modules/fees/server/public.ts'
import { billState } from '../contract/choices.ts'

interface ExistingBillsContext {
  readonly ownerId: Id
  readonly project: string
  readonly scope: PlanScope
}

export const placeKey = (b: BillingRelation): string => `${sourceKey(b)}\n${b.itemId}`

export interface StoredBill extends ExistingBill {
  readonly id: Id
  readonly freed: boolean
  readonly after?: number
}

interface Place {
  /** A relation of this object and item. */
  readonly billingRelation: BillingRelation
  /** The first day on which a bill of the run could begin. */
  readonly from: Day
}

/** The places of relations, each with the earliest day from which it may be billed. */
function findPlaces(scope: PlanScope, billingRelations: readonly BillingRelation[]): Place[] {
  const monthBegin = scope.kind === 'month' ? firstDay(scope.month) : undefined
  const places = new Map<string, Place>()
  for (const billingRelation of billingRelations) {
    const billedTo = billingRelation.relation.billedTo ?? '0001-01-01'
    const from = monthBegin !== undefined && monthBegin < billedTo ? monthBegin : billedTo
    const key = placeKey(billingRelation)
    const place = places.get(key)
    if (!place || from < place.from) {
      places.set(key, { billingRelation, from })
    }
  }
  return [...places.values()]
}

/** Conditions of bill `b` of place `w`. */
function billConditions(context: ExistingBillsContext) {
  const inProject = sql`b.owner_id = ${context.ownerId} and b.project_code = ${context.project}`
  const atPlace = sql`${inProject}
    and b.source_type = w.source_type
    and b.source_code = w.source_code
    and b.fee_item_id = w.fee_item_id
    and b.end_date >= least(
      w.from_day,
      (
        select min(f.begin_date)
        from bill f
        where f.owner_id = ${context.ownerId}
          and f.project_code = ${context.project}
          and f.source_type = w.source_type
          and f.source_code = w.source_code
          and f.fee_item_id = w.fee_item_id
          and (f.state = ${code(billState, 'abolished')} or f.delete_tag = 1)
          and f.relation_id is not null
      )
    )`
  // Halves of a split that was merged back are deleted, but their days belong to the whole bill again.
  const deleted = sql`b.delete_tag = 1
    and b.relation_id is not null
    and (
      b.parent_id is null
      or exists (
        select
        from bill p
        where p.owner_id = ${context.ownerId} and p.id = b.parent_id and p.state = ${code(billState, 'split')}
      )
    )`
  return { atPlace, inProject, deleted }
}

/**
 * By place: effective bills that could overlap a planned one, and abolished or deleted ones of which the
 * period is free again (GEN-2, GEN-3). Needs bill_source, bill_freed for where free periods begin, and
 * bill_gone, which is read only where the estate has ever had a deleted bill. Read it after the relations are
 * locked, so that it sees what another run has written. `offset 0` keeps the lookup per place: a plan that
 * was made while there were few bills would otherwise compare every place with every bill when there are
 * many.
 */
export async function findExistingBills(
  db: Db,
  context: ExistingBillsContext,
  billingRelations: readonly BillingRelation[],
): Promise<ReadonlyMap<string, StoredBill[]>> {
  const places = findPlaces(context.scope, billingRelations)
  const { atPlace, inProject, deleted } = billConditions(context)
  const rows = await db.rows<{
    id: Id
    place: number
    relationId?: Id
    begin: Day
    end: Day
    freed: boolean
    after?: number
  }>(sql`
    select b.id, w.n::int as place, b.relation_id, b.begin_date as begin, b.end_date as end,
      b.state = ${code(billState, 'abolished')} or b.delete_tag = 1 as freed,
      b.period_after as after
    from unnest(
      ${places.map(p => codeOf(sourceType, p.billingRelation.sourceType))}::smallint[],
      ${places.map(p => p.billingRelation.sourceCode)}::text[], ${places.map(p => p.billingRelation.itemId)}::bigint[],
      ${places.map(p => p.from)}::date[]
    ) with ordinality as w(source_type, source_code, fee_item_id, from_day, n)
    cross join lateral (
      select b.*
      from bill b
      where ${atPlace}
        and ${notDeleted('b')}
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
  return Map.groupBy(rows, row => placeKey(defined(places[row.place - 1]).billingRelation))
}

/**
 * The periods that abolished and deleted bills of one relation have left free. `all` is newest first: of
 * bills that cover the same days only the newest counts.
 */
export const findFreedPeriods = (stored: readonly StoredBill[], relation: Id): FreedPeriod[] =>
  resolveFreedPeriods(
    stored
      .filter(b => b.freed && b.relationId === relation)
      .map(({ begin, end, id, after }) => ({
        begin,
        end,
        billId: id,
        after: after === undefined ? undefined : keyOf(periodAfter, after),
      })),
  )
