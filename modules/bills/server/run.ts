import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { labelOf } from '#kit/contract/field.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { defineJob, type JobContext } from '#kit/server/jobs.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { addMonths, type Day } from '#kit/domain/day.ts'
import { parseYuan } from '#kit/domain/money.ts'
import { monthOf, type Month } from '#kit/domain/month.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, insert, findPage, tenantFilter } from '#kit/server/table.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { skipReason, relationState } from '#modules/fees/contract/choices.ts'
import { feeRelation } from '#modules/fees/contract/relation.ts'
import { loadChargeableStandards, countRelations } from '#modules/fees/server/public.ts'
import { billRun, type BillRun } from '../contract/bill.ts'
import {
  generateBills,
  exportPreview,
  getGenerateScope,
  listRuns,
  getRun,
  previewBills,
  type RunRequest,
} from '../contract/run.ts'
import { batchPrefix } from './bill-number.ts'
import { previewRun } from './run-preview.ts'
import { createPreviewFile } from './run-preview-export.ts'
import { latestUndueDay } from './run-plan.ts'
import { isAutoBilled, prepareRun, type PreparedRun } from './run-scope.ts'
import { runBatchTask } from './run-task.ts'
import { executeRun } from './run-engine.ts'
import { findInitialState } from './settings.ts'
import { activeStates } from './bill-states.ts'
import { invoiceState } from '../contract/choices.ts'

/** Bills are generated at most a year ahead, which catches a mistyped year. */
function monthRefusal(month: Month, today: Day): string | undefined {
  if (month > monthOf(addMonths(today, 12))) return '账期最多提前 12 个月，请检查账期'
  return month < '2000-01' ? '账期过早，请检查账期' : undefined
}

const prepareMonthRun = async (
  db: Db,
  scope: Scope,
  { projectCode, month, ...request }: RunRequest,
  today: Day,
): Promise<PreparedRun> => {
  const refusal = monthRefusal(month, today)
  if (refusal) return refuse(refusal)
  return prepareRun(db, scope, projectCode, request, { month, today })
}

/** Begins a run in the caller's transaction: writes its row and starts the task that generates its bills. */
export async function startRun(
  tx: Tx,
  scope: Scope,
  jobs: { start: JobContext['app']['jobs']['start'] },
  request: {
    readonly project: string
    readonly kind: BillRun['kind']
    readonly month?: Month
    readonly scope: BillRun['scope']
    readonly total: number
    readonly title: string
    readonly today: Day
  },
): Promise<BillRun> {
  const batchNo = await tx.numbers.next(scope.ownerId, batchPrefix, request.today)
  const projectScope = { ...scope, projectCode: request.project }
  const run = await insert(tx, billRun, scope, {
    projectCode: request.project,
    batchNo,
    kind: request.kind,
    ...(request.month ? { month: request.month } : {}),
    scope: request.scope,
    total: request.total,
    done: 0,
    afterId: 0,
    made: 0,
    behind: 0,
    amount: 0,
    state: 'waiting',
  })
  const taskId = await jobs.start(tx, projectScope, 'bills.generate', `${request.title}（批次 ${batchNo}）`, {
    run: run.id,
  })
  await tx.execute(
    sql`update bill_run set task_id = ${taskId} where owner_id = ${scope.ownerId} and id = ${run.id}`,
  )
  return { ...run, taskId }
}

export const generateJob = defineJob<{ run: Id }>({
  kind: 'bills.generate',
  type: 30,
  run: ({ run: id }, c) =>
    runBatchTask(c, id, async row => {
      const { database, scope, app } = c
      const ownerId = scope.ownerId
      const today = dayOfMoment(fromInstant(app.clock()))
      const prepare = (): Promise<PreparedRun> =>
        prepareRun(
          database.reader(ownerId),
          scope,
          row.projectCode,
          row.scope,
          row.kind === 'nightly'
            ? { today, due: x => latestUndueDay(x, today), only: isAutoBilled }
            : { month: defined(row.month), today },
        )
      const progressText = (r: BillRun): string => `已生成 ${r.made} 张`
      c.reportProgress(row.done, Math.max(row.total, row.done), progressText(row))
      const finished = await executeRun(
        {
          database,
          scope,
          state: await findInitialState(database.reader(ownerId), ownerId, row.projectCode),
          source: 'auto',
          today,
          save: tx => c.checkpoint.save(tx, {}),
          onProgress: r => c.reportProgress(r.done, Math.max(r.total, r.done), progressText(r)),
          reloadRun: prepare,
        },
        await prepare(),
        row,
      )
      const countSkipped = (out: boolean): number =>
        (finished.skips ?? []).reduce((n, s) => n + ((s.reason === 'excluded') === out ? s.count : 0), 0)
      const skipped = countSkipped(false)
      const excluded = countSkipped(true)
      const message = [
        `生成 ${finished.made} 张`,
        skipped ? `，跳过 ${skipped} 个` : '',
        excluded ? `，人工排除 ${excluded} 个` : '',
        finished.behind ? `；还有 ${finished.behind} 个关联欠账期超过 36 期，请再生成一次` : '',
      ].join('')
      return {
        success: finished.made,
        skipped,
        message,
        summary: (finished.skips ?? []).map(s => ({ reason: labelOf(skipReason, s.reason), count: s.count })),
      }
    }),
})

export const runHandlers = [
  writes(generateBills, async ({ isPreview, ...request }, { tx, scope, today, app }) => {
    const prepared = await prepareMonthRun(tx, scope, request, today)
    if (isPreview)
      return {
        preview: await previewRun(
          tx,
          prepared,
          (await findInitialState(tx, scope.ownerId, request.projectCode)) === 'pending',
        ),
      }
    const total = await countRelations(tx, scope.ownerId, { ...prepared.walk, after: 0 })
    const { projectCode, month, ...rest } = request
    if (!total) return refuse('所选范围内没有收费关联，请先在收费关联中绑定收费标准')
    return {
      run: await startRun(tx, scope, app.jobs, {
        project: projectCode,
        kind: 'wizard',
        month,
        scope: rest,
        total,
        title: `生成 ${month} 账单`,
        today,
      }),
    }
  }),
  reads(exportPreview, async (query, { db, scope, today, app }) => {
    const { group: _group, reason: _reason, ...request } = query
    return createPreviewFile(
      app,
      scope,
      query,
      db,
      await previewRun(db, await prepareMonthRun(db, scope, request, today), false),
      today,
    )
  }),
  reads(previewBills, async (request, { db, scope, today }) =>
    previewRun(
      db,
      await prepareMonthRun(db, scope, request, today),
      (await findInitialState(db, scope.ownerId, request.projectCode)) === 'pending',
    ),
  ),
  reads(getGenerateScope, async ({ projectCode }, { db, scope }) => {
    const standards = await loadChargeableStandards(db, scope.ownerId, { project: projectCode })
    const counts = new Map(
      (
        await db.rows<{ id: Id; n: number; billedTo?: Day }>(
          sql`
            select t.standard_id as id, count(*)::int as n, min(t.billed_to) as billed_to
            from fee_relation t
            where ${tenantFilter(feeRelation, scope, projectCode)} and t.state <> ${code(relationState, 'ended')}
            group by 1
          `,
        )
      ).map(r => [r.id, r]),
    )
    return {
      pending: (await findInitialState(db, scope.ownerId, projectCode)) === 'pending',
      standards: [...standards.values()]
        .filter(x => !['imported', 'times'].includes(x.formula.formulaType))
        .map(standard => {
          const counted = counts.get(standard.standard.id)
          return {
            id: standard.standard.id,
            name: standard.standard.name,
            itemName: standard.item.name,
            feeType: standard.item.feeType,
            formulaType: standard.formula.formulaType,
            billMode: standard.item.billMode,
            relations: counted?.n ?? 0,
            ...(counted?.billedTo ? { billedTo: counted.billedTo } : {}),
          }
        }),
    }
  }),
  reads(listRuns, (q, { db, scope }) =>
    findPage(db, billRun, scope, q, { filters: defined(listRuns.input.filters), sums: ['made', 'amount'] }),
  ),
  reads(getRun, async ({ id }, { db, scope, now }) => {
    const [run] = await findByIds(db, billRun, scope, [id])
    if (!run) throw notFound()
    const [[operator], [counts]] = await db.all<
      [
        { name: string },
        {
          unpaid: number
          unpaidAmount: string
          paid: number
          invoiced: number
          locked: number
          abolished: number
        },
      ]
    >(
      sql`
        select real_name as name
        from manager
        where owner_id = ${scope.ownerId}
          and id = (select create_by from bill_run where owner_id = ${scope.ownerId} and id = ${id})
      `,
      sql`
        select count(*) filter (where effective and not paid and not invoiced and not locked)::int as unpaid,
          coalesce(
            sum(unpaid) filter (where effective and not paid and not invoiced and not locked), 0
          )::text as unpaid_amount,
          count(*) filter (where effective and paid)::int as paid,
          count(*) filter (where effective and not paid and invoiced)::int as invoiced,
          count(*) filter (where effective and not paid and not invoiced and locked)::int as locked,
          count(*) filter (where not effective)::int as abolished
        from (
          select b.unpaid, b.state in ${activeStates} and ${notDeleted('b')} as effective,
            b.paid_principal > 0 or b.late_fee_paid > 0 as paid,
            b.invoice_state <> ${code(invoiceState, 'none')} as invoiced,
            coalesce(b.lock_until > ${now}::timestamptz, false) as locked
          from bill b
          where b.owner_id = ${scope.ownerId} and b.batch_no = ${run.batchNo}
        ) x
      `,
    )
    return {
      ...run,
      ...(operator ? { operatorName: operator.name } : { operatorName: '系统' }),
      billCounts: { ...defined(counts), unpaidAmount: parseYuan(defined(counts).unpaidAmount) },
    }
  }),
]
