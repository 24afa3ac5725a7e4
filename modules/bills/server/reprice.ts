import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { parseYuan, subtractFen, sumFen } from '#kit/domain/money.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { requireById, findAll, tenantFilter } from '#kit/server/table.ts'
import { notDeleted, codes, code } from '#kit/server/sql.ts'
import { feeStandard } from '#modules/fees/contract/standard.ts'
import { explainAmount } from '#modules/fees/server/public.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { runKind, runState } from '../contract/choices.ts'
import { repriceBills, repriceLimit, listRepriceable, type RepricedBill } from '../contract/reprice.ts'
import { refusalOf, type ActionFacts } from '../domain/actions.ts'
import { toBill } from './stored-bill.ts'
import { issueBatch } from './issue-batch.ts'
import { outdatedCondition } from './outdated-bills.ts'
import {
  draftReplacements,
  draftRefusal,
  draftsOf,
  repriceFacts,
  type RepriceDraft,
} from './reprice-draft.ts'
import { replaceBills } from './reprice-write.ts'
import { findWaitingBills } from './waiting-bills.ts'

/** The batch that is replacing the bills of a standard right now. */
export const findRunningReprice = async (db: Db, ownerId: Id, standardId: Id): Promise<Id | undefined> =>
  (
    await db.one<{ id: Id }>(
      sql`
        select id
        from bill_run
        where owner_id = ${ownerId}
          and kind = ${code(runKind, 'repriced')}
          and state in ${codes(runState, 'waiting', 'running')}
          and ${notDeleted()}
          and scope -> 'standardIds' ->> 0 = ${String(standardId)}
        order by id desc
        limit 1
      `,
    )
  )?.id

/** 1-1-202 before 1-1-1104. */
const compareNaturally = new Intl.Collator('zh', { numeric: true }).compare

function toRepricedRow(
  billRow: Bill,
  draft: RepriceDraft | undefined,
  today: Day,
  facts: Pick<ActionFacts, 'now' | 'isWaiting'>,
): RepricedBill {
  const refusal =
    refusalOf('reprice', toBill(billRow), { ...facts, ...repriceFacts(billRow, draft) }) ??
    draftRefusal(draft)
  const drafts = draftsOf(draft)
  const next = sumFen(drafts.map(d => d.amount))
  const replacement =
    draft && 'drafts' in draft
      ? {
          next,
          change: subtractFen(next, billRow.amount),
          parts: drafts.length,
          sentence: drafts.map(d => explainAmount(defined(d.snapshot))).join('；'),
        }
      : {}
  return {
    id: billRow.id,
    billNo: billRow.billNo,
    sourceName: billRow.sourceName,
    ...(billRow.payerName ? { payerName: billRow.payerName } : {}),
    beginDate: billRow.beginDate,
    endDate: billRow.endDate,
    dueDate: billRow.dueDate,
    state: billRow.state,
    overdue: billRow.dueDate < today,
    amount: billRow.amount,
    ...replacement,
    ...(refusal ? { reason: refusal } : {}),
  }
}

export const repriceHandlers = [
  reads(listRepriceable, async ({ standardId }, { db, scope, today, now }) => {
    const standard = await requireById(db, feeStandard, scope, standardId)
    const where = sql`${tenantFilter(bill, scope)}
      and ${outdatedCondition(scope.ownerId, sql`${standardId}`)}`
    const [totals, runningId, found] = await Promise.all([
      db.one<{ n: number; amount: string }>(
        sql`
          select count(*)::int as n, coalesce(sum(t.amount), 0)::text as amount
          from bill t
          where ${where}
        `,
      ),
      findRunningReprice(db, scope.ownerId, standardId),
      findAll(
        db,
        bill,
        scope,
        { order: 'sourceName,beginDate,id' },
        {
          where: [outdatedCondition(scope.ownerId, sql`${standardId}`)],
          limit: repriceLimit,
          keys: Object.keys(bill.fields).filter(k => !['calcSnapshot', 'overdueDays', 'paying'].includes(k)),
        },
      ),
    ])
    const drafts = await draftReplacements(db, scope.ownerId, found, today)
    const waiting = await findWaitingBills(db, scope, found)
    return {
      standardName: standard.name,
      itemName: standard.feeItemName ?? '',
      projectCode: standard.projectCode,
      count: defined(totals).n,
      hasMore: defined(totals).n > found.length,
      amount: parseYuan(defined(totals).amount),
      ...(runningId ? { runId: runningId } : {}),
      rows: found
        .toSorted(
          (a, b) => compareNaturally(a.sourceName, b.sourceName) || (a.beginDate < b.beginDate ? -1 : 1),
        )
        .map(b => toRepricedRow(b, drafts.get(b.id), today, { now, isWaiting: waiting.has(b.id) })),
    }
  }),
  writes(repriceBills, async ({ ids, reason }, { tx, scope, today, now }) => {
    const batchNos: string[] = []
    const result = await replaceBills(
      tx,
      { scope, now, today, reason },
      ids.map(parseId),
      async (like, drafts, replaced) => {
        const batch = await issueBatch(
          tx,
          scope,
          {
            project: like.projectCode,
            source: 'auto',
            state: like.state === 'pending' ? 'pending' : 'normal',
          },
          'repriced',
          drafts,
          today,
          { message: `调价后重新生成，替换 ${replaced} 张：${reason}`.slice(0, 500) },
        )
        batchNos.push(batch.batchNo)
        return { ids: batch.ids.map(parseId), nos: batch.nos }
      },
    )
    return { ...result, batchNos }
  }),
]
