import { defined } from '#kit/domain/defined.ts'
import { invalidField } from '#kit/contract/wire.ts'
import type { BulkResult } from '#kit/contract/bulk-result.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireByIds } from '#kit/server/table.ts'
import { touch, code } from '#kit/server/sql.ts'
import { deleteRelations, endRelations, resumeRelations, stopRelations } from '../contract/relation-calls.ts'
import { feeRelation, type FeeRelation } from '../contract/relation.ts'
import { resumeBilledTo } from '../domain/charging.ts'
import { findBilledRelations, publishRelationEnd } from './billing-hooks.ts'
import { relationState } from '../contract/choices.ts'

async function lockRelations(tx: Tx, scope: Scope, ids: readonly string[]): Promise<FeeRelation[]> {
  const found = await requireByIds(tx, feeRelation, scope, ids, { lock: true })
  return found
}

/** Separates the relations that can be changed from those that cannot, with the reason (G-11). */
function partitionByReason(
  found: readonly FeeRelation[],
  findRefusal: (r: FeeRelation) => string | undefined,
): { readonly fit: readonly FeeRelation[]; readonly result: BulkResult } {
  const skipped = found.flatMap(row => {
    const reason = findRefusal(row)
    return reason === undefined
      ? []
      : [{ id: row.id, code: row.sourceName, reason: `${row.sourceName} ${row.standardName}：${reason}` }]
  })
  const skippedIds = new Set(skipped.map(s => s.id))
  const fit = found.filter(r => !skippedIds.has(r.id))
  return { fit, result: { success: fit.length, fail: 0, skipped: skipped.length, rows: skipped } }
}

async function updateRelations(
  tx: Tx,
  scope: Scope,
  fit: readonly FeeRelation[],
  set: RawBuilder<unknown>,
  afterOf: (r: FeeRelation) => object,
  action: 'state' | 'delete' | 'update',
  reason?: string,
  joined = sql``,
): Promise<void> {
  if (!fit.length) return
  await tx.execute(
    sql`
      update fee_relation t
      set ${touch(scope, 't')}, ${set}
      where t.owner_id = ${scope.ownerId} and t.id = any(${fit.map(r => r.id)}) ${joined}
    `,
  )
  await audit(
    tx,
    scope,
    fit.map(row => ({
      action,
      entity: 'feeRelation',
      entityId: row.id,
      projectCode: row.projectCode,
      before: action === 'delete' ? row : { state: row.state, endDate: row.endDate, billedTo: row.billedTo },
      ...(action === 'delete' ? {} : { after: afterOf(row) }),
      reason,
    })),
  )
}

/**
 * The free ranges of a relation that goes on from a day, with the days between as another one (CYC-7, CYC-8).
 */
const addFreeRange = (relation: FeeRelation, to: Day | undefined): FeeRelation['free'] => {
  const from = relation.billedTo === undefined ? relation.beginDate : addDays(relation.billedTo, 1)
  return to === undefined || from === undefined || to === relation.billedTo || to < from
    ? undefined
    : [...(relation.free ?? []), { begin: from, end: to }]
}

export const relationStateHandlers = [
  writes(stopRelations, async ({ ids, reason }, { tx, scope }) => {
    const { fit, result } = partitionByReason(await lockRelations(tx, scope, ids), r =>
      r.state === 'suspended' ? '已是停收' : r.state === 'ended' ? '已结束收费' : undefined,
    )
    await updateRelations(
      tx,
      scope,
      fit,
      sql`state = ${code(relationState, 'suspended')}, stop_reason = ${reason}`,
      () => ({ state: 'suspended' }),
      'state',
      reason,
    )
    return result
  }),
  writes(resumeRelations, async ({ ids, resumeMode, day }, { tx, scope, today }) => {
    const on = day ?? today
    const { fit, result } = partitionByReason(await lockRelations(tx, scope, ids), row =>
      row.state !== 'suspended'
        ? '未停收'
        : resumeMode === 'onwards' && row.endDate !== undefined && row.endDate < on
          ? `止收日期 ${row.endDate} 早于恢复日`
          : undefined,
    )
    // CYC-8: billed to the day before, unless bills reach further. A relation that begins later stays as it
    // is.
    const to = new Map(
      fit.map(row => [
        row.id,
        resumeMode === 'onwards' && row.beginDate !== undefined && row.beginDate >= on
          ? row.billedTo
          : resumeBilledTo(resumeMode, row.billedTo, on),
      ]),
    )
    // The days left out stay free even if the bills before them are abolished, which moves `billed_to` back.
    const free = new Map(fit.map(r => [r.id, addFreeRange(r, to.get(r.id))]))
    // Where charging begins on a day of the object and nothing was billed, there is no first free day: the
    // day before the new beginning becomes the floor (CYC-4).
    const floor = (r: FeeRelation): string | null =>
      resumeMode === 'onwards' && r.beginDate === undefined && r.billedTo === undefined
        ? (to.get(r.id) ?? null)
        : null
    await updateRelations(
      tx,
      scope,
      fit,
      sql`state = ${code(relationState, 'charging')}, stop_reason = null, billed_to = b.day, free = coalesce(b.free, t.free),
          run_floor = coalesce(b.floor, t.run_floor)
        from unnest(
          ${fit.map(r => r.id)}::bigint[], ${fit.map(r => to.get(r.id) ?? null)}::date[],
          ${fit.map(r => {
            const f = free.get(r.id)
            return f ? JSON.stringify(f) : null
          })}::jsonb[],
          ${fit.map(floor)}::date[]
        ) as b(id, day, free, floor)`,
      row => ({
        state: 'charging',
        how: resumeMode,
        billedTo: to.get(row.id),
        ...(free.get(row.id) ? { free: free.get(row.id) } : {}),
      }),
      'state',
      undefined,
      sql`and b.id = t.id`,
    )
    return result
  }),
  writes(endRelations, async ({ ids, endDate, reason }, { tx, scope, today, now }) => {
    const { fit, result } = partitionByReason(await lockRelations(tx, scope, ids), row =>
      row.endDate !== undefined && row.endDate < endDate
        ? `已定于 ${row.endDate} 止收，要延后请编辑`
        : row.beginDate !== undefined && endDate < addDays(row.beginDate, -1)
          ? `起收日期是 ${row.beginDate}，尚未开始收费；不再收费请删除`
          : undefined,
    )
    // Ending on the day before the first one would leave nothing to charge: such a relation ends on its first
    // day at the earliest.
    const bad = fit.filter(r => r.beginDate !== undefined && endDate < r.beginDate)
    if (bad.length)
      throw invalidField(
        'EndDate',
        `「${defined(bad[0]).sourceName}」${defined(bad[0]).beginDate} 起收，止收日期不能早于该日`,
      )
    await updateRelations(
      tx,
      scope,
      fit,
      sql`end_date = ${endDate}, stop_reason = ${reason},
        state = case
          when t.billed_to >= ${endDate} then ${code(relationState, 'ended')}
          else t.state
        end`,
      () => ({ endDate }),
      'state',
      reason,
    )
    const ended = fit.flatMap(({ id, billedTo, sourceName }) =>
      billedTo !== undefined && billedTo > endDate ? [{ id, endDate, billedTo, sourceName }] : [],
    )
    if (ended.length) {
      await publishRelationEnd(tx, scope, ended, { today, now, reason })
    }
    return result
  }),
  writes(deleteRelations, async ({ ids, reason }, { tx, scope }) => {
    const found = await lockRelations(tx, scope, ids)
    const kept = await findBilledRelations(
      tx,
      scope.ownerId,
      found.map(r => r.id),
    )
    const { fit, result } = partitionByReason(found, r =>
      kept.has(r.id) ? '已有账单，请改为结束收费' : undefined,
    )
    await updateRelations(tx, scope, fit, sql`delete_tag = 1`, () => ({}), 'delete', reason)
    return result
  }),
]
