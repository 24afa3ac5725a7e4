import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { refuse } from '#kit/contract/wire.ts'
import { dayOfMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { addFen, displayYuan, type Fen, formatYuan } from '#kit/domain/money.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import { defineJob, type JobContext } from '#kit/server/jobs.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, requireById, tenantFilter } from '#kit/server/table.ts'
import { feeStandard } from '#modules/fees/contract/standard.ts'
import { code } from '#kit/server/sql.ts'
import { bill, billRun, type BillRun } from '../contract/bill.ts'
import { repriceAllBills } from '../contract/reprice.ts'
import { batchPrefix, billPrefix } from './bill-number.ts'
import { maxReportedRows } from './action-runner.ts'
import { findPayerContacts, issueBills } from './issue.ts'
import { addRefusals, countByReason, saveRefusalFile, type Refusals } from './refusals.ts'
import { findRunningReprice } from './reprice.ts'
import { runBatchTask } from './run-task.ts'
import { RunTakenOver } from './run-chunk.ts'
import { isRetryableConflict } from './run-engine.ts'
import { runState } from '../contract/choices.ts'
import { outdatedCondition } from './outdated-bills.ts'
import { replaceBills } from './reprice-write.ts'

/**
 * The input of a task: all bills that were outdated when it was requested. `until`: the newest of them, so
 * that replacements are not replaced again.
 */
interface RepriceRequest {
  readonly run: Id
  readonly standardId: Id
  readonly without: readonly Id[]
  readonly until: number
  readonly reason: string
}

/** The progress: the old amount in fen, and refused bills by reason. */
interface RepriceProgress {
  readonly before: Fen
  readonly refused: Refusals
}

type Sql = RawBuilder<unknown>

const repriceCondition = (scope: Scope, request: Pick<RepriceRequest, 'standardId' | 'without'>): Sql =>
  sql`${tenantFilter(bill, scope)}
    and ${outdatedCondition(scope.ownerId, sql`${request.standardId}`)}
    and not (t.id = any(${[...request.without]}::bigint[]))`

/**
 * Moves the batch on. Throws RunTakenOver when it is no longer where this process read it, or not running.
 */
async function saveBatchPosition(
  tx: Tx,
  ownerId: Id,
  run: BillRun,
  next: BillRun,
  now: Moment,
): Promise<void> {
  const changed = await tx.execute(
    sql`
      update bill_run
      set after_id = ${next.afterId}, done = ${next.done}, made = ${next.made},
        amount = ${formatYuan(next.amount)}::numeric, update_time = ${now}::timestamptz
      where owner_id = ${ownerId}
        and id = ${run.id}
        and after_id = ${run.afterId}
        and state = ${code(runState, 'running')}
    `,
  )
  if (!changed) throw new RunTakenOver()
}

/** Replaces one chunk of bills; the bills, the batch and the checkpoint are written together. */
async function repriceChunk(
  c: JobContext,
  request: RepriceRequest,
  run: BillRun,
  progress: RepriceProgress,
  ids: readonly Id[],
): Promise<{ run: BillRun; sofar: RepriceProgress }> {
  const { database, scope, app } = c
  const ownerId = scope.ownerId
  const now = fromInstant(app.clock())
  const today = dayOfMoment(now)
  return database.tx(ownerId, async tx => {
    const result = await replaceBills(
      tx,
      { scope, now, today, reason: request.reason },
      ids,
      async (like, drafts) => {
        const numbers = await tx.numbers.nextMany(ownerId, billPrefix, today, drafts.length)
        const made = await issueBills(
          tx,
          scope,
          {
            project: like.projectCode,
            batchNo: run.batchNo,
            source: 'auto',
            state: like.state === 'pending' ? 'pending' : 'normal',
          },
          drafts.map((d, i) => ({ ...d, billNo: defined(numbers[i]) })),
          await findPayerContacts(
            tx,
            ownerId,
            drafts.map(d => d.payer),
          ),
        )
        return { ids: numbers.map(no => defined(made.get(no))), nos: numbers }
      },
    )
    const next = {
      ...run,
      afterId: defined(ids.at(-1)),
      done: run.done + ids.length,
      made: run.made + result.made,
      amount: addFen(run.amount, result.amount),
    }
    const refused = addRefusals(progress.refused, result.rows)
    await saveBatchPosition(tx, ownerId, run, next, now)
    const known = { before: addFen(progress.before, result.before), refused }
    await c.checkpoint.save(tx, known)
    return { run: next, sofar: known }
  })
}

export const repriceJob = defineJob<RepriceRequest>({
  kind: 'bills.reprice',
  type: 40,
  run: (request, c) =>
    runBatchTask(c, request.run, async row => {
      const { database, scope } = c
      const ownerId = scope.ownerId
      const ids = (
        await database.reader(ownerId).rows<{ id: Id }>(
          sql`
              select t.id
              from bill t
              where ${repriceCondition(scope, request)} and t.id > ${row.afterId} and t.id <= ${request.until}
              order by t.id
            `,
        )
      ).map(r => r.id)
      const total = row.done + ids.length
      let run = row
      let progress: RepriceProgress = { before: 0, refused: {}, ...c.checkpoint.read<RepriceProgress>() }
      const reportProgress = (): void => c.reportProgress(run.done, total, `已生成 ${run.made} 张`)
      reportProgress()
      // Chunks are as large as the number of reported refusals.
      for (let i = 0, tries = 0; i < ids.length;) {
        try {
          ;({ run, sofar: progress } = await repriceChunk(
            c,
            request,
            run,
            progress,
            ids.slice(i, i + maxReportedRows),
          ))
          i += maxReportedRows
          tries = 0
          reportProgress()
        } catch (e) {
          if (!isRetryableConflict(e) || ++tries > 5) throw e
        }
      }
      const refused = countByReason(progress.refused)
      const skipped = refused.reduce((n, r) => n + r.count, 0)
      const success = run.done - skipped
      return {
        success,
        skipped,
        summary: refused,
        message: [
          `重新生成 ${success} 张（${request.reason}），`,
          `原金额 ${displayYuan(progress.before)} 元，新金额 ${displayYuan(run.amount)} 元`,
          skipped ? `；${skipped} 张未改动，原因见结果文件` : '',
        ].join(''),
        ...(skipped
          ? { file: await saveRefusalFile(c, progress.refused, '未重新生成的账单', run.batchNo) }
          : {}),
      }
    }),
})

export const repriceAllHandlers = [
  writes(
    repriceAllBills,
    async ({ standardId, count, without: result, reason }, { tx, scope, today, app }) => {
      // The lock on the standard keeps two people from starting it at once.
      const standard = await requireById(tx, feeStandard, scope, standardId, { lock: true })
      const without = (result ?? []).map(parseId)
      if (await findRunningReprice(tx, scope.ownerId, standardId))
        return refuse('该收费标准的账单正在重新生成，请等待完成，可在任务中心查看进度')
      const outdated = defined(
        await tx.one<{ n: number; until: Id }>(
          sql`
        select count(*)::int as n, max(t.id) as until
        from bill t
        where ${repriceCondition(scope, { standardId, without })}
      `,
        ),
      )
      if (outdated.n !== count)
        return refuse(
          `数据已变化：按旧价格出的未缴账单现在要处理 ${outdated.n} 张（刚才是 ${count} 张），请刷新后重新核对`,
        )
      const batchNo = await tx.numbers.next(scope.ownerId, batchPrefix, today)
      const run = await insert(tx, billRun, scope, {
        projectCode: standard.projectCode,
        batchNo,
        kind: 'repriced',
        scope: { standardIds: [String(standardId)] },
        total: count,
        done: 0,
        afterId: 0,
        made: 0,
        behind: 0,
        amount: 0,
        state: 'waiting',
        message: `调价后重新生成：${reason}`,
      })
      const taskId = await app.jobs.start(
        tx,
        { ...scope, projectCode: standard.projectCode },
        'bills.reprice',
        `按新价格重新生成「${standard.name}」账单 ${count} 张（批次 ${batchNo}）`,
        { run: run.id, standardId, without, until: outdated.until, reason } satisfies RepriceRequest,
      )
      await tx.execute(
        sql`update bill_run set task_id = ${taskId} where owner_id = ${scope.ownerId} and id = ${run.id}`,
      )
      return { runId: run.id, batchNo, taskId, count }
    },
  ),
]
