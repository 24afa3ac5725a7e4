import { refuse } from '#kit/contract/wire.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { writes, type Handler, type WriteContext } from '#kit/server/handler.ts'
import { defineJob } from '#kit/server/jobs.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Call } from '#kit/contract/call.ts'
import {
  abolishBillsByFilter,
  deleteBillsByFilter,
  recoverBillsByFilter,
  type FilterAction,
} from '../contract/actions.ts'
import { searchRefusal } from '../domain/actions.ts'
import { applyAbolish, applyDelete, applyRecover, type ActionContext } from './actions.ts'
import { type BulkResult } from './action-runner.ts'
import { billCondition, lockBills, isNarrowed } from './bill-query.ts'
import type { Bill } from '../contract/bill.ts'
import { addRefusals, countByReason, saveRefusalFile } from './refusals.ts'

type FilterRequest = FilterAction & { readonly resetDue?: boolean | undefined }
type FilterActionKind = 'abolish' | 'recover' | 'delete'

const filterActions: Readonly<
  Record<
    FilterActionKind,
    {
      readonly verb: string
      readonly run: (tx: Tx, d: ActionContext, rows: readonly Bill[], q: FilterRequest) => Promise<BulkResult>
    }
  >
> = {
  abolish: { verb: '作废', run: (tx, d, rows) => applyAbolish(tx, d, rows) },
  recover: { verb: '恢复', run: (tx, d, rows, q) => applyRecover(tx, d, rows, q.resetDue ?? false) },
  delete: { verb: '删除', run: (tx, d, rows) => applyDelete(tx, d, rows) },
}

/** A background job beyond so many bills (G-11). */
export const maxForegroundBills = 2000

/**
 * Locks what the filter finds, asks whether it is still what was seen (BILL-1), and does it. All or nothing,
 * whatever its size.
 */
async function runFilterAction(
  kind: FilterActionKind,
  tx: Tx,
  d: ActionContext,
  { count, sum, reason: _, resetDue, ...filter }: FilterRequest,
): Promise<BulkResult> {
  const rows = await lockBills(tx, d.scope, billCondition(d.scope, filter, d.today, d.now), {
    relations: true,
  })
  const no = searchRefusal(
    !isNarrowed(filter),
    { count, sum },
    { count: rows.length, sum: rows.reduce((n, r) => n + r.receivable, 0) },
  )
  return no
    ? refuse(no)
    : filterActions[kind].run(tx, d, rows, { ...filter, count, sum, resetDue, reason: d.reason! })
}

const createHandler = (c: Call, kind: FilterActionKind): Handler =>
  writes(
    c as Call<FilterRequest, BulkResult & { taskId?: number }>,
    async (q, { tx, scope, today, now, app }: WriteContext) => {
      if (!isNarrowed(filterOf(q))) return refuse('请先设置筛选条件，不能对全部账单操作')
      if (q.count > maxForegroundBills)
        return {
          success: 0,
          fail: 0,
          skipped: 0,
          rows: [],
          taskId: await app.jobs.start(
            tx,
            scope,
            `bills.${kind}`,
            `按筛选${filterActions[kind].verb}账单 ${q.count} 张`,
            q,
          ),
        }
      return runFilterAction(kind, tx, { scope, today, now, reason: q.reason }, q)
    },
  )

const filterOf = ({ count: _, sum: __, reason: ___, resetDue: ____, ...filter }: FilterRequest) => filter

export const filterActionHandlers = [
  createHandler(abolishBillsByFilter, 'abolish'),
  createHandler(recoverBillsByFilter, 'recover'),
  createHandler(deleteBillsByFilter, 'delete'),
]

/** One transaction: nobody ever sees half of it, and what was counted is what is done. */
export const filterActionJobs = (Object.keys(filterActions) as FilterActionKind[]).map(kind =>
  defineJob<FilterRequest>({
    kind: `bills.${kind}`,
    type: 40,
    run: async (q, c) => {
      const { database, scope, app } = c
      const now = fromInstant(app.clock())
      const d: ActionContext = { scope, now, today: dayOfMoment(now), reason: q.reason, most: q.count }
      c.reportProgress(0, q.count, `正在${filterActions[kind].verb}`)
      const a = await database.tx(scope.ownerId, tx => runFilterAction(kind, tx, d, q))
      const refused = addRefusals({}, a.rows)
      return {
        success: a.success,
        skipped: a.skipped,
        message: `${filterActions[kind].verb}成功 ${a.success} 张${a.skipped ? `，跳过 ${a.skipped} 张，原因见结果文件` : ''}`,
        summary: countByReason(refused),
        ...(a.skipped
          ? {
              file: await saveRefusalFile(
                c,
                refused,
                `没有${filterActions[kind].verb}的账单`,
                String(c.taskId),
              ),
            }
          : {}),
      }
    },
  }),
)
