import type { Id } from '#kit/domain/id.ts'
import { addDays } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { refuse } from '#kit/contract/wire.ts'
import { displayYuan } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { findByIds } from '#kit/server/table.ts'
import { notDeleted, touch } from '#kit/server/sql.ts'
import { onRelationEnd, type EndedRelation } from '#modules/fees/server/public.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { decideEnding, splitByDate } from '../domain/adjustment.ts'
import { isLocked } from '../domain/bill.ts'
import { applyAbolish, type ActionContext } from './actions.ts'
import { insertFollowUps, type NewFollowUp } from './follow-ups.ts'
import { billsOfRelation } from './relation-bills.ts'
import { splitRow } from './split.ts'
import { toBill } from './stored-bill.ts'
import { activeStates } from './bill-states.ts'
import { lockBills } from './bill-lock.ts'
import { findWaitingBills } from './waiting-bills.ts'

const lockBillsPastEnd = (tx: Tx, context: ActionContext, ended: readonly EndedRelation[]): Promise<Bill[]> =>
  lockBills(
    tx,
    context.scope,
    sql`t.owner_id = ${context.scope.ownerId}
      and t.id in (
        select b.id
        from unnest(${ended.map(e => e.id)}::bigint[], ${ended.map(e => e.endDate)}::date[]) as e(id, day)
        join fee_relation r on r.owner_id = ${context.scope.ownerId} and r.id = e.id
        cross join lateral (
          select b.id
          from bill b
          where ${billsOfRelation(context.scope.ownerId, 'b', 'r')}
            and ${notDeleted('b')}
            and b.state in ${activeStates}
            and b.end_date > e.day
          offset 0
        ) b
      )`,
  )

/**
 * Ends a charge that is billed further (CYC-9): unpaid bills are split at the end and the tail abolished,
 * bills after the end are abolished, and paid bills get a remark that says how much should be returned.
 */
export async function endBills(
  tx: Tx,
  context: ActionContext,
  ended: readonly EndedRelation[],
): Promise<void> {
  const days = new Map(ended.map(e => [e.id, e.endDate]))
  const abolishIds: Id[] = []
  const notes: Remark[] = []
  const credits: NewFollowUp[] = []
  const rows = await lockBillsPastEnd(tx, context, ended)
  const waiting = await findWaitingBills(tx, context.scope, rows)
  for (const row of rows) {
    const last = defined(days.get(defined(row.relationId)))
    const current = toBill(row)
    const ending = decideEnding(current, last)
    // The payment order has the amount of the whole bill.
    if (isLocked(current, context.now))
      return refuse(`${row.sourceName} 的账单 ${row.billNo} 正在支付中，请等支付完成或关闭支付单后再止收`)
    const isChanged = ending.kind === 'abolish' || ending.kind === 'splitAndAbolish'
    if (isChanged && waiting.has(row.id))
      return refuse(`${row.sourceName} 的账单 ${row.billNo} 已在审批中，请等待审批结果后再止收`)
    // A bill that waits for audit is abolished; the days up to the end are billed again.
    if (ending.kind === 'abolish' || row.state === 'pending') {
      abolishIds.push(row.id)
    } else if (ending.kind === 'splitAndAbolish') {
      abolishIds.push(defined((await splitRow(tx, context, row, splitByDate(current, ending.on)))[1]).id)
    } else if (ending.kind === 'credit') {
      credits.push({
        bill: row,
        kind: 'ending',
        effectiveDate: addDays(last, 1),
        amount: ending.toPrestore,
        discount: ending.discount,
      })
      const suggestions = [
        ...(ending.discount ? [`建议减免 ${displayYuan(ending.discount)} 元`] : []),
        ...(ending.toPrestore ? [`建议退款转预存 ${displayYuan(ending.toPrestore)} 元`] : []),
      ]
      notes.push({
        id: row.id,
        words: `止收至 ${last}：${suggestions.join('，')}`,
      })
    }
  }
  if (abolishIds.length) {
    const result = await applyAbolish(
      tx,
      context,
      await findByIds(tx, bill, context.scope, abolishIds, { lock: true }),
    )
    if (result.skipped)
      refuse(`止收日期之后的账单 ${defined(result.rows[0]).code} 不能作废：${defined(result.rows[0]).reason}`)
  }
  await insertFollowUps(tx, context.scope, credits)
  await addRemarks(tx, context, notes)
}

interface Remark {
  readonly id: Id
  readonly words: string
}

async function addRemarks(tx: Tx, context: ActionContext, notes: readonly Remark[]): Promise<void> {
  if (!notes.length) return
  await tx.execute(
    sql`
      update bill t
      set remark = left(coalesce(t.remark || '；', '') || n.words, 200), ${touch(context.scope, 't')}
      from unnest(${notes.map(n => n.id)}::bigint[], ${notes.map(n => n.words)}::text[]) as n(id, words)
      where t.owner_id = ${context.scope.ownerId} and t.id = n.id
    `,
  )
}

onRelationEnd((tx, scope, ended, { today, now, reason }) =>
  endBills(tx, { scope, today, now, reason: reason ?? '止收' }, ended),
)
