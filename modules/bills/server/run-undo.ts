import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import { defineJob } from '#kit/server/jobs.ts'
import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { Scope } from '#kit/server/scope.ts'
import { audit } from '#kit/server/audit.ts'
import { findByIds, tenantFilter } from '#kit/server/table.ts'
import { touch, code } from '#kit/server/sql.ts'
import { prepareGeneratedColumnsOnce, type PeriodAfter } from '#modules/fees/server/public.ts'
import { bill, billRun, type Bill, type BillRun } from '../contract/bill.ts'
import { undoRun } from '../contract/run.ts'
import { periodAfterColumn } from './actions.ts'
import { publishBillsChanged } from './bill-events.ts'
import { releaseLinks } from './bill-links.ts'
import { activeStates } from './bill-states.ts'
import { billState, runState, invoiceState } from '../contract/choices.ts'
import { lockRelations } from './bill-lock.ts'
import { waitingCondition } from './waiting-bills.ts'

/** Above this number of bills a task undoes the batch. */
const maxForegroundBills = 2000
const chunkSize = 5000

type Sql = RawBuilder<unknown>

const liveBillsCondition = (scope: Scope, run: BillRun): Sql =>
  sql`${tenantFilter(bill, scope, run.projectCode)}
    and t.batch_no = ${run.batchNo}
    and t.state in ${activeStates}`

const paidCondition = sql`(t.paid_principal > 0 or t.late_fee_paid > 0)`

/**
 * The conditions of `refusalOf('abolish', …)` in SQL (C3.2): not paid, not in payment, not invoiced.
 * `generate.test.ts` compares the two.
 */
export const abolishableCondition = (now: Moment): Sql =>
  sql`not ${paidCondition}
    and (t.lock_until is null or t.lock_until <= ${now}::timestamptz)
    and t.invoice_state = ${code(invoiceState, 'none')}`

/** Nor one that waits in an approval. */
const undoableCondition = ({ ownerId }: Scope, now: Moment): Sql =>
  sql`${abolishableCondition(now)} and not ${waitingCondition(ownerId, sql`t.id`)}`

interface UndoCounts {
  readonly live: number
  readonly paid: number
  readonly free: number
  /** Yuan, of those that stand. */
  readonly amount: string
}

const countForUndo = async (db: Db, scope: Scope, run: BillRun, now: Moment): Promise<UndoCounts> =>
  defined(
    await db.one<UndoCounts>(
      sql`
      select count(*)::int as live, count(*) filter (where ${paidCondition})::int as paid,
        count(*) filter (where ${undoableCondition(scope, now)})::int as free,
        coalesce(sum(t.amount), 0)::text as amount
      from bill t
      where ${liveBillsCondition(scope, run)}
    `,
    ),
  )

/** Refuses what `planUndo` refuses (GEN-7). */
function assertUndoable(counts: UndoCounts, onlyUnpaid: boolean): void {
  if (!counts.live) refuse('该批次没有可以撤销的账单，可能已经作废')
  if (counts.paid && !onlyUnpaid)
    refuse(`该批次有 ${counts.paid} 张账单已缴费，不能整批撤销；可勾选“仅撤销未缴”`)
  if (!counts.free) refuse('该批次剩余的账单都已缴费、开票、正在支付中或审批中，不能撤销')
}

interface UndoRequest {
  readonly reason: string
  /** What becomes of the days of the bills (GEN-3). */
  readonly periodAfter?: PeriodAfter | undefined
}

/** Abolishes one chunk of bills with their links. Returns how many. */
async function undoChunk(
  tx: Tx,
  scope: Scope,
  run: BillRun,
  undo: UndoRequest,
  now: Moment,
  limit: number,
): Promise<number> {
  await lockRelations(
    tx,
    scope.ownerId,
    sql`t.owner_id = ${scope.ownerId}
      and t.id in (
        select t.id
        from bill t
        where ${liveBillsCondition(scope, run)} and ${undoableCondition(scope, now)}
        order by t.id
        limit ${limit}
      )`,
  )
  const locked = await tx.rows<{ id: Id }>(sql`
    select t.id
    from bill t
    where ${liveBillsCondition(scope, run)} and ${undoableCondition(scope, now)}
    order by t.id
    limit ${limit}
    for update of t
  `)
  const abolished = await tx.rows<Pick<Bill, 'id' | 'billNo' | 'relationId' | 'refType' | 'refId'>>(sql`
    update bill u
    set state = ${code(billState, 'abolished')}, ${prepareGeneratedColumnsOnce('u')},
      abolish_time = ${now}::timestamptz, abolish_by = ${scope.operatorId}, abolish_reason = ${undo.reason},
      ${periodAfterColumn(undo.periodAfter)}, ${touch(scope)}
    from (
      select t.id
      from bill t
      where ${liveBillsCondition(scope, run)}
        and t.id = any(${locked.map(({ id }) => id)}::bigint[])
        and ${undoableCondition(scope, now)}
      order by t.id
    ) x
    where u.owner_id = ${scope.ownerId} and u.id = x.id
    returning u.id, u.bill_no, u.relation_id, u.ref_type, u.ref_id
  `)
  await releaseLinks(tx, scope, abolished)
  if (abolished.length) {
    await publishBillsChanged(tx, scope, { action: 'abolish', bills: abolished })
    const [from, to] = [defined(abolished[0]).id, defined(abolished.at(-1)).id]
    await auditUndone(tx, scope, run, undo.reason, { bills: abolished.length, from, to })
  }
  return abolished.length
}

const auditUndone = (
  tx: Tx,
  scope: Scope,
  run: BillRun,
  reason: string,
  undone: { readonly bills: number; readonly from: number; readonly to: number },
): Promise<unknown> =>
  audit(tx, scope, [
    {
      action: 'state',
      entity: billRun.name,
      entityId: run.id,
      projectCode: run.projectCode,
      before: { batchNo: run.batchNo, state: '正常' },
      after: { state: '已作废', ...undone },
      reason,
    },
  ])

/** Marks the batch as undone when none of its bills is effective. Returns how many still are. */
const closeRun = async (tx: Tx, scope: Scope, run: BillRun, reason: string, now: Moment): Promise<number> => {
  const { live: liveCount, amount } = await countForUndo(tx, scope, run, now)
  // Of a batch that is in part the list counts what stands; one undone as a whole counts in no sum.
  const remainingFigures = liveCount ? sql`made = ${liveCount}, amount = ${amount},` : sql``
  await tx.execute(
    sql`
      update bill_run
      set ${remainingFigures} state = ${liveCount ? sql`state` : code(runState, 'undone')},
        message = ${liveCount ? `已撤销未缴的账单，保留 ${liveCount} 张：${reason}` : `已撤销：${reason}`},
        end_time = ${now}::timestamptz, ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = ${run.id}
    `,
  )
  return liveCount
}

export const undoRunJob = defineJob<UndoRequest & { run: Id; onlyUnpaid: boolean }>({
  kind: 'bills.undo',
  type: 40,
  run: async ({ run: id, onlyUnpaid, reason, periodAfter = 'rebill' }, c) => {
    const { database, scope, app } = c
    const ownerId = scope.ownerId
    const now = (): Moment => fromInstant(app.clock())
    const [run] = await findByIds(database.reader(ownerId), billRun, scope, [id])
    if (!run) throw notFound()
    let abolished = c.checkpoint.read<number>() ?? 0
    const counts = await countForUndo(database.reader(ownerId), scope, run, now())
    if (!abolished) {
      assertUndoable(counts, onlyUnpaid)
    }
    for (let removed = 1; removed > 0;) {
      removed = await database.tx(ownerId, async tx => {
        const count = await undoChunk(tx, scope, run, { reason, periodAfter }, now(), chunkSize)
        await c.checkpoint.save(tx, abolished + count)
        return count
      })
      abolished += removed
      c.reportProgress(abolished, Math.max(counts.free, abolished))
    }
    const keptCount = await database.tx(ownerId, tx => closeRun(tx, scope, run, reason, now()))
    return {
      success: abolished,
      skipped: keptCount,
      message: `作废 ${abolished} 张${keptCount ? `，保留 ${keptCount} 张` : ''}`,
    }
  },
})

export const undoRunHandlers = [
  writes(
    undoRun,
    async ({ id, onlyUnpaid = false, periodAfter = 'rebill', reason }, { tx, scope, now, app }) => {
      const [run] = await findByIds(tx, billRun, scope, [id], { lock: true })
      if (!run) throw notFound()
      if (run.state === 'waiting' || run.state === 'running')
        return refuse('该批次正在生成，请等待完成或先停止')
      const counts = await countForUndo(tx, scope, run, now)
      assertUndoable(counts, onlyUnpaid)
      if (counts.free > maxForegroundBills)
        return {
          abolished: 0,
          kept: counts.live - counts.free,
          taskId: await app.jobs.start(
            tx,
            { ...scope, projectCode: run.projectCode },
            'bills.undo',
            `撤销批次 ${run.batchNo}`,
            { run: id, onlyUnpaid, reason, periodAfter },
          ),
        }
      // Again after waiting for locks: a bill that was split in between left two halves.
      let abolished = 0
      for (let n = 1; n > 0; abolished += n) {
        n = await undoChunk(tx, scope, run, { reason, periodAfter }, now, maxForegroundBills)
      }
      // Another transaction has undone all of them.
      if (!abolished) {
        assertUndoable(await countForUndo(tx, scope, run, now), onlyUnpaid)
      }
      return { abolished, kept: await closeRun(tx, scope, run, reason, now) }
    },
  ),
]
