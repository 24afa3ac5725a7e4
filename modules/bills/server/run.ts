import { labelOf } from '#kit/contract/field.ts'
import { absent, refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handle.ts'
import { job, type Running } from '#kit/server/jobs.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { addMonths, type Day } from '#kit/domain/day.ts'
import { parseYuan } from '#kit/domain/money.ts'
import { monthOf, type Month } from '#kit/domain/month.ts'
import type { Scope } from '#kit/server/scope.ts'
import { byIds, insert, page } from '#kit/server/table.ts'
import { skipReason } from '#modules/fees/contract/choices.ts'
import { chargedStandards, countRelations } from '#modules/fees/server/public.ts'
import { billRun, type BillRun } from '../contract/bill.ts'
import {
  calcBill,
  exportPreview,
  generateScope,
  listRuns,
  oneRun,
  previewBills,
  type Asked,
} from '../contract/run.ts'
import { numberBook, numbers } from './number.ts'
import { previewRun } from './run-preview.ts'
import { previewFile } from './run-preview-export.ts'
import { dueBefore } from './run-plan.ts'
import { autoOnly, prepareRun, type Prepared } from './run-scope.ts'
import { takeUp } from './run-task.ts'
import { workOff } from './run-work.ts'
import { bornState } from './settings.ts'

/** Generation reaches a year ahead at most: nobody bills 2099 by a slip of the finger. */
const monthRefusal = (month: Month, today: Day): string | undefined =>
  month > monthOf(addMonths(today, 12))
    ? '账期最多提前 12 个月，请检查账期'
    : month < '2000-01'
      ? '账期过早，请检查账期'
      : undefined

const prepared = async (
  db: Db,
  scope: Scope,
  { projectCode, month, ...asked }: Asked,
  today: Day,
): Promise<Prepared> => {
  const no = monthRefusal(month, today)
  if (no) return refuse(no)
  return prepareRun(db, scope, projectCode, asked, { month, today })
}

/** Begins a run in the caller's transaction: its row, and the task that works it off. */
export async function startRun(
  tx: Tx,
  scope: Scope,
  jobs: { start: Running['world']['jobs']['start'] },
  said: {
    readonly project: string
    readonly kind: BillRun['kind']
    readonly month?: Month
    readonly scope: BillRun['scope']
    readonly total: number
    readonly title: string
    readonly today: Day
  },
): Promise<BillRun> {
  const [batchNo = ''] = await numbers(tx, scope.ownerId, 'PC', said.today, 1)
  const here = { ...scope, projectCode: said.project }
  const run = await insert(tx, billRun, scope, {
    projectCode: said.project,
    batchNo,
    kind: said.kind,
    ...(said.month ? { month: said.month } : {}),
    scope: said.scope,
    total: said.total,
    done: 0,
    afterId: 0,
    made: 0,
    behind: 0,
    amount: 0,
    state: 'waiting',
  })
  const taskId = await jobs.start(tx, here, 'bills.generate', `${said.title}（批次 ${batchNo}）`, {
    run: run.id,
  })
  await tx.run(
    sql`update bill_run set task_id = ${taskId} where owner_id = ${scope.ownerId} and id = ${run.id}`,
  )
  return { ...run, taskId }
}

export const generateJob = job<{ run: number }>({
  kind: 'bills.generate',
  type: 30,
  run: ({ run: id }, c) =>
    takeUp(c, id, async row => {
      const { store, scope, world } = c
      const owner = scope.ownerId
      const today = dayOfMoment(fromInstant(world.clock()))
      const ready = (): Promise<Prepared> =>
        prepareRun(
          store.reader(owner),
          scope,
          row.projectCode,
          row.scope,
          row.kind === 'nightly'
            ? { today, due: x => dueBefore(x, today), only: autoOnly }
            : { month: row.month!, today },
        )
      const note = (r: BillRun): string => `已生成 ${r.made} 张`
      c.progress(row.done, Math.max(row.total, row.done), note(row))
      const end = await workOff(
        {
          store,
          scope,
          state: await bornState(store.reader(owner), owner, row.projectCode),
          source: 'auto',
          numbers: numberBook(store, owner, today),
          save: tx => c.checkpoint.save(tx, {}),
          told: r => c.progress(r.done, Math.max(r.total, r.done), note(r)),
          anew: ready,
        },
        await ready(),
        row,
      )
      const counted = (out: boolean): number =>
        (end.skips ?? []).reduce((n, s) => n + ((s.reason === 'excluded') === out ? s.count : 0), 0)
      const skipped = counted(false)
      const excluded = counted(true)
      const message = `生成 ${end.made} 张${skipped ? `，跳过 ${skipped} 个` : ''}${excluded ? `，人工排除 ${excluded} 个` : ''}${end.behind ? `；还有 ${end.behind} 个关联欠账期超过 36 期，请再生成一次` : ''}`
      return {
        success: end.made,
        skipped,
        message,
        summary: (end.skips ?? []).map(s => ({ reason: labelOf(skipReason, s.reason), count: s.count })),
      }
    }),
})

export const runHandlers = [
  writes(calcBill, async ({ isPreview, ...asked }, { tx, scope, today, world }) => {
    const p = await prepared(tx, scope, asked, today)
    if (isPreview)
      return {
        preview: await previewRun(
          tx,
          p,
          (await bornState(tx, scope.ownerId, asked.projectCode)) === 'pending',
        ),
      }
    const total = await countRelations(tx, scope.ownerId, { ...p.walk, after: 0 })
    const { projectCode, month, ...rest } = asked
    if (!total) return refuse('所选范围内没有收费关联，请先在收费关联里绑定收费标准')
    return {
      run: await startRun(tx, scope, world.jobs, {
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
  reads(exportPreview, async (q, { db, scope, today, world }) => {
    const { group: _, reason: __, ...asked } = q
    return previewFile(
      world,
      scope,
      q,
      await previewRun(db, await prepared(db, scope, asked, today), false),
      today,
    )
  }),
  reads(previewBills, async (asked, { db, scope, today }) =>
    previewRun(
      db,
      await prepared(db, scope, asked, today),
      (await bornState(db, scope.ownerId, asked.projectCode)) === 'pending',
    ),
  ),
  reads(generateScope, async ({ projectCode }, { db, scope }) => {
    const all = await chargedStandards(db, scope.ownerId, { project: projectCode })
    const counts = new Map(
      (
        await db.rows<{ id: number; n: number; billedTo?: Day }>(
          sql`
            select t.standard_id as id, count(*)::int as n, min(t.billed_to) as billed_to
            from fee_relation t
            where t.owner_id = ${scope.ownerId}
              and t.project_code = ${projectCode}
              and t.delete_tag = 0
              and t.state <> 30
            group by 1
          `,
        )
      ).map(r => [r.id, r]),
    )
    return {
      pending: (await bornState(db, scope.ownerId, projectCode)) === 'pending',
      standards: [...all.values()]
        .filter(x => !['imported', 'times'].includes(x.formula.formulaType))
        .map(x => {
          const n = counts.get(x.standard.id)
          return {
            id: x.standard.id,
            name: x.standard.name,
            itemName: x.item.name,
            feeType: x.item.feeType,
            formulaType: x.formula.formulaType,
            billMode: x.item.billMode,
            relations: n?.n ?? 0,
            ...(n?.billedTo ? { billedTo: n.billedTo } : {}),
          }
        }),
    }
  }),
  reads(listRuns, (q, { db, scope }) =>
    page(db, billRun, scope, q, { filters: listRuns.input.filters!, sums: ['made', 'amount'] }),
  ),
  reads(oneRun, async ({ id }, { db, scope, now }) => {
    const [run] = await byIds(db, billRun, scope, [id])
    if (!run) throw absent()
    const [[who], [have]] = await db.all<
      [
        { name: string },
        {
          unpaid: number
          unpaidAmount: string
          paid: number
          invoiced: number
          locked: number
          gone: number
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
        select count(*) filter (where live and not paid and not invoiced and not locked)::int as unpaid,
          coalesce(
            sum(unpaid) filter (where live and not paid and not invoiced and not locked), 0
          )::text as unpaid_amount,
          count(*) filter (where live and paid)::int as paid,
          count(*) filter (where live and not paid and invoiced)::int as invoiced,
          count(*) filter (where live and not paid and not invoiced and locked)::int as locked,
          count(*) filter (where not live)::int as gone
        from (
          select b.unpaid, b.state in (10, 20) and b.delete_tag = 0 as live,
            b.paid_principal > 0 or b.late_fee_paid > 0 as paid, b.invoice_state <> 0 as invoiced,
            coalesce(b.lock_until > ${now}::timestamptz, false) as locked
          from bill b
          where b.owner_id = ${scope.ownerId} and b.batch_no = ${run.batchNo}
        ) x
      `,
    )
    return {
      ...run,
      ...(who ? { operatorName: who.name } : { operatorName: '系统' }),
      standing: { ...have!, unpaidAmount: parseYuan(have!.unpaidAmount)! },
    }
  }),
]
