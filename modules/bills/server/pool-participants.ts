import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { refuse } from '#kit/contract/wire.ts'
import { type Day } from '#kit/domain/day.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { lastDay } from '#kit/domain/month.ts'
import { periodOfMonth } from '#kit/domain/period.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { type SharePool } from '../contract/share-pool.ts'
import {
  findFactsOn,
  loadChargeableStandards,
  chargingEnd,
  chargingStart,
  findNextRelations,
  allocatePool,
  sourceKey,
  loadSources,
  type BillingRelation,
  type ChargeableStandard,
  type LocatedSource,
  type PoolParticipant,
  type Pool,
  type PoolAllocation,
} from '#modules/fees/server/public.ts'
import { loadRoomUsage } from '#modules/meters/server/public.ts'
import { effectiveStates } from './bill-states.ts'

export type BilledState = NonNullable<Pool['billed']> | 'none'

/** How much of the pools is billed, and whether any of it is paid. For a split bill, its halves count. */
export const findBilled = async (
  db: Db,
  ownerId: Id,
  ...ids: readonly Id[]
): Promise<{ readonly state: BilledState; readonly amount: Fen }> => {
  const bills = defined(
    await db.one<{ n: number; paid: number; amount: number }>(
      sql`
      select count(*)::int as n,
        count(*) filter (where paid_principal > 0 or late_fee_paid > 0)::int as paid,
        coalesce(sum(amount) * 100, 0)::bigint as amount
      from bill
      where owner_id = ${ownerId}
        and ref_type = 'pool'
        and ref_id = any(${ids}::bigint[])
        and state in ${effectiveStates}
        and ${notDeleted()}
    `,
    ),
  )
  return { state: bills.paid ? 'paid' : bills.n ? 'unpaid' : 'none', amount: asFen(bills.amount) }
}

export const toPool = (pool: SharePool, billed: BilledState): Pool => ({
  id: pool.id,
  month: pool.month,
  weight: pool.weightType,
  total: pool.totalAmount,
  usage: pool.totalUsage,
  price: pool.price,
  vacantIncluded: pool.vacantIncluded,
  dayWeight: pool.dayWeight,
  billed: billed === 'none' ? undefined : billed,
})

type RoomUsage = Awaited<ReturnType<typeof loadRoomUsage>>

/** The kinds of meters that count for a pool, by the category of its fee item. */
const meterKindsByCategory: Readonly<
  Partial<Record<ChargeableStandard['item']['category'], Parameters<typeof loadRoomUsage>[4]>>
> = {
  water: ['cold', 'hot', 'reclaimed'],
  power: ['power'],
  gas: ['gas'],
  heat: ['heat'],
}

/**
 * The weight of a participant (SHR-2). Its usage is the quantity of the relation, or what the room's meters
 * counted in the month.
 */
const weightOf: Readonly<
  Record<
    Pool['weight'],
    (b: BillingRelation, at: LocatedSource, day: Day, usage: RoomUsage) => string | undefined
  >
> = {
  area: (_, at, day) => {
    const f = findFactsOn(at.source, day)
    return f.chargeArea ?? f.buildArea
  },
  household: () => '1',
  usage: (b, _, __, usage) =>
    b.relation.quantity ?? (b.sourceType === 'room' ? usage.get(b.sourceCode) : undefined),
  people: (_, at, day) => {
    const n = findFactsOn(at.source, day).people
    return n === undefined ? undefined : String(n)
  },
  factor: b => b.relation.ratio,
  floor: (_, at, day) => {
    const n = findFactsOn(at.source, day).floor
    return n === undefined ? undefined : String(n)
  },
}

export interface PoolParticipants {
  readonly charged: ChargeableStandard
  readonly billingRelations: ReadonlyMap<Id, BillingRelation>
  readonly located: (b: BillingRelation) => LocatedSource
  readonly participants: readonly PoolParticipant[]
}

interface Participant {
  readonly billingRelation: BillingRelation
  readonly located: LocatedSource
  readonly share: PoolParticipant
}

/** Who takes part on the last day of the month by the shared standard, in the order of rooms (SHR-4). */
export async function findParticipants(
  db: Db,
  ownerId: Id,
  pool: SharePool,
  today: Day,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<PoolParticipants> {
  const charged =
    (await loadChargeableStandards(db, ownerId, { ids: [pool.standardId] })).get(pool.standardId) ??
    refuse('公摊标准已删除，请更换标准')
  const relations = await findNextRelations(db, ownerId, {
    project: pool.projectCode,
    standardIds: [pool.standardId],
    after: 0,
    limit: 1_000_000,
    lock,
    on: lastDay(pool.month),
  })
  const billingRelations = relations.filter(b => b.relation.state !== 'suspended')
  const sources = await loadSources(db, ownerId, pool.projectCode, billingRelations, today)
  const usage = await findPoolUsage(db, ownerId, pool, charged, billingRelations)
  const participants = billingRelations
    .flatMap(
      billingRelation =>
        toParticipant(pool, charged, billingRelation, sources.get(sourceKey(billingRelation)), usage) ?? [],
    )
    .toSorted(compareParticipants)
  return {
    charged,
    billingRelations: new Map(participants.map(p => [p.share.relationId, p.billingRelation])),
    located: b => defined(sources.get(sourceKey(b))),
    participants: participants.map(p => p.share),
  }
}

const findPoolUsage = async (
  db: Db,
  ownerId: Id,
  pool: SharePool,
  charged: ChargeableStandard,
  billingRelations: readonly BillingRelation[],
): Promise<RoomUsage> =>
  pool.weightType === 'usage'
    ? loadRoomUsage(
        db,
        ownerId,
        pool.projectCode,
        pool.month,
        meterKindsByCategory[charged.item.category] ?? [],
        billingRelations.filter(b => b.sourceType === 'room').map(b => b.sourceCode),
      )
    : new Map()

/** Undefined for disabled objects, and for relations that are not charged on the last day of the month. */
function toParticipant(
  pool: SharePool,
  { prepared: { standard } }: ChargeableStandard,
  billingRelation: BillingRelation,
  located: LocatedSource | undefined,
  usage: RoomUsage,
): Participant | undefined {
  if (!located?.source.enabled) return undefined
  const { relation } = billingRelation
  const day = lastDay(pool.month)
  const begin =
    chargingStart(standard.startRule, relation.begin, standard.versions[0]?.from, located.source.dates) ??
    chargingStart('fixedDate', relation.begin, undefined, {}) ??
    periodOfMonth(pool.month).begin
  const end = chargingEnd(relation.end, standard.end)
  if (begin > day || (end !== undefined && end < day)) return undefined
  return {
    billingRelation,
    located,
    share: {
      relationId: relation.id,
      weight: weightOf[pool.weightType](billingRelation, located, day, usage),
      vacant: located.vacant,
      range: { begin, end: end ?? day },
    },
  }
}

function compareParticipants(a: Participant, b: Participant): number {
  if (a.located.order !== b.located.order) return a.located.order < b.located.order ? -1 : 1
  return a.share.relationId - b.share.relationId
}

export const computeSharing = (
  pool: SharePool,
  billed: BilledState,
  group: PoolParticipants,
): PoolAllocation => {
  try {
    return allocatePool(toPool(pool, billed), group.participants)
  } catch (e) {
    if (e instanceof RangeError) return refuse(e.message)
    throw e
  }
}

export const skipLabels = { vacant: '空置房屋不参加分摊', weightMissing: '没有分摊权重，请补录' } as const

/** A pool covers the whole project: refuses a caller who sees only some of its buildings. */
export const requireWholeProject = (scope: Scope, pool: Pick<SharePool, 'projectCode'>): void => {
  if (!scope.domain.all && scope.domain.projects.get(pool.projectCode) !== null)
    refuse('公摊涉及整个项目，请由有整个项目数据权限的人员办理')
}
