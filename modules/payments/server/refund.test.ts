import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen, formatYuan, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { payMethod, recordState, refundState } from '../contract/choices.ts'
import { closeOrder, createOrder } from '../contract/order.ts'
import { payBills } from '../contract/payment.ts'
import {
  listRecords,
  listTrades,
  getRecord,
  recoverRecord,
  summarizeRecords,
  voidRecord,
} from '../contract/record.ts'
import { settleEnding } from '../contract/ended-charge-credit.ts'
import { requestRefund, auditRefund, cancelRefund } from '../contract/refund.ts'

type PayInput = NonNullable<typeof payBills.input.T>

let t: GoldenApp
let me: CallOptions
let other: CallOptions
let ownerId = 0
let item = 0
let n = 0

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  other = await t.signedInAs(golden.first.estateOnly)
  ownerId = t.ownerId
  item = await t.addFeeItem('REFTEST', { name: '退款测试', multi: true, late: true })
})

afterAll(() => t?.close())

/** Bills due long ago: 69 days before the payment, as in C5.2. */
const createBill = (amount: Fen, due = '2026-09-13'): Promise<Id> =>
  t.database.tx(
    ownerId,
    async tx =>
      defined(
        await tx.one<{
          id: Id
        }>(sql`
        insert into bill (
          owner_id, project_code, bill_no, source_type, source_code, source_name, fee_item_id,
          fee_item_name, fee_type, begin_date, end_date, belong_month, amount, due_date, state, bill_source,
          run_split_root
        )
        values (
          ${ownerId}, 'GOLD0001', ${`R${++n}`}, 10, ${`R${n}`}, '1-1-101', ${item}, '退款测试', 10, '2026-09-01',
          '2026-09-30', '2026-09', ${formatYuan(amount)}, ${due}, 20, 10, null
        )
        returning id
      `),
      ).id,
  )

const payBill = async (
  bill: number,
  amount: Fen,
  methods: PayInput['methods'] = [{ method: 'cash', amount }],
) =>
  t.call(
    getRecord,
    {
      id: (
        await t.call(
          payBills,
          { projectCode: 'GOLD0001', billIds: [String(bill)], expectAmount: amount, methods },
          me,
        )
      ).recordId,
    },
    me,
  )

const getBillRow = async (id: Id) =>
  defined(
    await t.database.reader(ownerId).one<Record<string, unknown>>(
      sql`
        select amount::text, discount_amount::text as off, paid_principal::text as paid,
          unpaid_principal::text as rest, late_fee_paid::text as late, late_fee_due::text as due, pay_state,
          refund_state, state
        from bill
        where id = ${id}
      `,
    ),
  )

const requestRefundOf = (
  record: Awaited<ReturnType<typeof payBill>>,
  principal: Fen,
  late: Fen,
  overrides: object = {},
  as = me,
) =>
  t.call(
    requestRefund,
    {
      recordId: record.id,
      lines: [{ detailId: defined(record.details[0]).id, principal, late }],
      refundWay: 'cash',
      billAfter: 'owed',
      reason: '多收了',
      ...overrides,
    },
    as,
  )

const setAuditThreshold = (from: string) =>
  t.call(updateEstateSetting, { projectCode: 'GOLD0001', key: 'RefundAuditFrom', value: from }, me)

it('T-REF-01, REF-3, PAY-23: asked by one, approved by another; the bill is owed again, the day of the payment stays, the money is paid out by the person who asked', async () => {
  const a = await createBill(asFen(30000))
  const r = await payBill(a, asFen(31035))
  const f = await requestRefundOf(r, asFen(10000), 0)
  expect(f).toMatchObject({ state: 'pending', amount: 10000 })
  expect(await refusalTextOf(t.call(auditRefund, { id: f.id, pass: true }, me))).toBe(
    '申请人不能审核自己的退款，请由其他人审核',
  )
  expect(await refusalTextOf(t.call(auditRefund, { id: f.id, pass: false }, other))).toBe('请填写驳回的原因')
  const done = await t.call(auditRefund, { id: f.id, pass: true }, other)
  expect(done).toMatchObject({ state: 'done' })
  expect(await t.call(getRecord, { id: r.id }, me)).toMatchObject({
    state: 'partRefunded',
    refundedAmount: 10000,
    receivedAmount: 31035,
  })
  expect(await t.call(getRecord, { id: defined(done.negRecordId) }, me)).toMatchObject({
    recordType: 'refund',
    receivedAmount: -10000,
    principalAmount: -10000,
    originRecordId: r.id,
    cashierName: r.cashierName,
  })
  expect(await getBillRow(a)).toMatchObject({ paid: '200.00', rest: '100.00', payState: 0, refundState: 1 })
  expect(await refusalTextOf(requestRefundOf(r, asFen(20001), 0))).toBe(
    'R1 最多可退本金 200.00 元、违约金 10.35 元',
  )
})

it('T-REF-02: all of it back, the bill abolished with it', async () => {
  await setAuditThreshold('99999999')
  const a = await createBill(asFen(30000))
  const r = await payBill(a, asFen(31035))
  expect(await refusalTextOf(requestRefundOf(r, asFen(10000), 0, { billAfter: 'abolished' }))).toContain(
    '须退还该账单的全部已收金额',
  )
  await requestRefundOf(r, asFen(30000), asFen(1035), { billAfter: 'abolished' })
  expect(await getBillRow(a)).toMatchObject({ state: 30, paid: '0.00', refundState: 2 })
  expect((await t.call(getRecord, { id: r.id }, me)).state).toBe('refunded')
  expect(await refusalTextOf(requestRefundOf(r, asFen(1), 0))).toBe('该收款已全部退款')
})

it('REF-2: kept as paid, the refund is a discount', async () => {
  const a = await createBill(asFen(30000), '2026-12-31')
  const r = await payBill(a, asFen(30000))
  await requestRefundOf(r, asFen(5000), 0, { billAfter: 'kept' })
  expect(await getBillRow(a)).toMatchObject({ off: '50.00', paid: '250.00', rest: '0.00', payState: 1 })
})

it('REF-3: small refunds of one payment are approved once they add up to the threshold', async () => {
  const record = await payBill(await createBill(asFen(30000), '2026-12-31'), asFen(30000))
  await setAuditThreshold('100')
  expect((await requestRefundOf(record, asFen(9_999), 0)).state).toBe('done')
  expect((await requestRefundOf(record, asFen(1), 0)).state).toBe('pending')
  await setAuditThreshold('99999999')
})

it('REF-6: a refund of today is taken back; one that is pending is cancelled', async () => {
  const a = await createBill(asFen(30000), '2026-12-31')
  const before = await payBill(a, asFen(30000))
  const paid = await getBillRow(a)
  const f = await requestRefundOf(before, asFen(30000), 0)
  expect((await getBillRow(a)).payState).toBe(0)
  await t.call(cancelRefund, { id: f.id, reason: '退错了人' }, me)
  expect(await getBillRow(a)).toEqual(paid)
  expect(await t.call(getRecord, { id: before.id }, me)).toMatchObject({ state: 'normal', refundedAmount: 0 })
  await setAuditThreshold('0')
  const g = await requestRefundOf(before, asFen(100), 0)
  await t.call(cancelRefund, { id: g.id, reason: '不退了' }, me)
  expect(await refusalTextOf(t.call(cancelRefund, { id: g.id, reason: '再取消' }, me))).toContain('已取消')
  await setAuditThreshold('99999999')
})

it('REF-6: a refund that the payment channel has got is not cancelled', async () => {
  const bill = await createBill(asFen(5000), '2026-12-31')
  const record = await payBill(bill, asFen(5000))
  await setAuditThreshold('0')
  const refund = await requestRefundOf(record, asFen(1000), 0)
  await setAuditThreshold('99999999')
  await t.database.tx(ownerId, async tx => {
    await tx.execute(sql`
      update pay_record
      set pay_method = ${code(payMethod, 'wechat')}
      where owner_id = ${ownerId} and id = ${record.id}
    `)
    await tx.execute(sql`
      update fee_refund
      set state = ${code(refundState, 'doing')}
      where owner_id = ${ownerId} and id = ${refund.id}
    `)
  })
  expect(await refusalTextOf(t.call(cancelRefund, { id: refund.id, reason: '退错了人' }, me))).toBe(
    '退款已提交支付渠道，不能取消；请等渠道的结果',
  )
})

it('REF-1: two refunds of the whole at once: one wins', async () => {
  const a = await createBill(asFen(30000), '2026-12-31')
  const r = await payBill(a, asFen(30000))
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, () => requestRefundOf(r, asFen(30000), 0)),
  )
  expect(results.filter(s => s.status === 'fulfilled').length).toBe(1)
  expect(await getBillRow(a)).toMatchObject({ paid: '0.00' })
  const sums = await t.database.reader(ownerId).one(
    sql`
        select sum(received_amount)::text as net
        from pay_record
        where id = ${r.id} or origin_record_id = ${r.id}
      `,
  )
  expect(sums).toEqual({ net: '0.00' })
})

it('REF-6: of two refunds of one bill one is taken back; the other still is on the bill', async () => {
  await setAuditThreshold('99999999')
  const a = await createBill(asFen(30000), '2026-12-31')
  const r = await payBill(a, asFen(30000))
  await requestRefundOf(r, asFen(4000), 0)
  const second = await requestRefundOf(r, asFen(1000), 0)
  await t.call(cancelRefund, { id: second.id, reason: '退错了' }, me)
  expect(await getBillRow(a)).toMatchObject({ paid: '260.00', refundState: 1 })
})

it('decision 10: all of a payment refunded gives back its round-off; taken back, it is let off again', async () => {
  await setAuditThreshold('99999999')
  const bill = await createBill(asFen(22358), '2026-12-31')
  await t.call(updateEstateSetting, { projectCode: 'GOLD0001', key: 'RoundOff', value: '1' }, me)
  const { recordId } = await t.call(
    payBills,
    {
      projectCode: 'GOLD0001',
      billIds: [String(bill)],
      expectAmount: asFen(22358),
      roundOff: true,
      methods: [{ method: 'cash', amount: asFen(22350) }],
    },
    me,
  )
  const owed = async () => {
    const row = await t.database.reader(ownerId).one<{ discount: string; paid: string; unpaid: string }>(sql`
      select discount_amount::text as discount, paid_principal::text as paid,
        (amount - discount_amount - paid_principal)::text as unpaid
      from bill
      where owner_id = ${ownerId} and id = ${bill}
    `)
    return [row?.discount, row?.paid, row?.unpaid]
  }
  // Over the records that count: the payment's and those of its refunds.
  const roundedOff = async () => {
    const row = await t.database.reader(ownerId).one<{ off: Fen }>(sql`
      select (100 * sum(round_off))::int as off
      from pay_record
      where owner_id = ${ownerId}
        and (id = ${recordId} or origin_record_id = ${recordId})
        and state <> ${code(recordState, 'voided')}
    `)
    return row?.off
  }
  expect(await owed()).toEqual(['0.08', '223.50', '0.00'])
  expect(await roundedOff()).toBe(8)
  const record = await t.call(getRecord, { id: recordId }, me)
  await requestRefundOf(record, asFen(10000), asFen(0))
  expect(await owed()).toEqual(['0.08', '123.50', '100.00'])
  const rest = await requestRefundOf(record, asFen(12350), asFen(0))
  expect(await owed()).toEqual(['0.00', '0.00', '223.58'])
  expect(await roundedOff()).toBe(0)
  await t.call(cancelRefund, { id: rest.id, reason: '退错了' }, me)
  expect(await owed()).toEqual(['0.08', '123.50', '100.00'])
  await t.call(updateEstateSetting, { projectCode: 'GOLD0001', key: 'RoundOff', value: '0' }, me)
})

it('decision 10: a refund gives back no more round-off than the discount that is left', async () => {
  await setAuditThreshold('99999999')
  await setProjectSetting('RoundOff', '1')
  const bill = await createBill(asFen(22358), '2026-12-31')
  const recordId = await payBillsInCash([bill], asFen(22358), asFen(22350), true)
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`
      update bill
      set amount = 223.53, discount_amount = 0.03
      where owner_id = ${ownerId} and id = ${bill}
    `),
  )
  await requestRefundOf(await t.call(getRecord, { id: recordId }, me), asFen(22350), asFen(0))
  expect(await getBillRow(bill)).toMatchObject({ off: '0.00' })
  await setProjectSetting('RoundOff', '0')
})

const payBillsInCash = async (
  billIds: readonly Id[],
  expectAmount: Fen,
  cash: Fen,
  roundOff = false,
): Promise<Id> =>
  (
    await t.call(
      payBills,
      {
        projectCode: 'GOLD0001',
        billIds: billIds.map(String),
        expectAmount,
        roundOff,
        methods: [{ method: 'cash', amount: cash }],
      },
      me,
    )
  ).recordId

const setProjectSetting = (key: string, value: string) =>
  t.call(updateEstateSetting, { projectCode: 'GOLD0001', key, value }, me)

it('PAY-14, PAY-21: what was let off of several bills is let off of the same ones after a recovery', async () => {
  await setProjectSetting('RoundOff', '1')
  const bills = [await createBill(asFen(10005), '2026-12-30'), await createBill(asFen(3), '2026-12-31')]
  const rows = () => Promise.all(bills.map(getBillRow))
  const recordId = await payBillsInCash(bills, asFen(10008), asFen(10000), true)
  const paid = await rows()
  expect(paid.map(row => row.off)).toEqual(['0.05', '0.03'])
  await t.call(voidRecord, { id: recordId, reason: '录错了' }, me)
  await t.call(recoverRecord, { id: recordId }, me)
  expect(await rows()).toEqual(paid)
  await setProjectSetting('RoundOff', '0')
})

it('LATE-9, PAY-21: a late fee that the payment waived is waived again by its recovery', async () => {
  await setProjectSetting('AutoWaiveOnPrincipalPaid', '1')
  await setProjectSetting('AllocOrder', '2')
  const bill = await createBill(asFen(30000))
  const recordId = await payBillsInCash([bill], asFen(31035), asFen(30000))
  const paid = await getBillRow(bill)
  expect(paid).toMatchObject({ rest: '0.00', payState: 1 })
  await t.call(voidRecord, { id: recordId, reason: '录错了' }, me)
  expect(await getBillRow(bill)).toMatchObject({ rest: '300.00', payState: 0 })
  await t.call(recoverRecord, { id: recordId }, me)
  expect(await getBillRow(bill)).toEqual(paid)
  await setProjectSetting('AutoWaiveOnPrincipalPaid', '0')
  await setProjectSetting('AllocOrder', '1')
})

it('PAY-21: a payment of today is voided and recovered; a number is kept, later ones must go first', async () => {
  const a = await createBill(asFen(22358), '2026-12-31')
  const clean = await getBillRow(a)
  await t.call(updateEstateSetting, { projectCode: 'GOLD0001', key: 'RoundOff', value: '1' }, me)
  const { recordId } = await t.call(
    payBills,
    {
      projectCode: 'GOLD0001',
      billIds: [String(a)],
      expectAmount: asFen(22358),
      roundOff: true,
      methods: [{ method: 'cash', amount: asFen(22350) }],
    },
    me,
  )
  const paid = await getBillRow(a)
  await t.call(voidRecord, { id: recordId, reason: '录错了' }, me)
  expect(await getBillRow(a)).toEqual(clean)
  expect(await t.call(getRecord, { id: recordId }, me)).toMatchObject({
    state: 'voided',
    voidReason: '录错了',
    receiptNo: expect.stringMatching(/^2026-\d{6}$/),
  })
  // While an order may still be paid, the recovery would pay the bill a second time.
  const asked = { projectCode: 'GOLD0001', billIds: [String(a)], expectAmount: asFen(22358) }
  const order = await t.call(createOrder, asked, me)
  expect(await refusalTextOf(t.call(recoverRecord, { id: recordId }, me))).toContain(
    '账单正在支付中，请等支付完成或关闭支付单后再缴费',
  )
  await t.call(closeOrder, { orderNo: order.orderNo }, me)
  await t.call(recoverRecord, { id: recordId }, me)
  expect(await getBillRow(a)).toEqual(paid)
  const b = await createBill(asFen(20000), '2026-12-31')
  const first = await t.call(
    payBills,
    {
      projectCode: 'GOLD0001',
      billIds: [String(b)],
      expectAmount: asFen(20000),
      methods: [{ method: 'cash', amount: asFen(5000) }],
    },
    me,
  )
  await t.call(
    payBills,
    {
      projectCode: 'GOLD0001',
      billIds: [String(b)],
      expectAmount: asFen(15000),
      methods: [{ method: 'cash', amount: asFen(15000) }],
    },
    me,
  )
  expect(await refusalTextOf(t.call(voidRecord, { id: first.recordId, reason: '录错了' }, me))).toContain(
    '请先作废该收款',
  )
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`update pay_record set pay_day = '2026-11-20' where id = ${recordId}`),
  )
  expect(await refusalTextOf(t.call(voidRecord, { id: recordId, reason: '录错了' }, me))).toBe(
    '只能作废当天的收款，以前的请办理退款',
  )
})

it('CYC-9: what was paid beyond the end of a charge goes to prestore once, the bill stays paid for less', async () => {
  const b = await createBill(asFen(30000), '2026-12-31')
  await payBill(b, asFen(30000))
  const followUp = await t.database.tx(ownerId, tx =>
    tx.one<{ id: Id }>(sql`
      insert into bill_follow_up (owner_id, project_code, bill_id, kind, effective_date, amount)
      values (${ownerId}, 'GOLD0001', ${b}, 30, '2026-09-16', '150.00')
      returning id
    `),
  )
  const settle = () =>
    t.call(settleEnding, { id: defined(followUp).id, refundWay: 'prestore', reason: '止收后多缴' }, me)
  const outcomes = await Promise.allSettled([settle(), settle()])
  expect(outcomes.map(o => o.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await getBillRow(b)).toMatchObject({ amount: '300.00', off: '150.00', paid: '150.00', payState: 1 })
  expect(await refusalTextOf(settle())).toContain('已处理：转预存')
})

it('STAT-1: lists, trades and totals speak of the whole filter and agree', async () => {
  const list = await t.call(listRecords, { size: 2 }, me)
  const sum = await t.call(summarizeRecords, {}, me)
  const trades = await t.call(listTrades, { size: 3 }, me)
  expect(list.rows.length).toBe(2)
  const [raw] = await t.database.reader(ownerId).rows<{ net: string; n: number }>(
    sql`
        select sum(received_amount)::text as net, count(*)::int as n
        from pay_record
        where state <> 40
      `,
  )
  expect([formatYuan(sum.net), sum.count]).toEqual([defined(raw).net, defined(raw).n])
  expect(trades.total).toBe(
    defined(
      await t.database.reader(ownerId).one<{ n: number }>(
        sql`
          select count(*)::int as n
          from pay_detail d
          join pay_record r on r.id = d.record_id
          where r.state <> 40
        `,
      ),
    ).n,
  )
})
