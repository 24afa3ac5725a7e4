import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fromInstant } from '#kit/domain/moment.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { castForTest } from '#kit/domain/fixtures.ts'
import { golden } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import {
  abolishBills,
  abolishBillsByFilter,
  auditBills,
  deleteBills,
  deleteBillsByFilter,
  recoverBills,
  recoverBillsByFilter,
  reverseWriteOff,
  writeOffBills,
} from '../contract/actions.ts'
import {
  changePayer,
  editBillAmount,
  markBills,
  mergeBill,
  setDiscount,
  setLateFee,
  reissueBill,
  splitBill,
} from '../contract/adjustments.ts'
import type { Bill } from '../contract/bill.ts'
import { listBills, listRedundantBills } from '../contract/list.ts'
import { getBillHistory, listAdjusts, getBill } from '../contract/bill-detail.ts'
import { seedBillRows, seedFeeItem, type SeededBill } from './fixtures.ts'

let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let item: Id = 0
let late: Id = 0
let room = ''

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  ownerId = t.ownerId
  await t.database.tx(ownerId, async tx => {
    item = await seedFeeItem(tx, ownerId, 'PLAIN')
    late = await seedFeeItem(tx, ownerId, 'LATE', { late: 'capped' })
  })
  room = defined(
    await t.database.reader(ownerId).one<{ code: string }>(
      sql`
        select code
        from room
        where owner_id = ${ownerId}
          and project_code = 'GOLD0001'
        order by id
        limit 1
      `,
    ),
  ).code
})

afterAll(() => t?.close())

let k = 0

const makeBills = (...list: SeededBill[]): Promise<Id[]> =>
  t.database.tx(ownerId, tx =>
    seedBillRows(
      tx,
      ownerId,
      item,
      list.map(b => ({ source: `${room}#${++k}`, type: 20, ...b })),
    ),
  )

const toRequest = (ids: readonly Id[], reason = '录入有误') => ({ ids: ids.map(String), reason })

const findBill = async (id: Id): Promise<Bill> => await t.call(getBill, { id }, me)

const months = (id: Id) =>
  t.database.reader(ownerId).rows<{ month: string; receivable: string; discount: string }>(
    sql`
      select month, receivable::text, discount::text
      from bill_month
      where bill_id = ${id}
      order by month
    `,
  )

const audits = (id: Id) =>
  t.database.reader(ownerId).rows<{ action: string; before?: object; after?: object; reason?: string }>(
    sql`
        select action, before, after, reason
        from audit_log
        where owner_id = ${ownerId} and entity = 'bill' and entity_id = ${id}
        order by id
      `,
  )

it('BILL-2, T-BILL-03: abolishes what may be, tells why not of each other', async () => {
  const [a, b, c] = await makeBills({}, { paid: asFen(1) }, { state: 30 })
  const result = await t.call(
    abolishBills,
    toRequest([defined(a), defined(b), defined(c), asId(999_999)]),
    me,
  )
  expect(result).toMatchObject({ success: 1, fail: 0, skipped: 3 })
  expect(result.rows.map(r => r.reason)).toEqual([
    '账单不存在或已被删除',
    '已缴费账单不能作废，请先退款',
    '当前为“已作废”，不能作废；只有“待审核”、“正常”的账单可以作废',
  ])
  expect(await findBill(defined(a))).toMatchObject({ state: 'abolished', abolishReason: '录入有误' })
  expect(await months(defined(a))).toEqual([])
  expect(await audits(defined(a))).toMatchObject([
    { action: 'state', before: { state: 'normal' }, after: { state: 'abolished' }, reason: '录入有误' },
  ])
  expect(await refusalMessageOf(t.call(abolishBills, toRequest([defined(a)], '错'), me))).toBe(
    '原因至少 2 个字',
  )
})

it('BILL-3: an expired payment order loses its hold on an abolished bill', async () => {
  const [a] = await makeBills({})
  const hold = () =>
    t.database
      .reader(ownerId)
      .one(sql`select lock_order_id as "orderId", lock_until as until from bill where id = ${defined(a)}`)
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`
      update bill
      set lock_order_id = 7, lock_until = '2026-11-01 10:00:00'
      where owner_id = ${ownerId} and id = ${defined(a)}
    `),
  )
  expect(await hold()).toMatchObject({ orderId: 7 })
  expect(await t.call(abolishBills, toRequest([defined(a)]), me)).toMatchObject({ success: 1 })
  expect(await hold()).not.toHaveProperty('orderId', 7)
})

it('BILL-3: a bill in payment refuses every change', async () => {
  const [a] = await makeBills({})
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        update bill
        set lock_order_id = 7, lock_until = '2026-11-21 09:15:00+08'
        where id = ${defined(a)}
      `,
    ),
  )
  for (const p of [
    t.call(abolishBills, toRequest([defined(a)]), me),
    t.call(setDiscount, { ...toRequest([defined(a)]), kind: 'amount', amount: asFen(100) }, me),
    t.call(setLateFee, { ...toRequest([defined(a)]), kind: 'fix', amount: asFen(100) }, me),
    t.call(changePayer, { ...toRequest([defined(a)]), payerKind: 'resident', payerId: asId(1) }, me),
    t.call(writeOffBills, toRequest([defined(a)]), me),
  ]) {
    expect(defined((await p).rows[0]).reason).toContain('账单正在支付中')
  }
  expect(
    await refusalMessageOf(t.call(splitBill, { id: defined(a), amount: asFen(100), reason: '分开' }, me)),
  ).toContain('账单正在支付中')
  expect((await t.call(listBills, { locked: true }, me)).rows.map(r => [r.id, r.paying])).toEqual([[a, true]])
  t.advanceClock(16 * 60_000)
  expect(await t.call(abolishBills, toRequest([defined(a)]), me)).toMatchObject({ success: 1 })
})

it('T-BILL-01: a discount of 15 % on 326.45; it replaces the one before', async () => {
  const [a] = await makeBills({ amount: asFen(32_645) })
  expect(
    await t.call(setDiscount, { ...toRequest([defined(a)], '物业费优惠'), kind: 'rate', percent: '15' }, me),
  ).toMatchObject({ success: 1 })
  expect(await findBill(defined(a))).toMatchObject({
    discountAmount: 4897,
    receivable: 27_748,
    unpaid: 27_748,
  })
  expect((await months(defined(a))).map(m => m.receivable)).toEqual(['93.49', '93.49', '90.50'])
  await t.call(
    setDiscount,
    { ...toRequest([defined(a)], '改为定额'), kind: 'amount', amount: asFen(1000) },
    me,
  )
  expect(
    (await t.call(listAdjusts, { billId: defined(a) }, me)).rows.map(r => [
      r.adjustType,
      r.oldValue,
      r.newValue,
      r.amount,
      r.reason,
    ]),
  ).toEqual([
    ['discount', '48.97', '10.00', -3897, '改为定额'],
    ['rate', '0.00', '15% 即 48.97', 4897, '物业费优惠'],
  ])
  expect(
    defined(
      (await t.call(setDiscount, { ...toRequest([defined(a)]), kind: 'amount', amount: asFen(32_646) }, me))
        .rows[0],
    ).reason,
  ).toBe('减免金额应在 0 到 326.45 元之间')
  expect(
    await refusalMessageOf(t.call(setDiscount, { ...toRequest([defined(a)]), kind: 'amount' }, me)),
  ).toBe('请填写减免金额')
  expect(
    await refusalMessageOf(
      t.call(setDiscount, { ...toRequest([defined(a)]), kind: 'rate', percent: '101' }, me),
    ),
  ).toContain('100')
})

it('2§3: a discount for an object reaches its open bills alone', async () => {
  const source = `OBJ${++k}`
  const ids = await makeBills(
    { source },
    { source, begin: '2026-10-01', end: '2026-12-31' },
    { source, begin: '2026-04-01', end: '2026-06-30', paid: asFen(30_000) },
  )
  expect(
    await t.call(
      setDiscount,
      // Without `ids`: refused by the types as well.
      castForTest({
        kind: 'amount',
        amount: 500,
        sourceType: 'car',
        sourceCodes: [source],
        reason: '车位优惠',
      }),
      me,
    ),
  ).toMatchObject({ success: 2, skipped: 0 })
  expect((await Promise.all(ids.map(findBill))).map(b => b.discountAmount)).toEqual([500, 500, 0])
  // Refused by the types as well.
  const withoutBills = { kind: 'amount', amount: 500, reason: '没有对象' }
  expect(await refusalMessageOf(t.call(setDiscount, castForTest(withoutBills), me))).toBe(
    '请选择账单，或指定对象类型与对象',
  )
})

it('LATE-8: waive, fix, back to automatic; T-LATE-08: a fixed one stays', async () => {
  // 300.00 × 0.05 % × 113 days since 07-31 = 16.95
  const [a] = await makeBills({ item: late })
  await t.call(
    setLateFee,
    { ...toRequest([defined(a)], '减免一部分'), kind: 'waive', amount: asFen(695) },
    me,
  )
  expect(await findBill(defined(a))).toMatchObject({
    lateFeeDue: 1695,
    lateFeeWaived: 695,
    lateFeeUnpaid: 1000,
  })
  await t.call(setLateFee, { ...toRequest([defined(a)], '定额'), kind: 'fix', amount: asFen(2000) }, me)
  expect(await findBill(defined(a))).toMatchObject({ lateFeeManual: true, lateFeeUnpaid: 2000 })
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`update bill set due_date = due_date - 30 where id = ${defined(a)}`),
  )
  expect((await t.call(getBill, { id: defined(a) }, me)).explanation.at(-1)).toMatchObject({
    label: '违约金',
    words: '人工定额，不再随天数增加',
  })
  await t.call(setLateFee, { ...toRequest([defined(a)], '恢复'), kind: 'auto' }, me)
  expect(await findBill(defined(a))).toMatchObject({
    lateFeeManual: false,
    lateFeeDue: 2145,
    lateFeeUnpaid: 1450,
  })
  const [b] = await makeBills({})
  expect(
    defined((await t.call(setLateFee, { ...toRequest([defined(b)]), kind: 'waive' }, me)).rows[0]).reason,
  ).toBe('没有未收的违约金，收费项目也未启用违约金')
})

it('a discount recomputes the late fee from the first day', async () => {
  const [a] = await makeBills({ item: late })
  await t.call(setDiscount, { ...toRequest([defined(a)]), kind: 'amount', amount: asFen(10_000) }, me)
  // 200.00 × 0.05 % × 113
  expect(await findBill(defined(a))).toMatchObject({ lateFeeDue: 1130, unpaid: 21_130 })
})

it('BILL-12: split by date and by amount; the halves add up; merged back while untouched', async () => {
  const [a] = await makeBills({ amount: asFen(30_000), discount: asFen(1000), item: late })
  const halves = await t.call(
    splitBill,
    { id: defined(a), on: '2026-08-01', secondDue: '2026-08-31', reason: '8 月换房主' },
    me,
  )
  expect(
    halves.map(h => [
      h.beginDate,
      h.endDate,
      h.dueDate,
      h.amount,
      h.discountAmount,
      h.receivable,
      h.parentId,
    ]),
  ).toEqual(
    [
      ['2026-07-01', '2026-07-31', '2026-07-31', 10_109, 337, 9772, a],
      ['2026-08-01', '2026-09-30', '2026-08-31', 19_891, 663, 19_228, a],
    ].map(x => [...x.slice(0, 6), x[6]]),
  )
  expect(await findBill(defined(a))).toMatchObject({ state: 'split' })
  expect([
    await months(defined(a)),
    (await months(defined(halves[0]).id)).map(m => m.receivable),
    (await months(defined(halves[1]).id)).map(m => m.receivable),
  ]).toEqual([[], ['97.72'], ['97.71', '94.57']])
  const again = await t.call(
    splitBill,
    { id: defined(halves[1]).id, amount: asFen(5000), reason: '先缴一部分' },
    me,
  )
  expect(again.map(h => h.receivable)).toEqual([5000, 14_228])
  expect(await refusalMessageOf(t.call(mergeBill, { id: defined(a), reason: '还原' }, me))).toContain(
    '拆分出的账单有的已作废、再拆分或核销',
  )
  await t.call(mergeBill, { id: defined(halves[1]).id, reason: '还原' }, me)
  expect(await t.call(mergeBill, { id: defined(a), reason: '还原' }, me)).toMatchObject({
    state: 'normal',
    receivable: 29_000,
  })
  expect((await months(defined(a))).reduce((s, m) => s + Number(m.receivable) * 100, 0)).toBeCloseTo(29_000)
  const overrides = await t.call(splitBill, { id: defined(a), on: '2026-08-01', reason: '再拆一次' }, me)
  expect(overrides.map(h => h.billNo.slice(-2))).toEqual(['-3', '-4'])
  // What was let off of a half stays let off, in the months too; a late fee fixed on one of them is
  // somebody's word.
  await t.call(
    setDiscount,
    { ids: [String(defined(overrides[0]).id)], kind: 'amount', amount: asFen(2337), reason: '漏水补偿' },
    me,
  )
  await t.call(
    setLateFee,
    { ids: [String(defined(overrides[1]).id)], kind: 'fix', amount: 0, reason: '协商免收' },
    me,
  )
  expect(await refusalMessageOf(t.call(mergeBill, { id: defined(a), reason: '还原' }, me))).toContain(
    '违约金已定额',
  )
  await t.call(setLateFee, { ids: [String(defined(overrides[1]).id)], kind: 'auto', reason: '恢复自动' }, me)
  expect(await t.call(mergeBill, { id: defined(a), reason: '还原' }, me)).toMatchObject({
    state: 'normal',
    amount: 30_000,
    discountAmount: 3000,
    receivable: 27_000,
  })
  expect((await months(defined(a))).reduce((s, m) => s + Number(m.receivable) * 100, 0)).toBeCloseTo(27_000)
  for (const [bad, message] of [
    [{ on: '2026-07-01' }, '拆分日期应在 2026-07-02 到 2026-09-30 之间'],
    [{ amount: asFen(30_000) }, '拆分金额应大于零且小于 300.00 元'],
    [{}, '请填写拆分日期或第一张金额，二者选一'],
  ] as const) {
    const [b] = await makeBills({})
    expect(await refusalMessageOf(t.call(splitBill, { id: defined(b), reason: '拆分', ...bad }, me))).toBe(
      message,
    )
  }
})

it('T-BILL-04: abolish, bill again, recover the first: refused; afterwards it may', async () => {
  const source = `RE${++k}`
  const [a] = await makeBills({ source })
  await t.call(abolishBills, toRequest([defined(a)]), me)
  const [b] = await makeBills({ source })
  expect((await t.call(recoverBills, { ids: [String(a)] }, me)).rows).toEqual([
    expect.objectContaining({ reason: '本期已有有效账单，请先作废该账单再恢复' }),
  ])
  await t.call(abolishBills, toRequest([defined(b)]), me)
  const both = await t.call(recoverBills, { ids: [String(a), String(b)] }, me)
  expect(both).toMatchObject({ success: 1, skipped: 1 })
  expect(await findBill(defined(a))).toMatchObject({ state: 'normal' })
  expect((await findBill(defined(a))).abolishReason).toBeUndefined()
  expect((await months(defined(a))).length).toBe(3)
})

it('LATE-10: a recovered bill keeps its late fee, or gets a new due date', async () => {
  const [a, b] = await makeBills({ item: late }, { item: late })
  await t.call(abolishBills, toRequest([defined(a), defined(b)]), me)
  await t.call(recoverBills, { ids: [String(a)] }, me)
  await t.call(recoverBills, { ids: [String(b)], resetDue: true }, me)
  expect([await findBill(defined(a)), await findBill(defined(b))]).toMatchObject([
    { lateFeeDue: 1695, dueDate: '2026-07-31' },
    { lateFeeDue: 0, dueDate: '2026-11-21' },
  ])
})

it('C3.2: recovery of a bill whose room is gone is refused', async () => {
  const [a] = await makeBills({ type: 10, source: 'NOROOM', state: 30 })
  expect(defined((await t.call(recoverBills, { ids: [String(a)] }, me)).rows[0]).reason).toBe(
    '收费对象已删除，不能恢复',
  )
})

it('audit, write off and back, delete', async () => {
  const [a, b, c] = await makeBills({ state: 10 }, {}, { paid: asFen(100) })
  expect(await t.call(auditBills, { ids: [String(a), String(b)] }, me)).toMatchObject({
    success: 1,
    skipped: 1,
  })
  expect((await months(defined(a))).length).toBe(3)
  expect(await t.call(writeOffBills, toRequest([defined(b)], '确认收不回'), me)).toMatchObject({ success: 1 })
  expect((await findBill(defined(b))).state).toBe('writtenOff')
  expect((await months(defined(b))).length).toBe(3)
  // The month in which it is written off is that of the request (CLO-4).
  const adjustments = await t.database.reader(ownerId).rows(sql`
    select create_time as at from bill_adjust where owner_id = ${ownerId} and bill_id = ${defined(b)}
  `)
  expect(adjustments).toEqual([{ at: fromInstant(t.app.clock()) }])
  expect(await t.call(reverseWriteOff, toRequest([defined(b)], '又联系上了'), me)).toMatchObject({
    success: 1,
  })
  expect((await t.call(deleteBills, toRequest([defined(a), defined(c)], '重复录入'), me)).rows).toMatchObject(
    [{ reason: '缴过费的账单不能删除，请先退款并作废' }],
  )
  await expect(findBill(defined(a))).rejects.toThrow('数据不存在或已被删除')
})

it('BILL-4, BILL-5: amount of imported bills, payer while nothing is paid', async () => {
  const [a, b] = await makeBills({ billSource: 40 }, {})
  const resident = defined(
    await t.database.reader(ownerId).one<{ id: Id; name: string }>(
      sql`
        select u.id, u.name
        from resident u
        join user_room l on l.owner_id = u.owner_id and l.user_id = u.id
        where u.owner_id = ${ownerId} and l.project_code = 'GOLD0001' and u.delete_tag = 0
        limit 1
      `,
    ),
  )
  expect(
    await t.call(editBillAmount, { id: defined(a), amount: asFen(12_345), reason: '金额录错' }, me),
  ).toMatchObject({
    amount: 12_345,
    receivable: 12_345,
  })
  expect(
    await refusalMessageOf(
      t.call(editBillAmount, { id: defined(b), amount: asFen(100), reason: '金额录错' }, me),
    ),
  ).toContain('系统生成的账单不能直接改金额')
  expect(
    await refusalMessageOf(
      t.call(editBillAmount, { id: defined(a), version: 1, amount: asFen(100), reason: '金额录错' }, me),
    ),
  ).toBe('数据已被他人修改，请刷新后重试')
  expect(
    await t.call(
      changePayer,
      { ...toRequest([defined(b)], '租客缴费'), payerKind: 'resident', payerId: resident.id },
      me,
    ),
  ).toMatchObject({ success: 1 })
  expect(await findBill(defined(b))).toMatchObject({ payerId: resident.id, payerName: resident.name })
  expect((await t.call(getBillHistory, { id: defined(b) }, me)).map(h => h.what)).toContain('缴费人')
  expect(
    await refusalMessageOf(
      t.call(changePayer, { ...toRequest([defined(b)]), payerKind: 'resident', payerId: asId(999_999) }, me),
    ),
  ).toBe('该住户不存在或已被删除，请重新选择')
})

it('URG-7: disputes and promises are marked', async () => {
  const [a, b] = await makeBills({}, { paid: asFen(30_000) })
  expect(
    await t.call(markBills, { ids: [String(a), String(b)], disputed: true, promiseDate: '2026-11-30' }, me),
  ).toMatchObject({ success: 1, skipped: 1 })
  expect(await findBill(defined(a))).toMatchObject({ disputed: true, promiseDate: '2026-11-30' })
  await t.call(markBills, { ids: [String(a)], remark: '已打电话' }, me)
  expect(await findBill(defined(a))).toMatchObject({ remark: '已打电话', promiseDate: '2026-11-30' })
  await t.call(markBills, { ids: [String(a)], clearRemark: true }, me)
  expect(await findBill(defined(a))).not.toHaveProperty('remark')
  expect((await t.call(getBillHistory, { id: defined(a) }, me))[0]).toMatchObject({
    what: '备注',
    oldValue: '已打电话',
  })
  expect(await refusalMessageOf(t.call(markBills, { ids: [String(a)], promiseDate: '2026-11-01' }, me))).toBe(
    '承诺缴费日不能早于今天',
  )
})

it('BILL-1: by search, only while what was counted still holds; an empty filter is refused', async () => {
  const batchNo = `PC${++k}`
  const ids = await makeBills({ batch: batchNo }, { batch: batchNo }, { batch: batchNo, paid: asFen(100) })
  const request = { batchNo, reason: '批次有误' }
  expect(
    await refusalMessageOf(t.call(abolishBillsByFilter, { ...request, count: 2, sum: asFen(60_000) }, me)),
  ).toBe('数据已变化：原为 2 张 600.00 元，现为 3 张 900.00 元，请核对后重试')
  expect(
    await refusalMessageOf(
      t.call(abolishBillsByFilter, { count: 3, sum: asFen(90_000), reason: '没有条件' }, me),
    ),
  ).toBe('请先设置筛选条件，不能对全部账单操作')
  expect(await t.call(abolishBillsByFilter, { ...request, count: 3, sum: asFen(90_000) }, me)).toMatchObject({
    success: 2,
    skipped: 1,
  })
  expect(
    await t.call(recoverBillsByFilter, { ...request, state: ['abolished'], count: 2, sum: 0 }, me),
  ).toMatchObject({ success: 2 })
  expect(await t.call(abolishBills, toRequest(ids.slice(0, 2)), me)).toMatchObject({ success: 2 })
  expect(
    await t.call(deleteBillsByFilter, { ...request, state: ['abolished'], count: 2, sum: 0 }, me),
  ).toMatchObject({ success: 2 })
  expect((await t.call(listBills, { batchNo, anyState: true }, me)).total).toBe(1)
})

it('G-11: more than 2,000 by search go to a task', async () => {
  const batchNo = `PC${++k}`
  await makeBills(...Array.from({ length: 2001 }, () => ({ batch: batchNo, amount: asFen(100) })))
  const { taskId } = await t.call(
    abolishBillsByFilter,
    { batchNo, reason: '批次有误', count: 2001, sum: asFen(200_100) },
    me,
  )
  expect(await t.waitForTask(defined(taskId))).toMatchObject({ state: 30, success: 2001 })
  const mistaken = await t.call(
    recoverBillsByFilter,
    { batchNo, state: ['abolished'], reason: '恢复', count: 2002, sum: 0 },
    me,
  )
  expect(await t.waitForTask(defined(mistaken.taskId))).toMatchObject({
    state: 40,
    message: '数据已变化：原为 2002 张 0.00 元，现为 2001 张 0.00 元，请核对后重试',
  })
})

it('C3.2: the relation is billed to the last day of its live bills', async () => {
  const relation = await t.database.tx(ownerId, async tx => {
    const f = defined(
      await tx.one<{ id: Id }>(
        sql`
        insert into fee_formula (owner_id, name, formula_type, state)
        values (${ownerId}, '台账用', 20, 10)
        returning id
      `,
      ),
    ).id
    const s = defined(
      await tx.one<{ id: Id }>(
        sql`
        insert into fee_standard (
          owner_id, project_code, code, name, fee_item_id, formula_id, cycle_type, cycle_months,
          charge_mode, start_rule, prorate_mode, due_base, round_type, round_unit, state
        )
        values (${ownerId}, 'GOLD0001', 'BT1', '台账用', ${item}, ${f}, 1, 3, 1, 1, 1, 2, 1, 2, 10)
        returning id
      `,
      ),
    ).id
    return defined(
      await tx.one<{ id: Id }>(
        sql`
        insert into fee_relation (
          owner_id, project_code, source_type, source_code, source_name, fee_item_id, standard_id,
          billed_to, run_floor, state
        )
        values (${ownerId}, 'GOLD0001', 20, 'BT', 'BT', ${item}, ${s}, '2026-06-30', '2026-06-30', 10)
        returning id
      `,
      ),
    ).id
  })
  const [a, b] = await makeBills(
    { source: 'BT', relation },
    { source: 'BT', relation, begin: '2026-10-01', end: '2026-12-31' },
  )
  const to = async () =>
    defined(
      await t.database
        .reader(ownerId)
        .one<{ billedTo?: string }>(sql`select billed_to from fee_relation where id = ${relation}`),
    ).billedTo
  await t.call(abolishBills, toRequest([defined(b)]), me)
  expect(await to()).toBe('2026-09-30')
  await t.call(recoverBills, { ids: [String(b)] }, me)
  expect(await to()).toBe('2026-12-31')
  await t.call(abolishBills, toRequest([defined(a), defined(b)]), me)
  expect(await to(), 'never before the day it came with').toBe('2026-06-30')
})

it('BILL-6: redundant bills in groups, with what to abolish', async () => {
  const source = `DUP${++k}`
  const free = await t.database.tx(ownerId, tx => seedFeeItem(tx, ownerId, 'MULTI', { multi: true }))
  const [a, b, c] = await makeBills(
    { source, item: free, free: true, paid: asFen(100) },
    { source, item: free, free: true, begin: '2026-09-01', end: '2026-10-31' },
    { source, item: free, free: true, begin: '2027-01-01', end: '2027-01-31' },
  )
  const result = await t.call(listRedundantBills, { feeItemId: [String(free)] }, me)
  expect(result.rows.map(r => [r.id, r.group, r.abolish])).toEqual([
    [a, 1, false],
    [b, 1, true],
  ])
  expect(result.rows.some(r => r.id === c)).toBe(false)
})

it('exactly one of three concurrent actions succeeds: abolish, discount, split', async () => {
  for (let i = 0; i < 5; i++) {
    const [a] = await makeBills({})
    const [x, y, z] = await Promise.allSettled([
      t.call(abolishBills, toRequest([defined(a)]), me),
      t.call(splitBill, { id: defined(a), amount: asFen(100), reason: '拆分' }, me),
      t.call(abolishBills, toRequest([defined(a)]), me),
    ])
    const wins =
      [x, z].filter(s => s.status === 'fulfilled' && s.value.success === 1).length +
      (y.status === 'fulfilled' ? 1 : 0)
    expect(wins).toBe(1)
    const [b] = await makeBills({})
    await Promise.allSettled([
      t.call(setDiscount, { ...toRequest([defined(b)]), kind: 'amount', amount: asFen(100) }, me),
      t.call(setDiscount, { ...toRequest([defined(b)]), kind: 'amount', amount: asFen(200) }, me),
    ])
    const sum = (await t.call(listAdjusts, { billId: defined(b) }, me)).rows.reduce((n, r) => n + r.amount, 0)
    expect(sum).toBe((await findBill(defined(b))).discountAmount)
  }
})

it('the data domain holds: another building is refused, another company is absent', async () => {
  const [a] = await makeBills({ build: 'B2' })
  const other = await t.signedInAs(golden.first.buildingOnly)
  const stranger = await t.signedInAs(golden.second.owner)
  expect(await refusalMessageOf(t.call(abolishBills, toRequest([defined(a)]), other))).toContain('无权')
  expect(await t.call(abolishBills, toRequest([defined(a)]), stranger)).toMatchObject({
    success: 0,
    skipped: 1,
  })
  expect((await findBill(defined(a))).state).toBe('normal')
})

it('BILL-9: a reissued bill names the one it replaces, and is refused where another bill covers the period', async () => {
  const source = `IS${++k}`
  const [a, b] = await makeBills(
    { source, billSource: 40 },
    { source, billSource: 40, begin: '2026-10-01', end: '2026-12-31' },
  )
  const replacement = await t.call(
    reissueBill,
    { id: defined(a), amount: asFen(12_300), reason: '金额录错' },
    me,
  )
  expect(replacement).toMatchObject({
    amount: 12_300,
    replacesBillId: a,
    state: 'normal',
    beginDate: '2026-07-01',
  })
  expect(replacement.billNo).toMatch(/^ZD20261121\d{6}$/)
  expect(await findBill(defined(a))).toMatchObject({ state: 'abolished', replacedByNo: replacement.billNo })
  expect((await months(replacement.id)).length).toBe(3)
  expect(await refusalMessageOf(t.call(reissueBill, { id: defined(a), reason: '再来一次' }, me))).toBe(
    '本期已有有效账单，不能重开；请先作废该账单',
  )
  expect(
    await refusalMessageOf(
      t.call(reissueBill, { id: defined(b), beginDate: '2026-09-01', reason: '账期录错' }, me),
    ),
  ).toContain('本期已有有效账单')
  expect((await findBill(defined(b))).state).toBe('normal')
  const [c] = await makeBills({})
  expect(await refusalMessageOf(t.call(reissueBill, { id: defined(c), reason: '重开' }, me))).toContain(
    '请作废后用出账向导重新生成',
  )
})
