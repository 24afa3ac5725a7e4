import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { refuse } from '#kit/contract/wire.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { parseYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { writes, type Handler } from '#kit/server/handler.ts'
import { defineJob, type JobContext } from '#kit/server/jobs.ts'
import { notStruckOutCondition } from '#kit/server/table.ts'
import { bill } from '../contract/bill.ts'
import type { BillFilter } from '../contract/list.ts'
import { remindBillsByFilter } from '../contract/reminder.ts'
import { searchRefusal } from '../domain/actions.ts'
import { sumReceivable } from '../domain/receivable-sum.ts'
import { findMissingIds, type ActionContext } from './actions.ts'
import { billCondition, isNarrowed } from './bill-query.ts'
import { addRefusals, countByReason, saveRefusalFile, type Refusals } from './refusals.ts'
import { isRetryableConflict } from './run-engine.ts'
import { maxForegroundBills } from './filter-actions.ts'
import { reminderResultText } from './reminder.ts'
import { lockBills, selectionCondition, maxBillsPerAction } from './bill-lock.ts'
import { sendQueuedNotices } from './notice-sending.ts'
import { filterBatches, type BatchInput, type FilterBatch } from './filter-batch-kinds.ts'

/** The key of the input in stored tasks: unfinished ones hold it, so it cannot be renamed. */
export const storedInputKey = 'said'

interface BatchTask {
  readonly parts: readonly (readonly Id[])[]
  readonly [storedInputKey]: BatchInput
}

interface BatchProgress {
  readonly at: number
  readonly success: number
  readonly payers: number
  readonly waits?: string | undefined
  readonly refused: Refusals
}

/**
 * Divides the bills of a filter into parts if they are still what the caller saw; the task processes
 * exactly these.
 */
async function findParts(
  tx: Tx,
  batch: FilterBatch,
  { scope, today, now }: ActionContext,
  filter: BillFilter,
  expected: { readonly count: number; readonly sum: Fen },
): Promise<Id[][]> {
  const payer = sql`concat_ws(
    '/', t.project_code, t.payer_kind, coalesce(t.payer_id::text, t.source_type || ' ' || t.source_code)
  )`
  const found = await tx.rows<{ id: Id; receivable: string; payer: string }>(
    sql`
      select t.id,
        case when ${notStruckOutCondition(bill.fields)} then t.receivable else 0 end::text as receivable,
        ${batch.byPayer ? payer : sql`''`} as payer
      from bill t
      where ${billCondition(scope, filter, today, now)}
      order by payer, t.id
    `,
  )
  const refusal = searchRefusal(false, expected, {
    count: found.length,
    sum: sumFen(found.map(r => parseYuan(r.receivable))),
  })
  if (refusal) return refuse(refusal)
  if (found.length > maxBillsPerAction)
    return refuse(`一次最多处理 ${maxBillsPerAction} 张账单，现有 ${found.length} 张，请缩小筛选范围`)
  const parts: Id[][] = []
  found.forEach((row, i) => {
    const last = parts.at(-1)
    if (
      !last ||
      (last.length >= batch.partSize && !(batch.byPayer && defined(found[i - 1]).payer === row.payer))
    ) {
      parts.push([row.id])
    } else {
      last.push(row.id)
    }
  })
  return parts
}

const resultText = (
  batch: FilterBatch,
  input: BatchInput,
  progress: Pick<BatchProgress, 'success' | 'payers' | 'waits'>,
): string =>
  batch.call === remindBillsByFilter
    ? `；${reminderResultText({ payers: progress.payers, bills: progress.success }, progress.waits, defined(input.channel))}`
    : ''

const createHandler = (batch: FilterBatch): Handler =>
  writes(batch.call, async ({ count, sum, ...request }, { tx, scope, today, now, app }) => {
    const entries = Object.entries(request)
    const input: BatchInput = Object.fromEntries(entries.filter(([key]) => batch.inputKeys.includes(key)))
    const filter: BillFilter = Object.fromEntries(entries.filter(([key]) => !batch.inputKeys.includes(key)))
    const context: ActionContext = { scope, today, now, reason: input.reason }
    if (!isNarrowed(filter)) return refuse('请先设置筛选条件，不能对全部账单操作')
    batch.check?.(input, today)
    if (count > maxForegroundBills) {
      const parts = await findParts(tx, batch, context, filter, { count, sum })
      return {
        success: 0,
        fail: 0,
        skipped: 0,
        rows: [],
        message: `已转入后台${batch.actionLabel} ${count} 张，可在任务中心查看进度`,
        taskId: await app.jobs.start(tx, scope, batch.kind, `按筛选${batch.actionLabel}账单 ${count} 张`, {
          parts,
          [storedInputKey]: input,
        } satisfies BatchTask),
      }
    }
    const rows = await lockBills(tx, scope, billCondition(scope, filter, today, now))
    const refusal = searchRefusal(false, { count, sum }, { count: rows.length, sum: sumReceivable(rows) })
    if (refusal) return refuse(refusal)
    const { notices, payers = 0, sends, waits, ...result } = await batch.apply(tx, context, input, rows, [])
    if (sends?.length) {
      await app.jobs.start(tx, scope, 'bills.urge', `发送催缴 ${sends.length} 条`, { ids: sends })
    }
    return {
      ...result,
      message: notices
        ? reminderResultText({ payers, bills: result.success }, waits, defined(input.channel))
        : '',
    }
  })

/** Processes one part and saves the checkpoint in the same transaction. */
function runPart(
  batch: FilterBatch,
  { [storedInputKey]: input, parts }: BatchTask,
  c: JobContext,
  progress: BatchProgress,
): Promise<{ readonly next: BatchProgress; readonly sends: readonly Id[] }> {
  const { database, scope, app } = c
  const now = fromInstant(app.clock())
  const ids = defined(parts[progress.at])
  return database.tx(scope.ownerId, async tx => {
    const rows = await lockBills(tx, scope, selectionCondition(scope, { ids: ids.map(String) }))
    const result = await batch.apply(
      tx,
      {
        scope,
        now,
        today: dayOfMoment(now),
        reason: input.reason,
        maxReported: ids.length,
      },
      input,
      rows,
      findMissingIds(ids, rows),
    )
    const moved: BatchProgress = {
      at: progress.at + 1,
      success: progress.success + result.success,
      // The bills of one payer are all in one part.
      payers: progress.payers + (result.payers ?? 0),
      waits: result.waits ?? progress.waits,
      refused: addRefusals(progress.refused, result.rows),
    }
    await c.checkpoint.save(tx, moved)
    return { next: moved, sends: result.sends ?? [] }
  })
}

export const filterBatchJobs = filterBatches.map(batch =>
  defineJob<BatchTask>({
    kind: batch.kind,
    type: batch.byPayer ? 50 : 40,
    run: async (task, c) => {
      let progress: BatchProgress = {
        at: 0,
        success: 0,
        payers: 0,
        refused: {},
        ...c.checkpoint.read<BatchProgress>(),
      }
      const total = task.parts.reduce((n, p) => n + p.length, 0)
      const done = (): number => task.parts.slice(0, progress.at).reduce((n, p) => n + p.length, 0)
      c.reportProgress(done(), total, `正在${batch.actionLabel}`)
      for (let tries = 0; progress.at < task.parts.length;) {
        c.signal.throwIfAborted()
        let sends: readonly Id[] = []
        try {
          ;({ next: progress, sends } = await runPart(batch, task, c, progress))
          tries = 0
          c.reportProgress(done(), total, `正在${batch.actionLabel}`)
        } catch (e) {
          if (!isRetryableConflict(e) || ++tries > 5) throw e
        }
        // After the commit. If the process ends before, the cron sends the queued notices.
        if (sends.length) {
          await sendQueuedNotices(c.app, c.scope.ownerId, sends, c.signal)
        }
      }
      const summary = countByReason(progress.refused)
      const skipped = summary.reduce((n, r) => n + r.count, 0)
      return {
        success: progress.success,
        skipped,
        summary,
        message: [
          `${batch.actionLabel}成功 ${progress.success} 张`,
          skipped ? `，跳过 ${skipped} 张，原因见结果文件` : '',
          resultText(batch, task[storedInputKey], progress),
        ].join(''),
        ...(skipped
          ? {
              file: await saveRefusalFile(
                c,
                progress.refused,
                `没有${batch.actionLabel}的账单`,
                String(c.taskId),
              ),
            }
          : {}),
      }
    },
  }),
)

export const filterBatchHandlers = filterBatches.map(createHandler)
