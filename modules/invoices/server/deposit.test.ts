import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalTextOf, refusedTextsOf } from '#kit/server/fixtures/refusal.ts'
import {
  addDeposit,
  convertDeposit,
  deductDeposit,
  refundDeposit,
} from '#modules/deposits/contract/deposit.ts'
import { findViolations } from '#db/golden/invariants.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { listWaitingPayments, addAndIssueInvoice, getInvoiceable, redInvoice } from '../contract/invoicing.ts'
import { getInvoice } from '../contract/record.ts'
import { addGood, addSetting, editSetting, listSettings } from '../contract/setting.ts'

let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let room = ''
let no = 0

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  ownerId = t.ownerId
  room = defined(
    await t.database.reader(ownerId).one<{ code: string }>(
      sql`
        select code
        from room
        where project_code = 'GOLD0001'
          and delete_tag = 0
        order by sort_key
        limit 1
      `,
    ),
  ).code
  await t.call(
    addSetting,
    {
      companyName: '安居物业',
      taxNo: '91320506MA1XABCDE1',
      drawer: '张三',
      channel: 'manual',
      simulated: false,
      kinds: ['eNormal'],
      prestoreMode: 'topUp',
      refuseNextYear: true,
      paidUpOnly: false,
    },
    me,
  )
})

afterAll(() => t?.close())

const addHeldDeposit = async (amount: Fen) =>
  await t.call(
    addDeposit,
    {
      projectCode: 'GOLD0001',
      kind: 'fitting',
      roomCode: room,
      amount,
      payerName: '王五',
      methods: [{ method: 'cash', amount }],
    },
    me,
  )

const open = (record: Id, amount: Fen) =>
  t.call(
    addAndIssueInvoice,
    {
      parts: [{ recordId: record, amount }],
      kind: 'eNormal',
      titleType: 'personal',
      title: '王五',
      invoiceNo: `D${++no}`,
    },
    me,
  )

const see = async (record: number) =>
  (await t.call(getInvoiceable, { recordIds: [String(record)] }, me)).parts.map(p => [
    p.feeItemName,
    p.paid,
    p.invoiced,
    p.open,
    p.refusal,
  ])

const waits = async (overrides: object = {}) =>
  (await t.call(listWaitingPayments, { recordType: ['deposit'], ...overrides }, me)).rows.map(r => [
    r.id,
    r.openAmount,
  ])

const none = '押金转收入暂无开票商品，请到发票设置中把一个开票商品设为「用于押金转收入」'

it('INV-2, C6.3: a deposit is never invoiced; what of it became income is, once', async () => {
  const d = await addHeldDeposit(asFen(200_000))
  const r = defined(d.recordId)
  expect([await see(r), await waits(), await refusalTextOf(open(r, asFen(1)))]).toEqual([
    [],
    [],
    '该收款不能开票，请刷新后重新选择',
  ])
  await expect(
    t.database.tx(ownerId, tx =>
      tx.execute(sql`
        update pay_record
        set invoiced_amount = 0.01
        where id = ${r}
      `),
    ),
  ).rejects.toThrow('pay_record_deposit_invoiced')
  await t.call(deductDeposit, { id: d.id, amount: asFen(30_000), reason: '墙面损坏', evidence: ['k1'] }, me)
  await t.call(refundDeposit, { id: d.id, amount: 50_000, method: 'cash', reason: '验收合格' }, me)
  await t.call(convertDeposit, { id: d.id, amount: 20_000, to: 'prestore', reason: '业主要求' }, me)
  expect([await see(r), await waits()]).toEqual([[['押金转收入', 30_000, 0, 30_000, none]], [[r, 30_000]]])
  await t.call(convertDeposit, { id: d.id, amount: 76_000, to: 'income', reason: '违约没收' }, me)
  expect(await refusalTextOf(open(r, asFen(106_000)))).toContain(none)
  const good = {
    goodName: '装修管理服务',
    taxCode: '3040801010000000000',
    shortName: '企业管理服务',
    taxRate: '0.06',
    isNoTax: false,
    isDeposit: true,
    state: 'on',
  } as const
  expect(await refusalTextOf(t.call(addGood, { ...good, isNoTax: true, taxRate: '0' }, me))).toBe(
    '押金转收入要征税，请新增一个商品',
  )
  await t.call(addGood, good, me)
  expect(await refusalTextOf(t.call(addGood, { ...good, goodName: '另一个' }, me))).toBe(
    '已有开票商品用于押金转收入，请先取消原有的',
  )
  expect(await refusalTextOf(open(r, asFen(106_001)))).toContain('最多可开 1,060.00 元')
  // T-INV-01
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => open(r, asFen(106_000))))
  const won = results.flatMap(s => (s.status === 'fulfilled' ? [s.value] : []))
  expect(won).toMatchObject([
    {
      state: 'issued',
      totalAmount: 106_000,
      netAmount: 100_000,
      taxAmount: 6_000,
      lines: [{ goodName: '装修管理服务' }],
    },
  ])
  for (const words of refusedTextsOf(results)) {
    expect(words).toContain('已被开票')
  }
  expect(await waits()).toEqual([])
  // Not counted as a top-up: the place of invoicing prestore may still be changed.
  const { hasStoredKey: _, ...s } = defined((await t.call(listSettings, {}, me))[0])
  await t.call(editSetting, { ...s, prestoreMode: 'deduct' }, me)
  const i = await t.call(getInvoice, { id: defined(won[0]).id }, me)
  await t.call(
    redInvoice,
    {
      id: i.id,
      reason: '多开了',
      parts: [{ partId: defined(i.parts[0]).id, amount: asFen(6_000) }],
      invoiceNo: `D${++no}`,
    },
    me,
  )
  expect([await waits(), await see(r)]).toEqual([
    [[r, 6_000]],
    [['押金转收入', 106_000, 100_000, 6_000, undefined]],
  ])
  expect(await findViolations(t.database.reader(ownerId), ownerId)).toEqual([])
})

it('what became income today is found today, whenever the deposit came', async () => {
  const d = await addHeldDeposit(asFen(10_000))
  const r = defined(d.recordId)
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`update pay_record set pay_time = '2025-03-01 09:00:00', pay_day = '2025-03-01' where id = ${r}`,
    ),
  )
  await t.call(convertDeposit, { id: d.id, amount: 10_000, to: 'income', reason: '逾期未退' }, me)
  const day = '2026-11-21'
  expect((await waits({ payDayFrom: day, payDayTo: day })).map(w => w[0])).toContain(r)
  expect((await waits({ payDayFrom: '2025-03-01', payDayTo: '2025-03-01' })).map(w => w[0])).not.toContain(r)
  expect((await waits({ recordType: ['payment'] })).map(w => w[0])).not.toContain(r)
})
