import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { withFaultHook } from '#kit/server/fixtures/fault-injection.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { endRelations } from '#modules/fees/contract/relation-calls.ts'
import { editReading } from '#modules/meters/contract/reading.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { getRecord } from '#modules/payments/contract/record.ts'
import { requestRefund } from '#modules/payments/contract/refund.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { findViolations } from '#db/golden/invariants.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import {
  abolishBills,
  abolishBillsByFilter,
  deleteBills,
  recoverBills,
  reverseWriteOff,
  writeOffBills,
} from '../contract/actions.ts'
import { mergeBill, reissueBill, splitBill } from '../contract/adjustments.ts'
import {
  addPool,
  correctPool,
  deletePools,
  editPool,
  getPool,
  previewPool,
  runPool,
} from '../contract/pool.ts'
import { undoRun } from '../contract/run.ts'
import { createBillActions } from './fen.fixtures.ts'
import { generateNow, type SeededRoom } from './generate.fixtures.ts'
import { openBilling } from './golden.fixtures.ts'

/**
 * Where a fen could get lost between two modules: what one action releases, another must be able to charge,
 * and never twice.
 */
const project = 'GOLD0001'
const today = '2026-11-21'
let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let rooms: SeededRoom[] = []
let d: ReturnType<typeof createBillActions>

beforeAll(async () => {
  ;({ t, me, ownerId, rooms } = await openBilling(project))
  d = createBillActions(t, me, ownerId, project)
  await t.call(updateEstateSetting, { projectCode: project, key: 'RefundAuditFrom', value: '99999999' }, me)
})

afterAll(() => t?.close())

const reading = (id: Id) =>
  d
    .db()
    .one<{ state: number; bill?: number }>(
      sql`select state, bill_id as bill from meter_reading where owner_id = ${ownerId} and id = ${id}`,
    )

const billedTo = async (id: Id) =>
  defined(
    await d
      .db()
      .one<{ to?: string }>(
        sql`select billed_to as to from fee_relation where owner_id = ${ownerId} and id = ${id}`,
      ),
  ).to

const split = (id: Id, overrides: object) => t.call(splitBill, { id, reason: '分开缴', ...overrides }, me)
const expectNoViolations = async () => expect(await findViolations(d.db(), ownerId)).toEqual([])

it('REF-2 a bill abolished with its refund releases its reading and its period', async () => {
  const f = await d.metered(defined(rooms[0]))
  const c = await d.fee({ formula: { formulaType: 'fixed' }, price: '100' }, [defined(rooms[0])])
  await d.run(f, '2026-10')
  await d.run(c, '2026-10')
  const [b] = await d.bills(f)
  const last = defined((await d.bills(c)).at(-1))
  for (const [x, sum] of [
    [defined(b), 3450],
    [last, 10000],
  ] as const) {
    const r = await t.call(
      getRecord,
      {
        id: (
          await t.call(
            payBills,
            {
              projectCode: project,
              billIds: [String(x.id)],
              expectAmount: asFen(sum),
              methods: [{ method: 'cash', amount: asFen(sum) }],
            },
            me,
          )
        ).recordId,
      },
      me,
    )
    await t.call(
      requestRefund,
      {
        recordId: r.id,
        lines: [{ detailId: defined(r.details[0]).id, principal: asFen(sum), late: 0 }],
        refundWay: 'cash',
        billAfter: 'abolished',
        reason: '收错了户',
      },
      me,
    )
  }
  expect([await reading(f.reading), await billedTo(defined(c.relations[0]))]).toEqual([
    { state: 10 },
    '2026-09-30',
  ])
  await d.run(f, '2026-10')
  await d.run(c, '2026-10')
  expect([(await d.bills(f)).map(x => x.amount), (await d.bills(c)).map(x => x.begin)]).toEqual([
    [3450],
    ['2026-09-01', '2026-10-01'],
  ])
  expect(
    await d.db().one(
      sql`
          select abolish_time is not null as abolished, abolish_reason as why
          from bill
          where owner_id = ${ownerId} and id = ${defined(b).id}
        `,
    ),
  ).toEqual({ abolished: true, why: '收错了户' })
  await expectNoViolations()
})

it('MTR-9 both halves of a metered bill abolished: its reading waits again; recovered they have it back, unless another bill has', async () => {
  const f = await d.metered(defined(rooms[1]))
  await d.run(f, '2026-10')
  const [b] = await d.bills(f)
  const [one, two] = await split(defined(b).id, { amount: 1000 })
  await t.call(abolishBills, d.ids(defined(one)), me)
  expect(await reading(f.reading)).toEqual({ state: 20, bill: defined(b).id })
  await t.call(abolishBills, d.ids(defined(two)), me)
  expect(await reading(f.reading)).toEqual({ state: 10 })
  expect(await t.call(recoverBills, d.ids(defined(two)), me)).toMatchObject({ success: 1 })
  expect(await reading(f.reading)).toEqual({ state: 20, bill: defined(b).id })
  await t.call(abolishBills, d.ids(defined(two)), me)
  await d.run(f, '2026-10')
  expect((await d.bills(f)).map(x => x.amount)).toEqual([3450])
  expect((await t.call(recoverBills, d.ids(defined(one), defined(two)), me)).rows.map(r => r.reason)).toEqual(
    [expect.stringContaining('本期已有有效账单'), expect.stringContaining('本期已有有效账单')],
  )
  expect((await d.bills(f)).map(x => x.amount)).toEqual([3450])
})

it('GEN-7 a batch undone whose metered bill was split lets the reading wait again', async () => {
  const f = await d.metered(defined(rooms[2]))
  await d.run(f, '2026-10')
  const [b] = await d.bills(f)
  const [one] = await split(defined(b).id, { amount: 1000 })
  await split(defined(one).id, { amount: 400 })
  await t.call(undoRun, { id: await d.batchOf(defined(b).id), reason: '整批重来' }, me)
  expect([await d.bills(f), await reading(f.reading)]).toEqual([[], { state: 10 }])
})

it('C3.1 a half that nothing is owed on is paid', async () => {
  const f = await d.fee({ formula: { formulaType: 'fixed' }, price: '0.01' }, [defined(rooms[3])])
  await d.run(f, '2026-09')
  const [b] = await d.bills(f)
  await split(defined(b).id, { on: '2026-09-03' })
  expect((await d.bills(f)).map(x => [x.amount, x.payState])).toEqual([
    [0, 1],
    [1, 0],
  ])
  await expectNoViolations()
})

it('CYC-9 charging cannot end while a bill beyond the end is in payment; the refusal names the bill', async () => {
  const f = await d.fee({ formula: { formulaType: 'fixed' }, price: '100' }, [defined(rooms[4])])
  await d.run(f, '2026-11')
  const last = defined((await d.bills(f)).at(-1))
  const end = () =>
    t.call(endRelations, { ids: f.relations.map(String), endDate: '2026-09-30', reason: '退租' }, me)
  const lockUntil = (until: string | null) =>
    t.database.tx(ownerId, tx =>
      tx.execute(
        sql`
          update bill
          set lock_order_id = ${until === null ? null : 7}, lock_until = ${until}
          where owner_id = ${ownerId} and id = ${last.id}
        `,
      ),
    )
  await lockUntil('2026-11-21 09:15:00+08')
  expect(await refusalMessageOf(end())).toContain('正在支付中')
  expect(await billedTo(defined(f.relations[0]))).toBe('2026-11-30')
  // Its time ran out this very morning.
  await lockUntil('2026-11-21 08:59:00+08')
  await end()
  expect([(await d.bills(f)).map(b => b.end), await billedTo(defined(f.relations[0]))]).toEqual([
    ['2026-09-30'],
    '2026-09-30',
  ])
  await lockUntil(null)
})

it('BILL-12 of a split bill one half is deleted: the whole is not put together from the other', async () => {
  const f = await d.fee({ item: { feeType: 'temporary' } }, [])
  const id = await d.temporary(f.itemId, defined(rooms[0]), asFen(10_000))
  const [one] = await split(id, { amount: 4000 })
  await t.call(deleteBills, d.ids(defined(one)), me)
  expect(await refusalMessageOf(t.call(mergeBill, { id, reason: '还原' }, me))).toContain('已删除')
  expect((await d.bills(f)).map(b => b.amount)).toEqual([6000])
})

it('BILL-9 a reissued bill is neither recovered beside the new one nor reissued twice', async () => {
  const f = await d.fee({ item: { feeType: 'temporary' } }, [])
  const id = await d.temporary(f.itemId, defined(rooms[0]), asFen(10_000))
  const reissue = (from = id) =>
    t.call(reissueBill, { id: from, amount: asFen(9000), reason: '金额写错' }, me)
  const next = await reissue()
  expect(defined((await t.call(recoverBills, d.ids(id), me)).rows[0]).reason).toContain(next.billNo)
  expect(await refusalMessageOf(reissue())).toBe(
    `已由账单 ${next.billNo} 替换，不能再次重开；如需修改请重开该账单`,
  )
  const third = await reissue(next.id)
  expect(await refusalMessageOf(reissue())).toContain(third.billNo)
  await t.call(abolishBills, d.ids(third), me)
  expect(await t.call(recoverBills, d.ids(id), me)).toMatchObject({ success: 1 })
  expect((await d.bills(f)).map(b => b.amount)).toEqual([10_000])
})

it('SHR a pool whose bills were abolished one by one may be put right, deleted, and shared again', async () => {
  const f = await d.fee({ item: { feeType: 'shared' }, formula: { formulaType: 'share' } }, rooms.slice(0, 3))
  const input = {
    projectCode: project,
    name: '电梯电费',
    standardId: f.standardId,
    month: '2026-10',
    weightType: 'household',
    totalAmount: asFen(30_000),
    vacantIncluded: true,
    dayWeight: false,
  } as const
  const pool = await t.call(addPool, input, me)
  const setTotal = (totalAmount: Fen) => t.call(editPool, { ...input, id: pool.id, totalAmount }, me)
  await t.call(runPool, { id: pool.id }, me)
  expect(await refusalMessageOf(setTotal(asFen(20_000)))).toContain('请先撤销该批次账单')
  expect(
    await refusalMessageOf(t.call(deletePools, { ids: [String(pool.id)], reason: '重来' }, me)),
  ).toContain('请先撤销批次')
  await t.call(abolishBills, d.ids(...(await d.bills(f))), me)
  await setTotal(asFen(20_000))
  await t.call(runPool, { id: pool.id }, me)
  expect((await d.bills(f)).reduce((n, b) => n + b.amount, 0)).toBe(20_000)
  // Halves count for what they are: the batch undone, nothing of it stands in the way.
  await split(defined((await d.bills(f))[0]).id, { amount: 1000 })
  await t.call(
    undoRun,
    { id: await d.batchOf(defined((await d.bills(f)).at(-1)).id), reason: '整批重来' },
    me,
  )
  expect([
    (await t.call(getPool, { id: pool.id }, me)).state,
    await t.call(previewPool, { id: pool.id }, me),
  ]).toMatchObject(['open', { billed: 'none' }])
  await t.call(runPool, { id: pool.id }, me)
  const [half] = await split(defined((await d.bills(f))[0]).id, { amount: 1000 })
  await t.call(
    payBills,
    {
      projectCode: project,
      billIds: [String(defined(half).id)],
      expectAmount: asFen(1000),
      methods: [{ method: 'cash', amount: asFen(1000) }],
    },
    me,
  )
  expect(await t.call(previewPool, { id: pool.id }, me)).toMatchObject({ billed: 'paid' })
})

it('MTR-9 a reading corrected between read and write is billed as corrected', async () => {
  const f = await d.metered(defined(rooms[5]))
  let done = false
  const database = withFaultHook(t.database, async tx => {
    if (
      !tx ||
      done ||
      !(await tx.one(sql`select 1 from bill where owner_id = ${ownerId} and fee_item_id = ${f.itemId}`))
    )
      return
    done = true
    await t.call(
      editReading,
      {
        id: f.reading,
        meterId: f.meter,
        readDate: '2026-10-20',
        curNum: '1200',
        month: '2026-10',
      },
      me,
    )
  })
  await generateNow(database, d.scope(), project, '2026-10', today, { standardIds: [String(f.standardId)] })
  expect([done, (await d.bills(f)).map(b => b.amount), await reading(f.reading)]).toEqual([
    true,
    [6900],
    { state: 20, bill: defined((await d.bills(f))[0]).id },
  ])
})

it('MTR-9 a bill does not come back for a reading that was put right since', async () => {
  const f = await d.metered(defined(rooms[5]))
  await d.run(f, '2026-10')
  const [b] = await d.bills(f)
  const setReading = (curNum: string) =>
    t.call(
      editReading,
      {
        id: f.reading,
        meterId: f.meter,
        readDate: '2026-10-20',
        curNum,
        month: '2026-10',
      },
      me,
    )
  await t.call(abolishBills, d.ids(defined(b)), me)
  await setReading('1200')
  expect(defined((await t.call(recoverBills, d.ids(defined(b)), me)).rows[0]).reason).toContain('已更正')
  await setReading('1190')
  expect(await t.call(recoverBills, d.ids(defined(b)), me)).toMatchObject({ success: 1 })
})

it('SHR-5 abolished bills of a correction are not recovered after the correction was shared again', async () => {
  const f = await d.fee({ item: { feeType: 'shared' }, formula: { formulaType: 'share' } }, rooms.slice(0, 2))
  const pool = await t.call(
    addPool,
    {
      projectCode: project,
      name: '电梯电费',
      standardId: f.standardId,
      month: '2026-10',
      weightType: 'household',
      totalAmount: asFen(20_000),
      vacantIncluded: true,
      dayWeight: false,
    },
    me,
  )
  await t.call(runPool, { id: pool.id }, me)
  const [first] = await d.bills(f)
  await t.call(
    payBills,
    {
      projectCode: project,
      billIds: [String(defined(first).id)],
      expectAmount: asFen(10_000),
      methods: [{ method: 'cash', amount: asFen(10_000) }],
    },
    me,
  )
  const fix = await t.call(correctPool, { id: pool.id, right: 21_000, remark: '漏了发票' }, me)
  const share = () => t.call(runPool, { id: fix.id }, me)
  await share()
  const old = (await d.bills(f)).slice(2)
  await t.call(abolishBills, d.ids(...old), me)
  expect(await t.call(recoverBills, d.ids(...old), me)).toMatchObject({ success: 2 })
  await t.call(abolishBills, d.ids(...old), me)
  await share()
  expect((await t.call(recoverBills, d.ids(...old), me)).rows.map(r => r.reason)).toEqual(
    Array(2).fill('所属公摊已删除或已重新分摊，不能恢复'),
  )
  expect((await d.bills(f)).reduce((n, b) => n + b.amount, 0)).toBe(21_000)
})

it('C3.1 a write-off taken back when its late fee no longer holds is paid', async () => {
  const f = await d.fee(
    { item: { feeType: 'temporary', lateFeeSwitch: true, lateRates: [{ rate: '0.001' }] } },
    [],
  )
  const id = await d.temporary(f.itemId, defined(rooms[0]), asFen(10_000), {
    beginDate: '2026-09-01',
    endDate: '2026-09-30',
    dueDate: '2026-10-22',
  })
  await t.call(
    payBills,
    {
      projectCode: project,
      billIds: [String(id)],
      expectAmount: asFen(10_300),
      methods: [{ method: 'cash', amount: asFen(10_300) }],
    },
    me,
  )
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`update bill set late_fee_due = 5.00, pay_state = 0 where owner_id = ${ownerId} and id = ${id}`,
    ),
  )
  await t.call(writeOffBills, d.ids(id), me)
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`update fee_item set late_fee_switch = false where owner_id = ${ownerId} and id = ${f.itemId}`,
    ),
  )
  await t.call(reverseWriteOff, d.ids(id), me)
  await expectNoViolations()
})

it('LATE-6 a write-off taken back computes the late fee from what was paid when', async () => {
  const f = await d.fee(
    { item: { feeType: 'temporary', lateFeeSwitch: true, lateRates: [{ rate: '0.001' }] } },
    [],
  )
  const id = await d.temporary(f.itemId, defined(rooms[0]), asFen(10_000), {
    beginDate: '2026-09-01',
    endDate: '2026-09-30',
    dueDate: '2026-10-22',
  })
  await t.call(updateEstateSetting, { projectCode: project, key: 'BackDateDays', value: '30' }, me)
  // 20 days of 100.00 are 2.00, then 10 days of 50.00 are 0.50.
  await t.call(
    payBills,
    {
      projectCode: project,
      billIds: [String(id)],
      expectAmount: asFen(10_200),
      payTime: '2026-11-11 10:00:00',
      methods: [{ method: 'cash', amount: asFen(5_200) }],
    },
    me,
  )
  const lateFee = async () =>
    (
      await d.db().one<{ due: string }>(sql`
        select late_fee_due::text as due
        from bill
        where id = ${id}
      `)
    )?.due
  await t.call(writeOffBills, d.ids(id), me)
  await t.call(reverseWriteOff, d.ids(id), me)
  expect(await lateFee()).toBe('2.50')
  await expectNoViolations()
})

it('BILL-1 a filter that asks for nothing is none', async () => {
  for (const q of [
    { payerKind: 'resident' },
    { keyword: '' },
    { keyword: '  ' },
    { feeItemId: [] },
    { sourceCode: '' },
  ] as const) {
    expect([
      q,
      await refusalMessageOf(
        t.call(
          abolishBillsByFilter,
          { projectCode: project, ...q, count: 3, sum: asFen(5), reason: '试试看' },
          me,
        ),
      ),
    ]).toEqual([q, '请先设置筛选条件，不能对全部账单操作'])
  }
})
