import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cellToText } from '#kit/server/workbook/worksheet.ts'
import { Refused } from '#kit/contract/wire.ts'
import { sql, type Database } from '#kit/server/db.ts'
import { ConnectionCut, cutAt } from '#kit/server/fixtures/fault-injection.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { refusalMessageOf, refusedTextsOf } from '#kit/server/fixtures/refusal.ts'
import { toError } from '#kit/domain/to-error.ts'
import { changePrice, getStandard } from '#modules/fees/contract/standard-calls.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import { repriceAllBills, listRepriceable } from '../contract/reprice.ts'
import { generateBills, getRun, undoRun } from '../contract/run.ts'
import { bindRooms, seedFee, testScope, type SeededFee, type SeededRoom } from './generate.fixtures.ts'
import { openBilling } from './golden.fixtures.ts'
import { repriceJob } from './reprice-job.ts'

const project = 'GOLD0001'
let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let rooms: SeededRoom[] = []

beforeAll(async () => {
  ;({ t, me, ownerId, rooms } = await openBilling(project))
  rooms = rooms.slice(0, 12)
})

afterAll(() => t?.close())

const scope = () => testScope(ownerId)
const db = () => t.database.reader(ownerId)

/**
 * A fee of 100 a month, its bills from `begin` to November made, and 120 its price since before all of them.
 */
async function feeWithOldBills(begin: Day, chargedRooms = rooms): Promise<SeededFee & { n: number }> {
  const f = await t.database.tx(ownerId, async tx => {
    const x = await seedFee(tx, scope(), project, { formula: { formulaType: 'fixed' }, price: '100' })
    await bindRooms(tx, scope(), project, x, chargedRooms, { beginDate: begin })
    return x
  })
  const { run } = await t.call(
    generateBills,
    {
      projectCode: project,
      month: '2026-11',
      standardIds: [String(f.standardId)],
      isPreview: false,
    },
    me,
  )
  await t.waitForTask(defined(defined(run).taskId))
  return {
    ...f,
    n: defined(
      (
        await t.call(
          changePrice,
          { standardId: f.standardId, effectiveDate: begin, price: '120', reason: '调价' },
          me,
        )
      ).oldBills,
    ),
  }
}

const bills = (f: SeededFee, state = 20) =>
  db().rows<{ id: Id; source: string; begin: string; amount: string; replaces?: number; batch: string }>(
    sql`
      select id, source_code as source, begin_date as begin, amount::text, replaces_bill_id as replaces,
        batch_no as batch
      from bill
      where owner_id = ${ownerId} and standard_id = ${f.standardId} and delete_tag = 0 and state = ${state}
      order by source_code, begin_date, id
    `,
  )

const repriceAll = (f: SeededFee & { n: number }, overrides: object = {}) =>
  t.call(repriceAllBills, { standardId: f.standardId, count: f.n, reason: '年度调价', ...overrides }, me)

const sortedAscending = (list: readonly number[]): number[] => list.toSorted((a, b) => a - b)

/** Each bill has one successor, or stands as it was; the months say the same. */
async function expectRepriced(f: SeededFee, keptIds: readonly Id[] = []): Promise<void> {
  const liveBills = await bills(f)
  const abolishedBills = await bills(f, 30)
  const replacements = liveBills.filter(b => b.replaces !== undefined)
  expect([
    sortedAscending(replacements.map(b => defined(b.replaces))),
    new Set(replacements.map(b => b.amount)),
    sortedAscending(liveBills.flatMap(b => (b.replaces === undefined ? [b.id] : []))),
  ]).toEqual([sortedAscending(abolishedBills.map(b => b.id)), new Set(['120.00']), sortedAscending(keptIds)])
  expect(new Set(replacements.map(b => b.batch)).size).toBe(1)
  expect(
    await db().one(
      sql`
        select sum(m.receivable)::text as months
        from bill_month m
        join bill b on b.owner_id = m.owner_id and b.id = m.bill_id
        where b.owner_id = ${ownerId} and b.standard_id = ${f.standardId}
      `,
    ),
  ).toEqual({ months: `${replacements.length * 120 + keptIds.length * 100}.00` })
}

it('FEE-6, BILL-9 however many: one batch in the background, each bill replaced once; G-11 what is refused stays, with its reason in the task and in its sheet', async () => {
  const f = await feeWithOldBills('2025-01-01')
  const before = await bills(f)
  const [part, invoiced, off, unselected] = before
  expect(f.n).toBe(12 * 23)
  const set = (id: Id, to: string) =>
    t.database.tx(ownerId, tx =>
      tx.execute(sql`update bill set ${sql.raw(to)} where owner_id = ${ownerId} and id = ${id}`),
    )
  await set(defined(part).id, 'paid_principal = 0.01')
  await set(defined(invoiced).id, 'invoice_state = 2')
  await set(defined(off).id, 'discount_amount = 5')
  expect(await t.call(listRepriceable, { standardId: f.standardId }, me)).toMatchObject({
    count: 276,
    amount: 2_760_000,
    hasMore: false,
  })
  const a = await repriceAll({ ...f, n: 275 }, { without: [String(defined(unselected).id)] })
  const task = await t.waitForTask(a.taskId)
  expect(task).toMatchObject({
    state: 30,
    success: 272,
    skipped: 3,
    message:
      '重新生成 272 张（年度调价），原金额 27,200.00 元，新金额 32,640.00 元；3 张未改动，原因见结果文件',
  })
  expect(
    defined(task.summary)
      .map(s => s.reason)
      .toSorted(),
  ).toEqual(
    [
      '已缴费账单不能重新生成，请先退款',
      '账单已开票，请先红冲或作废发票',
      '账单有减免，请先取消减免再重新生成',
    ].toSorted(),
  )
  const kept = await t.app.files.find(ownerId, defined(task.resultFile))
  const sheet = await defined(kept).withPath(readWorkbook)
  expect([
    sheet.heading.map(String).slice(0, 2),
    sheet.lines.length,
    sheet.lines.map(l => cellToText(l.cells.at(-1))).toSorted(),
  ]).toEqual([
    ['账单号', '收费对象'],
    3,
    defined(task.summary)
      .map(s => s.reason)
      .toSorted(),
  ])
  await expectRepriced(
    f,
    [part, invoiced, off, unselected].map(b => defined(b).id),
  )
  expect(await t.call(getRun, { id: a.runId }, me)).toMatchObject({
    kind: 'repriced',
    state: 'done',
    batchNo: a.batchNo,
    total: 275,
    done: 275,
    made: 272,
    amount: 3_264_000,
    billCounts: { unpaid: 272 },
  })
  expect((await t.call(getStandard, { id: f.standardId }, me)).oldBills).toBe(4)
  // Asked once more there is what was refused, and nothing of it changes.
  expect(
    await t.waitForTask(
      (await repriceAll({ ...f, n: 3 }, { without: [String(defined(unselected).id)] })).taskId,
    ),
  ).toMatchObject({ success: 0, skipped: 3 })
  await expectRepriced(
    f,
    [part, invoiced, off, unselected].map(b => defined(b).id),
  )
  // The batch goes back like any other (GEN-7).
  expect(await t.call(undoRun, { id: a.runId, reason: '先不调' }, me)).toMatchObject({ abolished: 272 })
})

it('BILL-1 a selection that has changed since the preview is refused; of two clerks one starts the job, the other gets a conflict', async () => {
  const f = await feeWithOldBills('2026-09-01', rooms.slice(0, 3))
  expect(await refusalMessageOf(repriceAll({ ...f, n: 8 }))).toBe(
    '数据已变化：按旧价格出的未缴账单现在要处理 9 张（刚才是 8 张），请刷新后重新核对',
  )
  expect(await refusalMessageOf(repriceAll(f, { reason: '错' }))).toContain('至少 2 个字')
  const outcomes = await Promise.allSettled([repriceAll(f), repriceAll(f)])
  const [one] = outcomes.flatMap(b => (b.status === 'fulfilled' ? [b.value] : []))
  expect(outcomes.map(b => b.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(refusedTextsOf(outcomes)[0]).toContain('正在重新生成')
  await t.waitForTask(defined(one).taskId)
  await expectRepriced(f)
  expect(await t.call(listRepriceable, { standardId: f.standardId }, me)).toMatchObject({ count: 0 })
  expect((await t.call(listRepriceable, { standardId: f.standardId }, me)).runId).toBeUndefined()
})

/**
 * The task as a process would run it, over a store of the test; its messages are kept with the task, as the
 * job runner does.
 */
async function worked(database: Database, task: Id): Promise<void> {
  const row = await db().one<{ input: never; kept?: string }>(
    sql`select run_input as input, run_checkpoint::text as kept from task_center where id = ${task}`,
  )
  await repriceJob.run(defined(row).input, {
    database,
    scope: scope(),
    app: t.app,
    taskId: task,
    signal: new AbortController().signal,
    reportProgress: () => {},
    checkpoint: {
      read: () => {
        const { kept } = defined(row)
        return kept === undefined ? undefined : JSON.parse(kept)
      },
      save: async (tx, v) => {
        await tx.execute(
          sql`update task_center set run_checkpoint = ${JSON.stringify(v)}::jsonb where id = ${task}`,
        )
      },
    },
  })
}

it('GEN-9 cut off at any statement or commit and gone on with: the same bills, once', async () => {
  let at = 3
  let last = false
  for (; !last; at += 7) {
    const f = await feeWithOldBills('2026-09-01', rooms.slice(0, 2))
    const [part] = await bills(f)
    await t.database.tx(ownerId, tx =>
      tx.execute(
        sql`update bill set paid_principal = 1 where owner_id = ${ownerId} and id = ${defined(part).id}`,
      ),
    )
    // The test runs the task: it is inserted without the job runner.
    const until = (await bills(f)).reduce((n, b) => Math.max(n, b.id), 0)
    const task = await t.database.tx(ownerId, async tx => {
      const run = defined(
        await tx.one<{ id: Id }>(
          sql`
          insert into bill_run (owner_id, project_code, batch_no, kind, scope, total, state)
          values (${ownerId}, ${project}, ${`CUT${at}`}, 70, '{}', 6, 10)
          returning id
        `,
        ),
      ).id
      return defined(
        await tx.one<{ id: Id }>(
          sql`
          insert into task_center (owner_id, title, kind, operator_id, operator_name, run_input, state)
          values (
            ${ownerId}, 'x', 'none', 1, 'x',
            ${JSON.stringify({ run, standardId: f.standardId, without: [], until, reason: '调价' })}::jsonb,
            20
          )
          returning id
        `,
        ),
      ).id
    })
    const database = cutAt(t.database, at)
    const cut = await worked(database, task).then(
      () => false,
      e => {
        if (e instanceof ConnectionCut) return true
        throw toError(e)
      },
    )
    last = !cut
    // Cut right after its very end there is nothing left to do.
    if (cut) {
      await worked(t.database, task).catch((e: unknown) => {
        if (!(e instanceof Refused)) throw e
      })
    }
    await expectRepriced(f, [defined(part).id])
  }
  expect(at).toBeGreaterThan(25)
})
