import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { asFen } from '#kit/domain/money.ts'
import type { Month } from '#kit/domain/month.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { sql } from '#kit/server/db.ts'
import { changePrice, getStandard } from '#modules/fees/contract/standard-calls.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import { setDiscount } from '../contract/adjustments.ts'
import { getBill } from '../contract/bill-detail.ts'
import { repriceBills, listRepriceable } from '../contract/reprice.ts'
import { addPreFee } from '../contract/temporary.ts'
import { generateBills, getRun, undoRun } from '../contract/run.ts'
import {
  bindRooms,
  seedFee,
  testScope,
  type SeededFee,
  type SeededRoom,
  type FeeOptions,
} from './generate.fixtures.ts'
import { openBilling } from './golden.fixtures.ts'

const project = 'GOLD0001'
let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let rooms: SeededRoom[] = []

beforeAll(async () => {
  ;({ t, me, ownerId, rooms } = await openBilling(project))
})

afterAll(() => t?.close())

const scope = () => testScope(ownerId)

const fee = async (
  w: FeeOptions,
  chargedRooms: readonly SeededRoom[],
  overrides: object = {},
): Promise<SeededFee & { relations: number[] }> =>
  t.database.tx(ownerId, async tx => {
    const f = await seedFee(tx, scope(), project, w)
    return { ...f, relations: await bindRooms(tx, scope(), project, f, chargedRooms, overrides) }
  })

const run = async (f: SeededFee, month: Month): Promise<void> => {
  const { run: r } = await t.call(
    generateBills,
    { projectCode: project, month, standardIds: [String(f.standardId)], isPreview: false },
    me,
  )
  await t.waitForTask(defined(defined(r).taskId))
}

interface BillRow {
  id: Id
  relation: number
  begin: string
  end: string
  amount: string
  due: string
  state: number
  replaces?: number
  batch: string
}

const findBills = (f: SeededFee, live = true) =>
  t.database.reader(ownerId).rows<BillRow>(
    sql`
        select id, relation_id as relation, begin_date as begin, end_date as end, amount::text,
          due_date as due, state, replaces_bill_id as replaces, batch_no as batch
        from bill
        where owner_id = ${ownerId}
          and standard_id = ${f.standardId}
          and delete_tag = 0
          and (${!live} or state in (10, 20, 50))
        order by relation_id, begin_date, id
      `,
  )

const price = (f: SeededFee, effectiveDate: Day, p: string) =>
  t.call(changePrice, { standardId: f.standardId, effectiveDate, price: p, reason: '调价' }, me)

const listed = async (f: SeededFee) => (await t.call(listRepriceable, { standardId: f.standardId }, me)).rows
const area = { formula: { formulaType: 'fixed' }, price: '100' } as const

it('FEE-6 after a price change the unpaid bills of the old price are listed with both amounts; one action abolishes them and makes new ones, BILL-9 the new ones name the old', async () => {
  const f = await fee(area, rooms.slice(0, 3))
  await run(f, '2026-11')
  const before = await findBills(f)
  expect((await t.call(getStandard, { id: f.standardId }, me)).oldBills).toBe(0)
  // Half of October at 100, half at 131: 16 of 31 days begin on the 16th. 100 × 15/31 + 131 × 16/31 = 116
  expect((await price(f, '2026-10-16', '131')).oldBills).toBe(6)
  expect(await t.call(getStandard, { id: f.standardId }, me)).toMatchObject({ oldBills: 6 })
  const list = await listed(f)
  expect(list.map(r => [r.beginDate, r.amount, r.next, r.change, r.reason])).toEqual(
    list.map(r =>
      r.beginDate === '2026-10-01'
        ? ['2026-10-01', 10_000, 11_600, 1600, undefined]
        : ['2026-11-01', 10_000, 13_100, 3100, undefined],
    ),
  )
  expect(defined(list.find(r => r.beginDate === '2026-10-01')).sentence).toContain('15/31')
  const result = await t.call(repriceBills, { ids: list.map(r => String(r.id)), reason: '十月中调价' }, me)
  expect(result).toMatchObject({
    success: 6,
    skipped: 0,
    made: 6,
    before: 60_000,
    amount: 3 * (11_600 + 13_100),
  })
  const after = await findBills(f)
  expect(after.map(b => [b.begin, b.amount, b.due])).toEqual(
    before.map(b => [
      b.begin,
      b.begin === '2026-09-01' ? '100.00' : b.begin === '2026-10-01' ? '116.00' : '131.00',
      b.due,
    ]),
  )
  expect(after.filter(b => b.begin !== '2026-09-01').map(b => b.replaces)).toEqual(
    before.filter(b => b.begin !== '2026-09-01').map(b => b.id),
  )
  expect(await t.call(getBill, { id: defined(after[1]).id }, me)).toMatchObject({
    exact: true,
    replacesNo: expect.stringMatching(/^ZD/),
  })
  expect([
    (await findBills(f, false)).filter(b => b.state === 30).length,
    await listed(f),
    (await t.call(getStandard, { id: f.standardId }, me)).oldBills,
  ]).toEqual([6, [], 0])
  // Charging is where it stood, and the months of the new bills are in the statistics.
  expect(
    await t.database
      .reader(ownerId)
      .rows(sql`select distinct billed_to as to from fee_relation where standard_id = ${f.standardId}`),
  ).toEqual([{ to: '2026-11-30' }])
  expect(
    await t.database.reader(ownerId).one(
      sql`
          select sum(m.receivable)::text as sum
          from bill_month m
          join bill b on b.owner_id = m.owner_id and b.id = m.bill_id
          where b.owner_id = ${ownerId} and b.standard_id = ${f.standardId} and m.month > '2026-09'
        `,
    ),
  ).toEqual({ sum: '741.00' })
  // The batch can be undone like any other (GEN-7).
  const batch = await t.database.reader(ownerId).one<{ id: Id }>(
    sql`
      select id
      from bill_run
      where owner_id = ${ownerId}
        and batch_no = ${defined(defined(result.batchNos)[0])}
    `,
  )
  expect(await t.call(getRun, { id: defined(batch).id }, me)).toMatchObject({
    kind: 'repriced',
    made: 6,
    billCounts: { unpaid: 6 },
  })
  expect(await t.call(undoRun, { id: defined(batch).id, reason: '先不调' }, me)).toMatchObject({
    abolished: 6,
  })
})

it('FEE-6 what is paid in part, in payment, invoiced, let off, or would stay the same is refused with its reason, and the others are reissued', async () => {
  const f = await fee(area, rooms.slice(0, 7))
  await run(f, '2026-09')
  const [part, paying, invoiced, off, own, paid, repriceable] = (await findBills(f)).map(b => b.id)
  const set = (id: Id, to: string) =>
    t.database.tx(ownerId, tx =>
      tx.execute(sql`update bill set ${sql.raw(to)} where owner_id = ${ownerId} and id = ${id}`),
    )
  await set(defined(part), 'paid_principal = 0.01')
  await set(defined(paying), "lock_until = '2027-01-01', lock_order_id = 1")
  await set(defined(invoiced), 'invoice_state = 2')
  await set(defined(paid), 'paid_principal = 100, pay_state = 1')
  await t.call(
    setDiscount,
    { ids: [String(off)], kind: 'amount', amount: asFen(500), reason: '老人优惠' },
    me,
  )
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        update fee_relation
        set price_override = 100
        where owner_id = ${ownerId}
          and id = (select relation_id from bill where owner_id = ${ownerId} and id = ${defined(own)})
      `,
    ),
  )
  expect((await price(f, '2026-09-01', '120')).oldBills).toBe(6)
  const why = new Map((await listed(f)).map(r => [r.id, r.reason]))
  expect([part, paying, invoiced, off, own, repriceable].map(id => why.get(defined(id)))).toEqual([
    '已缴费账单不能重新生成，请先退款',
    '账单正在支付中，请等支付完成或关闭支付单后再重新生成',
    '账单已开票，请先红冲或作废发票',
    '账单有减免，请先取消减免再重新生成',
    '金额不变，无需重新生成',
    undefined,
  ])
  const result = await t.call(
    repriceBills,
    { ids: [part, paying, invoiced, off, own, paid, repriceable, 999_999].map(String), reason: '调价' },
    me,
  )
  expect([result.success, result.skipped, result.made, result.amount]).toEqual([1, 7, 1, 12_000])
  expect(defined(result.rows.find(r => r.id === paid)).reason).toBe('已缴费账单不能重新生成，请先退款')
  expect((await findBills(f)).filter(b => b.amount === '120.00').map(b => b.replaces)).toEqual([repriceable])
  // Made by today's price already: nothing to do, nothing done.
  const again = defined((await findBills(f)).find(b => b.replaces === repriceable))
  expect((await t.call(repriceBills, { ids: [String(again.id)], reason: '再来' }, me)).rows).toMatchObject([
    { reason: '账单用的就是现行价格，无需重新生成' },
  ])
})

it('FEE-6, MTR-9 a metered bill is reissued, and its reading moves to the new bill', async () => {
  const f = await fee(
    {
      item: { feeType: 'metered' },
      formula: { formulaType: 'usage' },
      standard: { usageUnit: '吨' },
      price: '3.45',
    },
    rooms.slice(0, 1),
  )
  const reading = await t.database.tx(ownerId, async tx => {
    const m = defined(
      await tx.one<{ id: Id }>(
        sql`
        insert into meter (
          owner_id, project_code, meter_no, meter_kind, meter_use, source_type, source_code, source_name,
          sort_key, multiple, init_num, prepay_mode, state
        )
        values (
          ${ownerId}, ${project}, 'RP-1', 10, 1, 10, ${defined(rooms[0]).code}, ${defined(rooms[0]).path}, 'RP-1', 1, 0, 1, 10
        )
        returning id
      `,
      ),
    ).id
    await tx.execute(
      sql`
        update fee_relation
        set meter_id = ${m}
        where owner_id = ${ownerId}
          and id = ${defined(f.relations[0])}
      `,
    )
    return defined(
      await tx.one<{ id: Id }>(
        sql`
        insert into meter_reading (
          owner_id, project_code, meter_id, meter_no, meter_kind, month, last_num, cur_num, last_date,
          read_date, multiple, usage, source, state
        )
        values (
          ${ownerId}, ${project}, ${m}, 'RP-1', 10, '2026-10', 1180, 1190, '2026-09-20', '2026-10-20', 1, 10,
          10, 10
        )
        returning id
      `,
      ),
    ).id
  })
  await run(f, '2026-10')
  const [old] = await findBills(f)
  expect((await price(f, '2026-10-20', '4')).oldBills).toBe(1)
  expect(await listed(f)).toMatchObject([{ id: defined(old).id, amount: 3450, next: 4000 }])
  expect(
    await t.call(repriceBills, { ids: [String(defined(old).id)], reason: '水价上调' }, me),
  ).toMatchObject({
    success: 1,
    amount: 4000,
  })
  const [now] = await findBills(f)
  expect([
    defined(now).replaces,
    defined(now).amount,
    await t.database
      .reader(ownerId)
      .one(sql`select bill_id as bill, state from meter_reading where id = ${reading}`),
  ]).toEqual([defined(old).id, '40.00', { bill: defined(now).id, state: 20 }])
  // A price from the day after the reading does not reach it.
  expect((await price(f, '2026-10-21', '5')).oldBills).toBe(0)
})

it('TMP-3 periods paid ahead keep the price they were promised', async () => {
  const f = await fee(area, rooms.slice(0, 1), { billedTo: '2026-10-31' })
  await t.call(addPreFee, { relationIds: [String(f.relations[0])], count: 2 }, me)
  expect((await price(f, '2026-11-01', '120')).oldBills).toBe(0)
  expect([await listed(f), (await findBills(f)).map(b => b.amount)]).toEqual([[], ['100.00', '100.00']])
})

it('FEE-6 two clerks at once: each bill is reissued once', async () => {
  const f = await fee(area, rooms.slice(0, 5))
  await run(f, '2026-09')
  await price(f, '2026-09-01', '90')
  const ids = (await listed(f)).map(r => String(r.id))
  const results = await Promise.all([1, 2, 3].map(() => t.call(repriceBills, { ids, reason: '调价' }, me)))
  expect([
    results.reduce((n, s) => n + s.success, 0),
    results.reduce((n, s) => n + s.made, 0),
    (await findBills(f)).map(b => b.amount),
  ]).toEqual([5, 5, Array(5).fill('90.00')])
})

it('FEE-6 nothing is touched without the right; a reason is asked (G-10)', async () => {
  const f = await fee(area, rooms.slice(0, 1))
  await run(f, '2026-09')
  await price(f, '2026-09-01', '90')
  const ids = (await listed(f)).map(r => String(r.id))
  await expect(t.call(repriceBills, { ids, reason: '错' }, me)).rejects.toBeInstanceOf(Refused)
  expect((await findBills(f)).map(b => b.amount)).toEqual(['100.00'])
})
