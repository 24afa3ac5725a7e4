import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { refuse, staleVersion, invalidInput } from '#kit/contract/wire.ts'
import { latest, type Day } from '#kit/domain/day.ts'
import { displayYuan } from '#kit/domain/money.ts'
import { lastDay } from '#kit/domain/month.ts'
import { periodOfMonth } from '#kit/domain/period.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, uniqueMessages, writes, type ReadContext, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, insert, requireById, findPage, remove, update, withAllFields } from '#kit/server/table.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import {
  advanceBilledTo,
  loadChargeableStandards,
  computeCorrection,
  dueDate,
  findPayerAt,
  poolRefusal,
  computePoolTotal,
  explainAmount,
  type BillingRelation,
} from '#modules/fees/server/public.ts'
import { poolState } from '../contract/choices.ts'
import { sharePool as poolEntity, type SharePool } from '../contract/share-pool.ts'
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
import { issueBatch } from './issue-batch.ts'
import {
  computeSharing,
  findBilled,
  findParticipants,
  requireWholeProject,
  skipLabels,
  toPool,
} from './pool-participants.ts'

uniqueMessages({ share_pool_once: '该标准当月已有公摊，请直接修改该条；已出账的请新建更正公摊' })
const maxPreviewRows = 5000

/** Checks the standard and the amount of a pool. Returns the id of its fee item. */
async function checkPoolDraft(
  tx: Tx,
  scope: Scope,
  draft: Pick<SharePool, 'projectCode' | 'standardId' | 'totalAmount' | 'totalUsage' | 'price'>,
): Promise<Id> {
  const charged = (
    await loadChargeableStandards(tx, scope.ownerId, { project: draft.projectCode, ids: [draft.standardId] })
  ).get(draft.standardId)
  if (!charged || charged.formula.formulaType !== 'share')
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
        Message: `总量 × 单价是 ${displayYuan(computedTotal)} 元，与总额不一致，请改成一样的，或清空总额`,
      },
    ])
  return charged.item.id
}

type PoolPreview = NonNullable<typeof previewPool.output.T>

export const poolHandlers = [
  reads(listPools, (q, { db, scope }) =>
    findPage(db, poolEntity, scope, q, { filters: defined(listPools.input.filters), sums: ['totalAmount'] }),
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
    const before = await requireById(tx, poolEntity, scope, id, { lock: true })
    if (before.state !== 'open') return refuse('公摊已生成，不能修改；请先撤销该批次账单')
    await checkPoolDraft(tx, scope, {
      ...draft,
      projectCode: before.projectCode,
      standardId: before.standardId,
    })
    const { projectCode: _projectCode, standardId: _standardId, month: _month, ...rest } = draft
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
    const found = await findByIds(tx, poolEntity, scope, ids, { lock: true })
    const busy = found.find(pool => pool.state === 'shared')
    if (busy) return refuse(`公摊「${busy.name}」${busy.month} 已出账，请先撤销批次 ${busy.batchNo ?? ''}`)
    await remove(tx, poolEntity, scope, ids, reason)
  }),
  reads(previewPool, ({ id }, context) => previewShares(id, context)),
  writes(runPool, ({ id }, context) => sharePool(id, context)),
  writes(correctPool, (input, context) => addCorrection(input, context)),
]

/** Who would pay what of a pool, and why it cannot be billed. */
async function previewShares(id: Id, { db, scope, today }: ReadContext): Promise<PoolPreview> {
  const pool = await requireById(db, poolEntity, scope, id)
  requireWholeProject(scope, pool)
  const { state: billedState } = await findBilled(db, scope.ownerId, id)
  const group = await findParticipants(db, scope.ownerId, pool, today)
  const total = computePoolTotal(toPool(pool, billedState)) ?? 0
  const refusal =
    poolRefusal(toPool(pool, billedState)) ??
    (group.participants.length ? undefined : '无可分摊房屋：请先把房屋关联到该公摊标准')
  const empty = { total, count: 0, billed: billedState, rows: [], excluded: [], truncated: false }
  if (total <= 0 || !group.participants.length) return { ...empty, ...(refusal ? { refusal } : {}) }
  const sharing = computeSharing(pool, 'none', group)
  const shown = sharing.shares.slice(0, maxPreviewRows)
  const payerOf = (b: BillingRelation) =>
    b.relation.payer ?? findPayerAt(group.located(b).source, lastDay(pool.month))
  const contacts = await findPayerContacts(
    db,
    scope.ownerId,
    shown.map(x => payerOf(defined(group.billingRelations.get(x.relationId)))),
  )
  return {
    total,
    count: sharing.shares.length,
    billed: billedState,
    ...(refusal ? { refusal } : {}),
    truncated: sharing.shares.length > maxPreviewRows,
    rows: shown.map(share => {
      const billingRelation = defined(group.billingRelations.get(share.relationId))
      const payerName = contacts.get(payerOf(billingRelation) ?? 0)?.name
      return {
        relationId: share.relationId,
        sourceType: billingRelation.sourceType,
        sourceCode: billingRelation.sourceCode,
        sourceName: group.located(billingRelation).name,
        ...(payerName ? { payerName } : {}),
        weight: defined(share.snapshot.share).weight,
        amount: share.amount,
        sentence: explainAmount(share.snapshot),
      }
    }),
    excluded: sharing.excluded.slice(0, maxPreviewRows).map(l => ({
      relationId: l.relationId,
      sourceName: group.located(defined(group.billingRelations.get(l.relationId))).name,
      reason: skipLabels[l.reason],
    })),
  }
}

/** A bill for each share that is not zero. */
function draftShares(
  pool: SharePool,
  group: Awaited<ReturnType<typeof findParticipants>>,
  shares: ReturnType<typeof computeSharing>['shares'],
  today: Day,
): Omit<BillDraft, 'billNo'>[] {
  const period = periodOfMonth(pool.month)
  const { item, prepared } = group.charged
  return shares
    .filter(share => share.amount > 0)
    .map(share => {
      const billingRelation = defined(group.billingRelations.get(share.relationId))
      const located = group.located(billingRelation)
      return {
        sourceType: billingRelation.sourceType,
        sourceCode: billingRelation.sourceCode,
        sourceName: located.name,
        buildCode: located.buildCode,
        payer: billingRelation.relation.payer ?? findPayerAt(located.source, period.end),
        item,
        standardId: billingRelation.standardId,
        relationId: share.relationId,
        ...period,
        amount: share.amount,
        dueDate: dueDate(prepared.standard.due, today, period),
        quantity: defined(share.snapshot.share).weight,
        snapshot: share.snapshot,
        pool: pool.id,
        canOverlap: pool.correctsId !== undefined,
      }
    })
}

/** Bills a pool as one batch (SHR-4). */
async function sharePool(id: Id, { tx, scope, today }: WriteContext) {
  const pool = await requireById(tx, poolEntity, scope, id)
  requireWholeProject(scope, pool)
  // The lock order of abolishing its bills: relations, then the pool.
  const group = await findParticipants(tx, scope.ownerId, pool, today, { lock: true })
  const locked = await requireById(tx, poolEntity, scope, id, { lock: true })
  if (locked.version !== pool.version) throw staleVersion()
  const { state: billedState } = await findBilled(tx, scope.ownerId, id)
  const sharing = computeSharing(pool, billedState, group)
  const period = periodOfMonth(pool.month)
  const drafts = draftShares(pool, group, sharing.shares, today)
  const batch = await issueBatch(
    tx,
    scope,
    { project: pool.projectCode, source: 'shared' },
    'shared',
    drafts,
    today,
    { month: pool.month, message: pool.name },
  )
  const billedToOf = (relation: Id) => defined(group.billingRelations.get(relation)).relation.billedTo
  await advanceBilledTo(
    tx,
    scope.ownerId,
    drafts.map(draft => ({
      id: defined(draft.relationId),
      to: latest(period.end, billedToOf(defined(draft.relationId)) ?? period.end),
    })),
  )
  await update(tx, poolEntity, scope, id, {
    state: 'shared',
    batchNo: batch.batchNo,
    totalAmount: sharing.total,
  })
  return {
    batchNo: batch.batchNo,
    count: batch.count,
    amount: batch.amount,
    excludedCount: sharing.excluded.length,
  }
}

/**
 * Adds a pool for the difference to the correct total, when bills of the first one are paid already (SHR-5).
 */
async function addCorrection(
  { id: requestedId, right: correctTotal, remark }: NonNullable<typeof correctPool.input.T>,
  { tx, scope }: WriteContext,
): Promise<SharePool> {
  // Corrections always refer to the first pool: all of them together are what the month has been billed.
  const named = await requireById(tx, poolEntity, scope, requestedId)
  const id = named.correctsId ?? requestedId
  const pool = await requireById(tx, poolEntity, scope, id, { lock: true })
  const { state: billedState } = await findBilled(tx, scope.ownerId, id)
  if (billedState === 'none') return refuse('该公摊尚未出账，直接修改总额即可')
  if (billedState === 'unpaid') return refuse('公摊账单均未缴费：请撤销该批次，改正后重新分摊')
  const corrections = await tx.rows<{ id: Id; state: number }>(
    sql`
      select id, state
      from share_pool
      where owner_id = ${scope.ownerId}
        and corrects_id = ${id}
        and ${notDeleted()}
        and state <> ${code(poolState, 'abolished')}
      order by id
    `,
  )
  if (corrections.some(x => x.state === codeOf(poolState, 'open')))
    return refuse(`「${pool.name}」${pool.month} 已有一个待分摊的更正公摊，请直接修改它的总额，或先分摊`)
  const { amount: billed } = await findBilled(tx, scope.ownerId, id, ...corrections.map(x => x.id))
  const difference = computeCorrection(billed, correctTotal)
  if (difference <= 0)
    return refuse(
      difference === 0
        ? '正确的总额与已出账的相同，不需要更正'
        : `连同以前的更正已出账 ${displayYuan(billed)} 元，多于正确的总额，请对多收的账单减免，或退款、转预存`,
    )
  return insert(tx, poolEntity, scope, {
    projectCode: pool.projectCode,
    name: `${pool.name}（更正）`.slice(0, 60),
    standardId: pool.standardId,
    feeItemId: pool.feeItemId,
    month: pool.month,
    weightType: pool.weightType,
    totalAmount: difference,
    vacantIncluded: pool.vacantIncluded,
    dayWeight: pool.dayWeight,
    correctsId: id,
    remark,
    state: 'open',
  })
}
