import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { keyOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Period } from '#kit/domain/period.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { payerSide, relationState, sourceType } from '../contract/choices.ts'
import type { Relation } from '../domain/standard.ts'
import { toPayer, type SourceType } from './sources.ts'

/** A relation as billing reads it. */
export interface BillingRelation {
  readonly relation: Relation
  readonly standardId: Id
  readonly itemId: Id
  readonly sourceType: SourceType
  readonly sourceCode: string
  readonly sourceName: string
  readonly buildCode?: string | undefined
  readonly meterId?: Id | undefined
}

interface RelationRow {
  id: Id
  standardId: Id
  feeItemId: Id
  sourceType: number
  sourceCode: string
  sourceName: string
  buildCode?: string
  meterId?: Id
  state: number
  beginDate?: Day
  endDate?: Day
  billedTo?: Day
  floor?: Day
  priceOverride?: string
  ratioOverride?: string
  quantity?: string
  free?: readonly Period[]
  payerKind?: number
  payerId?: Id
}

export interface BillingRelationQuery {
  readonly project: string
  readonly standardIds: readonly Id[]
  readonly after: number
  readonly limit: number
  /** By standard: a relation billed to this day or further has nothing to come. Metered ones have none. */
  readonly due?: readonly (readonly [standardId: Id, before: Day | undefined])[] | undefined
  readonly where?: readonly RawBuilder<unknown>[]
  /** Also those that have ended, but not before this day. */
  readonly on?: Day | undefined
  /** Also those of which this holds, with alias `t`: to bill periods in the middle (GEN-3). */
  readonly withGap?: RawBuilder<unknown> | undefined
  /** Locks the relations until the transaction ends, so that nobody else bills them. */
  readonly lock?: boolean
}

const relationColumns = sql.raw(`
  t.id, t.standard_id, t.fee_item_id, t.source_type, t.source_code, t.source_name, t.build_code,
  t.meter_id, t.state, t.begin_date, t.end_date, t.billed_to, t.run_floor as floor,
  trim_scale(t.price_override)::text as price_override,
  trim_scale(t.ratio_override)::text as ratio_override,
  trim_scale(t.quantity)::text as quantity,
  t.free, t.payer_kind, t.payer_id
`)

/**
 * Leaves out ended relations, unless their last days are unbilled again (GEN-3) or they were still charged on
 * the given day.
 */
const liveCondition = ({ on, withGap }: Pick<BillingRelationQuery, 'on' | 'withGap'>): RawBuilder<unknown> =>
  sql`${notDeleted('t')}
    and (
      t.state <> ${code(relationState, 'ended')}
      or coalesce(
        t.billed_to < t.end_date, t.end_date is not null
      ) ${on === undefined ? sql`` : sql`or t.end_date >= ${on}`} ${withGap ? sql`or ${withGap}` : sql``}
    )`

const toBillingRelation = (relationRow: RelationRow): BillingRelation => ({
  standardId: relationRow.standardId,
  itemId: relationRow.feeItemId,
  sourceType: defined(keyOf(sourceType, relationRow.sourceType)),
  sourceCode: relationRow.sourceCode,
  sourceName: relationRow.sourceName,
  buildCode: relationRow.buildCode,
  meterId: relationRow.meterId,
  relation: {
    id: relationRow.id,
    state: defined(keyOf(relationState, relationRow.state)),
    begin: relationRow.beginDate,
    end: relationRow.endDate,
    billedTo: relationRow.billedTo,
    floor: relationRow.floor,
    price: relationRow.priceOverride,
    ratio: relationRow.ratioOverride,
    quantity: relationRow.quantity,
    free: relationRow.free,
    payer: toPayer(
      relationRow.payerKind === undefined ? undefined : keyOf(payerSide, relationRow.payerKind),
      relationRow.payerId,
    ),
  },
})

const buildQueryConditions = (
  ownerId: Id,
  query: Omit<BillingRelationQuery, 'limit'>,
): RawBuilder<unknown> => {
  const due =
    query.due &&
    sql`join unnest(
      ${query.due.map(d => d[0])}::bigint[], ${query.due.map(d => d[1] ?? null)}::date[]
    ) as d(standard_id, before) on d.standard_id = t.standard_id
      and (
        d.before is null
        or t.billed_to is null
        or t.billed_to < d.before ${query.withGap ? sql`or ${query.withGap}` : sql``}
      )`
  return sql`from fee_relation t ${due ?? sql``} where ${sql.join(
    [
      sql`t.owner_id = ${ownerId}
    and t.project_code = ${query.project}
    and ${liveCondition(query)}
    and t.id > ${query.after}
    and t.standard_id = any(${[...query.standardIds]}::bigint[])`,
      ...(query.where ?? []),
    ],
    sql` and `,
  )}`
}

/** The next page of relations, by id. Needs fee_relation_project. */
export const findNextRelations = async (
  db: Db,
  ownerId: Id,
  query: BillingRelationQuery,
): Promise<BillingRelation[]> =>
  (
    await db.rows<RelationRow>(
      sql`
        select ${relationColumns} ${buildQueryConditions(ownerId, query)}
        order by t.id
        limit ${query.limit} ${query.lock ? sql`for no key update of t` : sql``}
      `,
    )
  ).map(toBillingRelation)

export const countRelations = async (
  db: Db,
  ownerId: Id,
  query: Omit<BillingRelationQuery, 'limit' | 'lock'>,
): Promise<number> =>
  defined(await db.one<{ n: number }>(sql`select count(*)::int as n ${buildQueryConditions(ownerId, query)}`))
    .n

/** Relations by id, locked where `lock`. */
export const findRelationsByIds = async (
  db: Db,
  ownerId: Id,
  ids: readonly Id[],
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<BillingRelation[]> =>
  (
    await db.rows<RelationRow>(
      sql`
        select ${relationColumns}
        from fee_relation t
        where t.owner_id = ${ownerId} and t.id = any(${[...ids]}::bigint[]) and ${notDeleted('t')}
        order by t.id ${lock ? sql`for no key update of t` : sql``}
      `,
    )
  ).map(toBillingRelation)
