import type { BulkResult } from '#kit/contract/bulk-result.ts'
import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
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
import { sumReceivable } from '../domain/receivable-sum.ts'
import { applyAbolish, applyDelete, applyRecover, type ActionContext } from './actions.ts'
import { billCondition, isNarrowed } from './bill-query.ts'
import type { Bill } from '../contract/bill.ts'
import type { PeriodAfter } from '#modules/fees/server/public.ts'
import { addRefusals, countByReason, saveRefusalFile } from './refusals.ts'
import { lockBills } from './bill-lock.ts'

type FilterRequest = FilterAction & {
  readonly resetDue?: boolean | undefined
  readonly periodAfter?: PeriodAfter | undefined
}
const filterActionKinds = ['abolish', 'recover', 'delete'] as const
type FilterActionKind = (typeof filterActionKinds)[number]

const filterActions: Readonly<
  Record<
    FilterActionKind,
    {
      readonly actionLabel: string
      readonly run: (
        tx: Tx,
        context: ActionContext,
        rows: readonly Bill[],
        request: FilterRequest,
      ) => Promise<BulkResult>
    }
  >
> = {
  abolish: {
    actionLabel: '作废',
    run: (tx, context, rows, { periodAfter }) => applyAbolish(tx, { ...context, periodAfter }, rows),
  },
  recover: {
    actionLabel: '恢复',
    run: (tx, context, rows, request) => applyRecover(tx, context, rows, request.resetDue ?? false),
  },
  delete: { actionLabel: '删除', run: (tx, context, rows) => applyDelete(tx, context, rows) },
}

/** Above this number of bills a task does the work (G-11). */
export const maxForegroundBills = 2000

/**
 * Locks the bills of a filter, checks that they are what the caller saw (BILL-1), and runs the action. All
 * or nothing.
 */
async function runFilterAction(
  kind: FilterActionKind,
  tx: Tx,
  context: ActionContext,
  { count, sum, reason: _reason, resetDue, periodAfter, ...filter }: FilterRequest,
): Promise<BulkResult> {
  const rows = await lockBills(
    tx,
    context.scope,
    billCondition(context.scope, filter, context.today, context.now),
    {
      relations: true,
    },
  )
  const refusal = searchRefusal(
    !isNarrowed(filter),
    { count, sum },
    { count: rows.length, sum: sumReceivable(rows) },
  )
  return refusal
    ? refuse(refusal)
    : filterActions[kind].run(tx, context, rows, {
        ...filter,
        count,
        sum,
        resetDue,
        periodAfter,
        reason: defined(context.reason),
      })
}

const createHandler = (
  call: Call<FilterRequest, BulkResult & { taskId?: Id }>,
  kind: FilterActionKind,
): Handler =>
  writes(call, async (request, { tx, scope, today, now, app }: WriteContext) => {
    if (!isNarrowed(filterOf(request))) return refuse('请先设置筛选条件，不能对全部账单操作')
    if (request.count > maxForegroundBills)
      return {
        success: 0,
        fail: 0,
        skipped: 0,
        rows: [],
        taskId: await app.jobs.start(
          tx,
          scope,
          `bills.${kind}`,
          `按筛选${filterActions[kind].actionLabel}账单 ${request.count} 张`,
          request,
        ),
      }
    return runFilterAction(kind, tx, { scope, today, now, reason: request.reason }, request)
  })

const filterOf = ({
  count: _count,
  sum: _sum,
  reason: _reason,
  resetDue: _resetDue,
  periodAfter: _periodAfter,
  ...filter
}: FilterRequest) => filter

export const filterActionHandlers = [
  createHandler(abolishBillsByFilter, 'abolish'),
  createHandler(recoverBillsByFilter, 'recover'),
  createHandler(deleteBillsByFilter, 'delete'),
]

/** Runs in one transaction, so that exactly the counted bills are changed. */
export const filterActionJobs = filterActionKinds.map(kind =>
  defineJob<FilterRequest>({
    kind: `bills.${kind}`,
    type: 40,
    run: async (request, call) => {
      const { database, scope, app } = call
      const now = fromInstant(app.clock())
      const context: ActionContext = {
        scope,
        now,
        today: dayOfMoment(now),
        reason: request.reason,
        maxReported: request.count,
      }
      call.reportProgress(0, request.count, `正在${filterActions[kind].actionLabel}`)
      const result = await database.tx(scope.ownerId, tx => runFilterAction(kind, tx, context, request))
      const refused = addRefusals({}, result.rows)
      return {
        success: result.success,
        skipped: result.skipped,
        message: `${filterActions[kind].actionLabel}成功 ${result.success} 张${result.skipped ? `，跳过 ${result.skipped} 张，原因见结果文件` : ''}`,
        summary: countByReason(refused),
        ...(result.skipped
          ? {
              file: await saveRefusalFile(
                call,
                refused,
                `没有${filterActions[kind].actionLabel}的账单`,
                String(call.taskId),
              ),
            }
          : {}),
      }
    },
  }),
)
