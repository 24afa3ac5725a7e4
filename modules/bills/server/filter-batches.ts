import type { Call } from '#kit/contract/call.ts'
import { refuse } from '#kit/contract/wire.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { parseYuan } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { writes, type Handler } from '#kit/server/handler.ts'
import { defineJob, type JobContext } from '#kit/server/jobs.ts'
import { auditBillsByFilter, setDiscountByFilter, setLateFeeByFilter } from '../contract/actions.ts'
import type { Bill } from '../contract/bill.ts'
import type { BillFilter } from '../contract/list.ts'
import { remindBillsByFilter } from '../contract/reminder.ts'
import { searchRefusal } from '../domain/actions.ts'
import { maxReportedRows, type BulkResult } from './action-runner.ts'
import { applyAudit, findMissingIds, type ActionContext } from './actions.ts'
import {
  applyLateFees,
  parseDiscount,
  applyDiscounts,
  assertLateFeeInput,
  type DiscountInput,
  type LateFeeInput,
} from './adjustment.ts'
import { billCondition, lockBills, selectionCondition, maxBillsPerAction, isNarrowed } from './bill-query.ts'
import { sendQueuedNotices } from './notice.ts'
import { addRefusals, countByReason, saveRefusalFile, type Refusals } from './refusals.ts'
import { isRetryableConflict } from './run-engine.ts'
import { maxForegroundBills } from './filter-actions.ts'
import {
  shouldSendNow,
  remindLockedBills,
  assertRequestAllowed,
  reminderResultText,
  type ReminderRequest,
} from './reminder.ts'

/** One part done: what was skipped, and the messages that go out after it. */
interface PartResult extends BulkResult {
  readonly notices?: readonly number[]
  readonly sends?: readonly number[]
  readonly waits?: string | undefined
}

interface FilterBatch<S> {
  readonly of: Call<any, any>
  readonly kind: string
  readonly verb: string
  /** What the caller says beside the filter. */
  readonly inputKeys: readonly string[]
  /** Refuses what no bill could be done by, before anything is begun. */
  readonly check?: (said: S, today: string) => void
  readonly run: (
    tx: Tx,
    d: ActionContext,
    said: S,
    rows: readonly Bill[],
    absent: readonly number[],
  ) => Promise<PartResult>
  /** Bills of one payer are one part's, of so many or more; otherwise parts are cut anywhere. */
  readonly byPayer?: true
  readonly size: number
}

const defineFilterBatch = <S>(o: FilterBatch<S>): FilterBatch<any> => o

const remindPart = async (
  tx: Tx,
  { scope, now, most }: ActionContext,
  said: ReminderRequest,
  rows: readonly Bill[],
  absent: readonly number[],
): Promise<PartResult> => {
  const { made, skipped } = await remindLockedBills(tx, scope, rows, absent, said, now)
  return {
    success: made.bills,
    fail: 0,
    skipped: skipped.length,
    rows: skipped.slice(0, most ?? maxReportedRows),
    notices: made.ids,
    sends: shouldSendNow(made, said.channel) ? made.ids : [],
    waits: made.waits,
  }
}

/** Deeds that go over all that a filter finds (BILL-1), each bill judged by itself (BILL-2). */
const filterBatches: readonly FilterBatch<any>[] = [
  defineFilterBatch<DiscountInput>({
    of: setDiscountByFilter,
    kind: 'bills.discount',
    verb: '减免',
    inputKeys: ['kind', 'amount', 'percent', 'reason'],
    size: 2000,
    check: said => void parseDiscount(said),
    run: applyDiscounts,
  }),
  defineFilterBatch<LateFeeInput>({
    of: setLateFeeByFilter,
    kind: 'bills.lateFee',
    verb: '调整违约金',
    inputKeys: ['kind', 'amount', 'reason'],
    size: 2000,
    check: assertLateFeeInput,
    run: applyLateFees,
  }),
  defineFilterBatch<object>({
    of: auditBillsByFilter,
    kind: 'bills.audit',
    verb: '审核',
    inputKeys: [],
    size: 2000,
    run: (tx, d, _, rows, absent) => applyAudit(tx, d, rows, absent),
  }),
  defineFilterBatch<ReminderRequest>({
    of: remindBillsByFilter,
    kind: 'bills.urgeSearch',
    verb: '催缴',
    inputKeys: ['channel', 'promiseDate', 'remark'],
    size: 500,
    byPayer: true,
    check: assertRequestAllowed,
    run: remindPart,
  }),
]

interface BatchRequest {
  readonly parts: readonly (readonly number[])[]
  readonly said: object
}

interface BatchProgress {
  readonly at: number
  readonly success: number
  readonly notices: number
  readonly waits?: string | undefined
  readonly refused: Refusals
}

/**
 * The bills of a filter while they still are what was seen, cut into parts: the task does these and no
 * others.
 */
async function findParts(
  tx: Tx,
  o: FilterBatch<any>,
  { scope, today, now }: ActionContext,
  filter: BillFilter,
  seen: { readonly count: number; readonly sum: number },
): Promise<number[][]> {
  const payer = sql`concat_ws(
    '/', t.project_code, t.payer_kind, coalesce(t.payer_id::text, t.source_type || ' ' || t.source_code)
  )`
  const found = await tx.rows<{ id: number; receivable: string; payer: string }>(
    sql`
      select t.id, t.receivable::text, ${o.byPayer ? payer : sql`''`} as payer
      from bill t
      where ${billCondition(scope, filter, today, now)}
      order by payer, t.id
    `,
  )
  const no = searchRefusal(false, seen, {
    count: found.length,
    sum: found.reduce((n, r) => n + parseYuan(r.receivable), 0),
  })
  if (no) return refuse(no)
  if (found.length > maxBillsPerAction)
    return refuse(`一次最多处理 ${maxBillsPerAction} 张账单，现有 ${found.length} 张，请缩小筛选范围`)
  const parts: number[][] = []
  found.forEach((r, i) => {
    const last = parts.at(-1)
    if (!last || (last.length >= o.size && !(o.byPayer && found[i - 1]!.payer === r.payer))) {
      parts.push([r.id])
    } else {
      last.push(r.id)
    }
  })
  return parts
}

const resultText = (o: FilterBatch<any>, said: object, notices: number, waits: string | undefined): string =>
  o.of === remindBillsByFilter
    ? `；${reminderResultText(notices, waits, (said as ReminderRequest).channel)}`
    : ''

const createHandler = (o: FilterBatch<any>): Handler =>
  writes(
    o.of as Call<any, any>,
    async ({ count, sum, ...q }: { count: number; sum: number }, { tx, scope, today, now, app }) => {
      const pick = (mine: boolean): object =>
        Object.fromEntries(Object.entries(q).filter(([k]) => o.inputKeys.includes(k) === mine))
      const said = pick(true)
      const filter = pick(false) as BillFilter
      const d: ActionContext = { scope, today, now, reason: (said as { reason?: string }).reason }
      if (!isNarrowed(filter)) return refuse('请先设置筛选条件，不能对全部账单操作')
      o.check?.(said, today)
      if (count > maxForegroundBills) {
        const parts = await findParts(tx, o, d, filter, { count, sum })
        return {
          success: 0,
          fail: 0,
          skipped: 0,
          rows: [],
          message: `已转入后台${o.verb} ${count} 张，可在任务中心查看进度`,
          taskId: await app.jobs.start(tx, scope, o.kind, `按筛选${o.verb}账单 ${count} 张`, {
            parts,
            said,
          } satisfies BatchRequest),
        }
      }
      const rows = await lockBills(tx, scope, billCondition(scope, filter, today, now))
      const no = searchRefusal(
        false,
        { count, sum },
        { count: rows.length, sum: rows.reduce((n, r) => n + r.receivable, 0) },
      )
      if (no) return refuse(no)
      const { notices, sends, waits, ...done } = await o.run(tx, d, said, rows, [])
      if (sends?.length) {
        await app.jobs.start(tx, scope, 'bills.urge', `发送催缴 ${sends.length} 条`, { ids: sends })
      }
      return {
        ...done,
        message: notices ? reminderResultText(notices.length, waits, (said as ReminderRequest).channel) : '',
      }
    },
  )

/** One part in one transaction with the checkpoint. */
function runPart(
  o: FilterBatch<any>,
  { said, parts }: BatchRequest,
  c: JobContext,
  sofar: BatchProgress,
): Promise<{ readonly next: BatchProgress; readonly sends: readonly number[] }> {
  const { database, scope, app } = c
  const now = fromInstant(app.clock())
  const ids = parts[sofar.at]!
  return database.tx(scope.ownerId, async tx => {
    const rows = await lockBills(tx, scope, selectionCondition(scope, { ids: ids.map(String) }))
    const a = await o.run(
      tx,
      {
        scope,
        now,
        today: dayOfMoment(now),
        reason: (said as { reason?: string }).reason,
        most: ids.length,
      },
      said,
      rows,
      findMissingIds(ids, rows),
    )
    const moved: BatchProgress = {
      at: sofar.at + 1,
      success: sofar.success + a.success,
      notices: sofar.notices + (a.notices?.length ?? 0),
      waits: a.waits ?? sofar.waits,
      refused: addRefusals(sofar.refused, a.rows),
    }
    await c.checkpoint.save(tx, moved)
    return { next: moved, sends: a.sends ?? [] }
  })
}

export const filterBatchJobs = filterBatches.map(o =>
  defineJob<BatchRequest>({
    kind: o.kind,
    type: o.byPayer ? 50 : 40,
    run: async (asked, c) => {
      let sofar: BatchProgress = {
        at: 0,
        success: 0,
        notices: 0,
        refused: {},
        ...c.checkpoint.read<BatchProgress>(),
      }
      const total = asked.parts.reduce((n, p) => n + p.length, 0)
      const done = (): number => asked.parts.slice(0, sofar.at).reduce((n, p) => n + p.length, 0)
      c.reportProgress(done(), total, `正在${o.verb}`)
      for (let tries = 0; sofar.at < asked.parts.length;) {
        c.signal.throwIfAborted()
        let sends: readonly number[] = []
        try {
          ;({ next: sofar, sends } = await runPart(o, asked, c, sofar))
          tries = 0
          c.reportProgress(done(), total, `正在${o.verb}`)
        } catch (e) {
          if (!isRetryableConflict(e) || ++tries > 5) throw e
        }
        // Once they are in. Killed before, the sender of what waits takes them up.
        if (sends.length) {
          await sendQueuedNotices(c.app, c.scope.ownerId, sends, c.signal)
        }
      }
      const summary = countByReason(sofar.refused)
      const skipped = summary.reduce((n, r) => n + r.count, 0)
      return {
        success: sofar.success,
        skipped,
        summary,
        message: `${o.verb}成功 ${sofar.success} 张${skipped ? `，跳过 ${skipped} 张，原因见结果文件` : ''}${resultText(o, asked.said, sofar.notices, sofar.waits)}`,
        ...(skipped
          ? { file: await saveRefusalFile(c, sofar.refused, `没有${o.verb}的账单`, String(c.taskId)) }
          : {}),
      }
    },
  }),
)

export const filterBatchHandlers = filterBatches.map(createHandler)
