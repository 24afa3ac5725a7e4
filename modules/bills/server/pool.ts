import { codeOf } from '#kit/contract/field.ts'
import { refuse, staleVersion, invalidInput } from '#kit/contract/wire.ts'
import { latest, type Day } from '#kit/domain/day.ts'
import { formatYuan } from '#kit/domain/money.ts'
import { lastDay } from '#kit/domain/month.ts'
import { periodOfMonth } from '#kit/domain/period.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, insert, requireById, findPage, remove, update, withAllFields } from '#kit/server/table.ts'
import { live, code } from '#kit/server/sql.ts'
import { poolState } from '#modules/fees/contract/choices.ts'
import { sharePool as poolEntity, type SharePool } from '#modules/fees/contract/relation.ts'
import {
  findFactsOn,
  loadChargeableStandards,
  chargingEnd,
  chargingStart,
  computeCorrection,
  dueDate,
  findNextRelations,
  findPayerAt,
  poolRefusal,
  computePoolTotal,
  explainAmount,
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
import {
  addPool,
  correctPool,
  deletePools,
  editPool,
  listPools,
  getPool,
  previewPool,
  runPool,
} from '../contract/pool.ts'
import { findPayerContacts, type BillDraft } from './issue.ts'
import { advanceBilledTo } from './bill-draft.ts'
import { issueBatch } from './issue-batch.ts'
import { effectiveStates } from './bill-states.ts'

uniqueMessages({ share_pool_once: '该标准这个月已有公摊，请直接修改那一条；已出账的请新建更正公摊' })
const maxPreviewRows = 5000

type BilledState = NonNullable<Pool['billed']> | 'none'

const findBilled = async (
  db: Db,
  owner: number,
  ...ids: readonly number[]
): Promise<{ readonly how: BilledState; readonly amount: number }> => {
  // Of a split bill its halves count: each is paid or abolished for itself.
  const r = (await db.one<{ n: number; paid: number; amount: number }>(
    sql`
      select count(*)::int as n,
        count(*) filter (where paid_principal > 0 or late_fee_paid > 0)::int as paid,
        coalesce(sum(amount) * 100, 0)::bigint as amount
      from bill
      where owner_id = ${owner}
        and ref_type = 'pool'
        and ref_id = any(${ids as number[]}::bigint[])
        and state in ${effectiveStates}
        and ${live()}
    `,
  ))!
  return { how: r.paid ? 'paid' : r.n ? 'unpaid' : 'none', amount: r.amount }
}

const toPool = (pool: SharePool, billed: BilledState): Pool => ({
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

/** Meters by which a room weighs, by what the item charges for. */
const meterKindsByCategory: Readonly<
  Partial<Record<ChargeableStandard['item']['category'], Parameters<typeof loadRoomUsage>[4]>>
> = {
  water: ['cold', 'hot', 'reclaimed'],
  power: ['power'],
  gas: ['gas'],
  heat: ['heat'],
}

/** What a room weighs (SHR-2). Its usage is what the relation says, or what its meters counted that month. */
const weightOf: Readonly<
  Record<
    Pool['weight'],
    (b: BillingRelation, at: LocatedSource, day: Day, used: RoomUsage) => string | undefined
  >
> = {
  area: (_, at, day) => {
    const f = findFactsOn(at.source, day)
    return f.chargeArea ?? f.buildArea
  },
  household: () => '1',
  usage: (b, _, __, used) =>
    b.relation.quantity ?? (b.sourceType === 'room' ? used.get(b.sourceCode) : undefined),
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

interface PoolParticipants {
  readonly charged: ChargeableStandard
  readonly bounds: ReadonlyMap<number, BillingRelation>
  readonly located: (b: BillingRelation) => LocatedSource
  readonly participants: readonly PoolParticipant[]
}

/** Who is there on the last day of the month by the share standard, in the order of rooms (SHR-4). */
async function findParticipants(
  db: Db,
  owner: number,
  pool: SharePool,
  today: Day,
  lock: boolean,
): Promise<PoolParticipants> {
  const charged =
    (await loadChargeableStandards(db, owner, { ids: [pool.standardId] })).get(pool.standardId) ??
    refuse('公摊标准已删除，请换一个标准')
  const day = lastDay(pool.month)
  const bounds = (
    await findNextRelations(db, owner, {
      project: pool.projectCode,
      standardIds: [pool.standardId],
      after: 0,
      limit: 1_000_000,
      lock,
      on: day,
    })
  ).filter(b => b.relation.state !== 'suspended')
  const sources = await loadSources(db, owner, pool.projectCode, bounds, today)
  const used: RoomUsage =
    pool.weightType === 'usage'
      ? await loadRoomUsage(
          db,
          owner,
          pool.projectCode,
          pool.month,
          meterKindsByCategory[charged.item.category] ?? [],
          bounds.filter(b => b.sourceType === 'room').map(b => b.sourceCode),
        )
      : new Map()
  const all: { bound: BillingRelation; at: LocatedSource; part: PoolParticipant }[] = []
  for (const bound of bounds) {
    const at = sources.get(sourceKey(bound))
    const { relation: r } = bound
    if (!at?.source.enabled) continue
    const { standard } = charged.prepared
    const begin =
      chargingStart(standard.startRule, r.begin, standard.versions[0]?.from, at.source.dates) ??
      chargingStart('given', r.begin, undefined, {}) ??
      periodOfMonth(pool.month).begin
    const end = chargingEnd(r.end, standard.end)
    if (begin > day || (end !== undefined && end < day)) continue
    all.push({
      bound,
      at,
      part: {
        relationId: r.id,
        weight: weightOf[pool.weightType](bound, at, day, used),
        vacant: at.vacant,
        range: { begin, end: end ?? day },
      },
    })
  }
  all.sort((a, b) =>
    a.at.order < b.at.order ? -1 : a.at.order > b.at.order ? 1 : a.part.relationId - b.part.relationId,
  )
  return {
    charged,
    bounds: new Map(all.map(a => [a.part.relationId, a.bound])),
    located: b => sources.get(sourceKey(b))!,
    participants: all.map(a => a.part),
  }
}

const computeSharing = (pool: SharePool, billed: BilledState, group: PoolParticipants): PoolAllocation => {
  try {
    return allocatePool(toPool(pool, billed), group.participants)
  } catch (e) {
    if (e instanceof RangeError) return refuse(e.message)
    throw e
  }
}

const skipLabels = { vacant: '空置房屋不参加分摊', weightMissing: '没有分摊权重，请补录' } as const

/** A share is of the whole estate: who sees some of its buildings cannot know who pays what. */
const requireWholeProject = (scope: Scope, pool: Pick<SharePool, 'projectCode'>): void => {
  if (!scope.domain.all && scope.domain.projects.get(pool.projectCode) !== null)
    refuse('公摊涉及整个项目，请由有整个项目数据权限的同事办理')
}

/** A pool speaks of one standard of its estate that shares costs, and of an amount. */
async function checkPoolDraft(
  tx: Tx,
  scope: Scope,
  draft: Pick<SharePool, 'projectCode' | 'standardId' | 'totalAmount' | 'totalUsage' | 'price'>,
): Promise<number> {
  const c = (
    await loadChargeableStandards(tx, scope.ownerId, { project: draft.projectCode, ids: [draft.standardId] })
  ).get(draft.standardId)
  if (!c || c.formula.formulaType !== 'share')
    throw invalidInput([{ Field: 'StandardID', Message: '请选择本项目公式类型为“公摊”的收费标准' }])
  if ((draft.totalUsage === undefined) !== (draft.price === undefined))
    throw invalidInput([
      { Field: draft.price === undefined ? 'Price' : 'TotalUsage', Message: '总量与单价要一起填写' },
    ])
  const computedTotal = computePoolTotal({ usage: draft.totalUsage, price: draft.price })
  if (draft.totalAmount !== undefined && computedTotal !== undefined && computedTotal !== draft.totalAmount)
    throw invalidInput([
      {
        Field: 'TotalAmount',
        Message: `总量 × 单价是 ${formatYuan(computedTotal)} 元，与总额不一致，请改成一样的，或清空总额`,
      },
    ])
  return c.item.id
}

export const poolHandlers = [
  reads(listPools, (q, { db, scope }) =>
    findPage(db, poolEntity, scope, q, { filters: listPools.input.filters!, sums: ['totalAmount'] }),
  ),
  reads(getPool, ({ id }, { db, scope }) => requireById(db, poolEntity, scope, id)),
  writes(addPool, async (draft, { tx, scope }) =>
    insert(tx, poolEntity, scope, {
      ...draft,
      feeItemId: await checkPoolDraft(tx, scope, draft),
      state: 'open',
    }),
  ),
  writes(editPool, async ({ id = 0, version, ...draft }, { tx, scope }) => {
    const before = await requireById(tx, poolEntity, scope, id, true)
    if (before.state !== 'open') return refuse('公摊已生成，不能修改；请先撤销那一批账单')
    await checkPoolDraft(tx, scope, {
      ...draft,
      projectCode: before.projectCode,
      standardId: before.standardId,
    })
    const { projectCode: _p, standardId: _s, month: _m, ...rest } = draft
    return update(
      tx,
      poolEntity,
      scope,
      id,
      {
        ...withAllFields(
          { fields: Object.fromEntries(['totalUsage', 'price', 'totalAmount', 'remark'].map(k => [k, 1])) },
          rest,
        ),
      },
      version === undefined ? {} : { version },
    )
  }),
  writes(deletePools, async ({ ids, reason }, { tx, scope }) => {
    const found = await findByIds(tx, poolEntity, scope, ids, true)
    const busy = found.find(pool => pool.state === 'shared')
    if (busy) return refuse(`公摊「${busy.name}」${busy.month} 已出账，请先撤销批次 ${busy.batchNo ?? ''}`)
    await remove(tx, poolEntity, scope, ids, reason)
  }),
  reads(previewPool, async ({ id }, { db, scope, today }) => {
    const pool = await requireById(db, poolEntity, scope, id)
    requireWholeProject(scope, pool)
    const { how: billedState } = await findBilled(db, scope.ownerId, id)
    const group = await findParticipants(db, scope.ownerId, pool, today, false)
    const total = computePoolTotal(toPool(pool, billedState)) ?? 0
    const no =
      poolRefusal(toPool(pool, billedState)) ??
      (group.participants.length ? undefined : '无可分摊房屋：请先把房屋关联到这个公摊标准')
    const empty = { total, count: 0, billed: billedState, rows: [], left: [], truncated: false }
    if (total <= 0 || !group.participants.length) return { ...empty, ...(no ? { refusal: no } : {}) }
    const s = computeSharing(pool, 'none', group)
    const some = s.shares.slice(0, maxPreviewRows)
    const payer = (b: BillingRelation) =>
      b.relation.payer ?? findPayerAt(group.located(b).source, lastDay(pool.month))
    const contacts = await findPayerContacts(
      db,
      scope.ownerId,
      some.map(x => payer(group.bounds.get(x.relationId)!)),
    )
    return {
      total,
      count: s.shares.length,
      billed: billedState,
      ...(no ? { refusal: no } : {}),
      truncated: s.shares.length > maxPreviewRows,
      rows: some.map(x => {
        const b = group.bounds.get(x.relationId)!
        const who = contacts.get(payer(b) ?? 0)?.name
        return {
          relationId: x.relationId,
          sourceType: b.sourceType,
          sourceCode: b.sourceCode,
          sourceName: group.located(b).name,
          ...(who ? { payerName: who } : {}),
          weight: x.snapshot.share!.weight,
          amount: x.amount,
          sentence: explainAmount(x.snapshot),
        }
      }),
      left: s.left.slice(0, maxPreviewRows).map(l => ({
        relationId: l.relationId,
        sourceName: group.located(group.bounds.get(l.relationId)!).name,
        reason: skipLabels[l.reason],
      })),
    }
  }),
  writes(runPool, async ({ id }, { tx, scope, today }) => {
    const p = await requireById(tx, poolEntity, scope, id)
    requireWholeProject(scope, p)
    // Relations before the pool, as whoever abolishes its bills takes them.
    const group = await findParticipants(tx, scope.ownerId, p, today, true)
    if ((await requireById(tx, poolEntity, scope, id, true)).version !== p.version) throw staleVersion()
    const { how: billedState } = await findBilled(tx, scope.ownerId, id)
    const s = computeSharing(p, billedState, group)
    const period = periodOfMonth(p.month)
    const { item, prepared } = group.charged
    const drafts = s.shares
      .filter(x => x.amount > 0)
      .map((x): Omit<BillDraft, 'billNo'> => {
        const b = group.bounds.get(x.relationId)!
        const at = group.located(b)
        return {
          sourceType: b.sourceType,
          sourceCode: b.sourceCode,
          sourceName: at.name,
          buildCode: at.buildCode,
          payer: b.relation.payer ?? findPayerAt(at.source, period.end),
          item,
          standardId: b.standardId,
          relationId: x.relationId,
          ...period,
          amount: x.amount,
          dueDate: dueDate(prepared.standard.due, today, period),
          quantity: x.snapshot.share!.weight,
          snapshot: x.snapshot,
          pool: p.id,
          runFree: p.correctsId !== undefined,
        }
      })
    const made = await issueBatch(
      tx,
      scope,
      { project: p.projectCode, source: 'shared' },
      'shared',
      drafts,
      today,
      { month: p.month, message: p.name },
    )
    await advanceBilledTo(
      tx,
      scope.ownerId,
      drafts.map(draft => ({
        id: draft.relationId!,
        to: latest(period.end, group.bounds.get(draft.relationId!)!.relation.billedTo ?? period.end),
      })),
    )
    await update(tx, poolEntity, scope, id, { state: 'shared', batchNo: made.batchNo, totalAmount: s.total })
    return { batchNo: made.batchNo, count: made.count, amount: made.amount, left: s.left.length }
  }),
  writes(correctPool, async ({ id: requestedId, right: correctTotal, remark }, { tx, scope }) => {
    // What a correction corrects is the first pool: all of them together are what the month has been billed.
    const named = await requireById(tx, poolEntity, scope, requestedId)
    const id = named.correctsId ?? requestedId
    const p = await requireById(tx, poolEntity, scope, id, true)
    const { how: billedState } = await findBilled(tx, scope.ownerId, id)
    if (billedState === 'none') return refuse('这个公摊还没有出账，直接修改总额即可')
    if (billedState === 'unpaid') return refuse('公摊账单都还没有缴费：请撤销那一批，改正后重新分摊')
    const corrections = await tx.rows<{ id: number; state: number }>(
      sql`
        select id, state
        from share_pool
        where owner_id = ${scope.ownerId} and corrects_id = ${id} and ${live()} and state <> ${code(poolState, 'abolished')}
        order by id
      `,
    )
    if (corrections.some(x => x.state === codeOf(poolState, 'open')))
      return refuse(`「${p.name}」${p.month} 已有一个待分摊的更正公摊，请直接修改它的总额，或先分摊`)
    const { amount: billed } = await findBilled(tx, scope.ownerId, id, ...corrections.map(x => x.id))
    const difference = computeCorrection(billed, correctTotal)
    if (difference <= 0)
      return refuse(
        difference === 0
          ? '正确的总额与已出账的相同，不需要更正'
          : `连同以前的更正已出账 ${formatYuan(billed)} 元，多于正确的总额，请对多收的账单减免，或退款、转预存`,
      )
    return insert(tx, poolEntity, scope, {
      projectCode: p.projectCode,
      name: `${p.name}（更正）`.slice(0, 60),
      standardId: p.standardId,
      feeItemId: p.feeItemId,
      month: p.month,
      weightType: p.weightType,
      totalAmount: difference,
      vacantIncluded: p.vacantIncluded,
      dayWeight: p.dayWeight,
      correctsId: id,
      remark,
      state: 'open',
    })
  }),
]
