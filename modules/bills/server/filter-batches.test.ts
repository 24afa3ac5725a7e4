import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { sql, type Database } from '#kit/server/db.ts'
import { ConnectionCut, cutAt } from '#kit/server/fixtures/fault-injection.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { clockScope } from '#kit/server/scope.ts'
import { cellToText } from '#kit/server/workbook/worksheet.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { toError } from '#kit/domain/to-error.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { abolishBillsByFilter, auditBillsByFilter } from '../contract/actions.ts'
import { setDiscountByFilter, setLateFeeByFilter } from '../contract/adjustments.ts'
import { listBills } from '../contract/list.ts'
import { listNotices, remindBillsByFilter } from '../contract/reminder.ts'
import { seedBillRows, seedFeeItem, type SeededBill } from './fixtures.ts'
import { filterBatchJobs, storedInputKey } from './filter-batches.ts'

let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let item: Id = 0
let k = 0
let people: { id: Id; name: string; mobile: string }[] = []

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  ownerId = t.ownerId
  item = await t.database.tx(ownerId, tx => seedFeeItem(tx, ownerId, 'WHOLE', { late: 'capped' }))
  people = await t.database.reader(ownerId).rows(
    sql`
        select distinct on (mobile) id, name, mobile
        from resident
        where owner_id = ${ownerId} and mobile ~ '^1[3-9]\\d{9}$' and delete_tag = 0
        order by mobile
        limit 3
      `,
  )
})

afterAll(() => t?.close())
const db = () => t.database.reader(ownerId)

/** A batch of bills of 300.00 each, and how it is sought and counted. */
async function batch(
  n: number,
  overrides: (i: number) => SeededBill = () => ({}),
): Promise<{ batchNo: string; count: number; sum: Fen; ids: Id[] }> {
  const batchNo = `PCW${++k}`
  const ids = await t.database.tx(ownerId, tx =>
    seedBillRows(
      tx,
      ownerId,
      item,
      Array.from({ length: n }, (_, i) => ({
        source: `W${k}-${i}`,
        type: 20,
        batch: batchNo,
        ...overrides(i),
      })),
    ),
  )
  return { batchNo, count: n, sum: asFen(n * 30_000), ids }
}

const figures = (batchNo: string) =>
  db().one(
    sql`
      select count(*)::int as n, sum(discount_amount)::text as discount,
        sum(late_fee_waived)::text as waived, sum(urge_count)::int as urged,
        (select count(*)::int from bill_adjust a where a.bill_id = any(array_agg(b.id))) as adjusts
      from bill b
      where owner_id = ${ownerId} and batch_no = ${batchNo} and delete_tag = 0
    `,
  )

const sheet = async (file: string) =>
  (await defined(await t.app.files.find(ownerId, file)).withPath(readWorkbook)).lines.map(l =>
    cellToText(l.cells.at(-1)),
  )

it('BILL-1, G-11: a discount over more than 2,000 bills goes to a task, which does all that were seen and tells which it may not, with why', async () => {
  const { ids, ...b } = await batch(2500, i => (i < 300 ? { paid: asFen(30_000) } : {}))
  expect(
    await refusalMessageOf(
      t.call(setDiscountByFilter, { ...b, count: 2400, kind: 'rate', percent: '10', reason: '疫情减免' }, me),
    ),
  ).toContain('数据已变化：原为 2400 张')
  expect(
    await refusalMessageOf(
      t.call(
        setDiscountByFilter,
        { count: 2500, sum: asFen(1), kind: 'rate', percent: '10', reason: '疫情减免' },
        me,
      ),
    ),
  ).toBe('请先设置筛选条件，不能对全部账单操作')
  expect(
    await refusalMessageOf(t.call(setDiscountByFilter, { ...b, kind: 'rate', reason: '疫情减免' }, me)),
  ).toBe('请填写减免比例，0 到 100')
  const { taskId } = await t.call(
    setDiscountByFilter,
    { ...b, kind: 'rate', percent: '10', reason: '疫情减免' },
    me,
  )
  const task = await t.waitForTask(defined(taskId))
  expect(task).toMatchObject({
    state: 30,
    success: 2200,
    skipped: 300,
    summary: [{ reason: '账单已缴清，请核对刷新后的账单', count: 300 }],
    message: '减免成功 2200 张，跳过 300 张，原因见结果文件',
  })
  expect((await sheet(defined(task.resultFile))).length).toBe(300)
  expect(await figures(b.batchNo)).toMatchObject({ n: 2500, discount: '66000.00', adjusts: 2200 })
  // At once where there are few, and the filter may be of discounts themselves.
  expect(
    await t.call(
      setDiscountByFilter,
      {
        batchNo: b.batchNo,
        discounted: true,
        payState: ['paid'],
        count: 0,
        sum: 0,
        kind: 'amount',
        amount: 0,
        reason: '取消',
      },
      me,
    ),
  ).toMatchObject({ success: 0 })
  expect((await t.call(listBills, { batchNo: b.batchNo, discounted: true }, me)).total).toBe(2200)
  expect(ids.length).toBe(2500)
})

it('LATE-8, GEN-8: late fees and audits over a whole filter', async () => {
  const { ids: _, ...b } = await batch(2100)
  const task = await t.waitForTask(
    defined((await t.call(setLateFeeByFilter, { ...b, kind: 'waive', reason: '集中减免' }, me)).taskId),
  )
  // 300.00 × 0.05 % × 113 days
  expect([task.success, await figures(b.batchNo)]).toMatchObject([
    2100,
    { waived: '35595.00', adjusts: 2100 },
  ])
  const { ids: __, ...few } = await batch(5, () => ({ state: 10 }))
  expect(await t.call(auditBillsByFilter, { ...few, state: ['pending'] }, me)).toMatchObject({
    success: 5,
  })
})

it('G-11: of an abolition by search each reason is counted whole, and its sheet has every bill', async () => {
  const { ids: _, ...b } = await batch(2300, i => (i < 250 ? { paid: asFen(1) } : {}))
  const task = await t.waitForTask(
    defined((await t.call(abolishBillsByFilter, { ...b, reason: '批次有误' }, me)).taskId),
  )
  expect(task).toMatchObject({
    success: 2050,
    skipped: 250,
    summary: [{ reason: '已缴费账单不能作废，请先退款', count: 250 }],
  })
  expect((await sheet(defined(task.resultFile))).length).toBe(250)
})

it('URG-4: reminding a whole filter sends one message per payer, however many bills there are', async () => {
  const { ids: _, ...b } = await batch(2200, i => {
    const p = defined(people[i % 3])
    return { payer: p.id, payerName: p.name, mobile: p.mobile }
  })
  const task = await t.waitForTask(
    defined((await t.call(remindBillsByFilter, { ...b, channel: 'sms' }, me)).taskId),
  )
  expect(task).toMatchObject({
    state: 30,
    success: 2200,
    message: '催缴成功 2200 张；已加入发送队列：3 位客户，2200 张账单',
  })
  expect(
    await db().rows(
      sql`
        select bill_count as n, state
        from fee_notice
        where owner_id = ${ownerId} and payer_id = any(${people.map(p => p.id)}) and channel = 10
        order by 1
      `,
    ),
  ).toEqual([733, 733, 734].map(n => ({ n, state: 30 })))
  expect(
    (await t.call(listNotices, { channel: ['sms'] }, me)).rows.map(n => n.billIds.length).filter(n => n > 700)
      .length,
  ).toBe(3)
  const again = await t.waitForTask(
    defined((await t.call(remindBillsByFilter, { ...b, channel: 'sms' }, me)).taskId),
  )
  expect(again).toMatchObject({ success: 0, skipped: 2200, summary: [{ count: 2200 }] })
})

it('2,000 and fewer are done at once, by the same rules', async () => {
  const { ids: _, ...b } = await batch(6, i =>
    i === 5
      ? { paid: asFen(30_000) }
      : { payer: defined(people[i % 3]).id, payerName: defined(people[i % 3]).name },
  )
  expect(
    await t.call(remindBillsByFilter, { ...b, channel: 'phone', promiseDate: '2026-12-01' }, me),
  ).toMatchObject({
    success: 5,
    skipped: 1,
    rows: [{ reason: '已缴清' }],
    message: expect.stringMatching(/^已登记「电话登记」：\d+ 位客户，5 张账单$/),
  })
  expect(
    await refusalMessageOf(
      t.call(remindBillsByFilter, { ...b, channel: 'phone', promiseDate: '2026-11-01' }, me),
    ),
  ).toBe('承诺缴费日不能早于今天')
  expect(
    await t.call(setDiscountByFilter, { ...b, kind: 'amount', amount: asFen(500), reason: '补偿' }, me),
  ).toMatchObject({ success: 5, skipped: 1 })
  expect(await figures(b.batchNo)).toMatchObject({ discount: '25.00', urged: 5 })
  expect(await refusalMessageOf(t.call(setLateFeeByFilter, { ...b, kind: 'fix', reason: '定额' }, me))).toBe(
    '请填写违约金定额',
  )
})

async function worked(kind: string, database: Database, task: Id): Promise<void> {
  const row = await db().one<{ input: never; kept?: string }>(
    sql`select run_input as input, run_checkpoint::text as kept from task_center where id = ${task}`,
  )
  let kept = defined(row).kept
  await defined(filterBatchJobs.find(j => j.kind === kind)).run(defined(row).input, {
    database,
    scope: clockScope(t.app, ownerId),
    app: t.app,
    taskId: task,
    signal: new AbortController().signal,
    reportProgress: () => {},
    checkpoint: {
      read: () => (kept === undefined ? undefined : JSON.parse(kept)),
      save: async (tx, v) => {
        await tx.execute(
          sql`update task_center set run_checkpoint = ${JSON.stringify(v)}::jsonb where id = ${task}`,
        )
        tx.onCommit(() => {
          kept = JSON.stringify(v)
        })
      },
    },
  })
}

it('cut off at any statement and gone on with: every bill once', async () => {
  let last = false
  for (let at = 2; !last; at += 5) {
    const b = await batch(9, i => (i === 4 ? { state: 30 } : {}))
    const parts = [b.ids.slice(0, 3), b.ids.slice(3, 6), b.ids.slice(6)]
    const task = await t.database.tx(
      ownerId,
      async tx =>
        defined(
          await tx.one<{ id: Id }>(
            sql`
            insert into task_center (owner_id, title, kind, operator_id, operator_name, run_input, state)
            values (
              ${ownerId}, 'x', 'none', 1, 'x',
              ${JSON.stringify({ parts, [storedInputKey]: { kind: 'waive', reason: '减免' } })}::jsonb, 20
            )
            returning id
          `,
          ),
        ).id,
    )
    const cut = await worked('bills.lateFee', cutAt(t.database, at), task).then(
      () => false,
      e => {
        if (e instanceof ConnectionCut) return true
        throw toError(e)
      },
    )
    last = !cut
    if (cut) {
      await worked('bills.lateFee', t.database, task)
    }
    expect(await figures(b.batchNo)).toMatchObject({ waived: '135.60', adjusts: 8 })
  }
})
