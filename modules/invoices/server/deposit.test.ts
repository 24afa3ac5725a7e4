import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { As } from '#kit/server/ground/world.ts'
import {
  addDeposit,
  convertDeposit,
  deductDeposit,
  refundDeposit,
} from '#modules/deposits/contract/deposit.ts'
import { faultsIn } from '../../../db/golden/books.ts'
import { openGolden, type GoldenWorld } from '../../../db/golden/world.ts'
import { golden } from '../../../db/golden/fill.ts'
import { listWaiting, openInvoice, openable, redInvoice } from '../contract/open.ts'
import { oneInvoice } from '../contract/record.ts'
import { addGood, addSet, editSet, listSets } from '../contract/set.ts'

let t: GoldenWorld
let me: As
let owner = 0
let room = ''
let no = 0

beforeAll(async () => {
  t = await openGolden()
  me = await t.owner
  owner = (await t.store
    .reader('*')
    .one<{ ownerId: number }>(sql`select owner_id from manager where login_code = ${golden.first.owner}`))!
    .ownerId
  room = (await t.store
    .reader(owner)
    .one<{ code: string }>(
      sql`select code from room where project_code = 'GOLD0001' and delete_tag = 0 order by sort_key limit 1`,
    ))!.code
  await t.ask(
    addSet,
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
    } as never,
    me,
  )
})

afterAll(() => t?.close())

const words = async (p: Promise<unknown>): Promise<string> => {
  const e = await p.then(
    () => undefined,
    x => x as Error,
  )
  expect(e).toBeInstanceOf(Refused)
  return (e as { data?: { Message: string }[] }).data?.[0]?.Message ?? e!.message
}

const held = async (amount: number) =>
  await t.ask(
    addDeposit,
    {
      projectCode: 'GOLD0001',
      kind: 'fitting',
      roomCode: room,
      amount,
      payerName: '王五',
      methods: [{ method: 'cash', amount }],
    } as never,
    me,
  )

const open = (record: number, amount: number) =>
  t.ask(
    openInvoice,
    {
      parts: [{ recordId: record, amount }],
      kind: 'eNormal',
      titleType: 'personal',
      title: '王五',
      invoiceNo: `D${++no}`,
    } as never,
    me,
  )

const see = async (record: number) =>
  (await t.ask(openable, { recordIds: [String(record)] }, me)).parts.map(p => [
    p.feeItemName,
    p.paid,
    p.invoiced,
    p.open,
    p.refusal,
  ])

const waits = async (more: object = {}) =>
  (await t.ask(listWaiting, { recordType: ['deposit'], ...more } as never, me)).rows.map(r => [
    r.id,
    r.openAmount,
  ])

const none = '押金转收入还没有开票商品，请到发票设置里把一个开票商品设为「用于押金转收入」'

it('INV-2, C6.3: a deposit is never invoiced; what of it became income is, once', async () => {
  const d = await held(200_000)
  const r = d.recordId!
  expect([await see(r), await waits(), await words(open(r, 1))]).toEqual([
    [],
    [],
    '这笔收款不能开票，请刷新后重新选择',
  ])
  await expect(
    t.store.tx(owner, tx => tx.run(sql`update pay_record set invoiced_amount = 0.01 where id = ${r}`)),
  ).rejects.toThrow('pay_record_deposit_invoiced')
  await t.ask(deductDeposit, { id: d.id, amount: 30_000, reason: '墙面损坏', evidence: ['k1'] } as never, me)
  await t.ask(refundDeposit, { id: d.id, amount: 50_000, method: 'cash', reason: '验收合格' } as never, me)
  await t.ask(convertDeposit, { id: d.id, amount: 20_000, to: 'prestore', reason: '业主要求' } as never, me)
  expect([await see(r), await waits()]).toEqual([[['押金转收入', 30_000, 0, 30_000, none]], [[r, 30_000]]])
  await t.ask(convertDeposit, { id: d.id, amount: 76_000, to: 'income', reason: '违约没收' } as never, me)
  expect(await words(open(r, 106_000))).toContain(none)
  const good = {
    goodName: '装修管理服务',
    taxCode: '3040801010000000000',
    shortName: '企业管理服务',
    taxRate: '0.06',
    isNoTax: false,
    isDeposit: true,
    state: 'on',
  }
  expect(await words(t.ask(addGood, { ...good, isNoTax: true, taxRate: '0' } as never, me))).toBe(
    '押金转收入要征税，请另设一个商品',
  )
  await t.ask(addGood, good as never, me)
  expect(await words(t.ask(addGood, { ...good, goodName: '另一个' } as never, me))).toBe(
    '已有开票商品用于押金转收入，请先取消那一个',
  )
  expect(await words(open(r, 106_001))).toContain('最多可开 1060.00 元')
  // T-INV-01
  const said = await Promise.allSettled(Array.from({ length: 6 }, () => open(r, 106_000)))
  const won = said.flatMap(s => (s.status === 'fulfilled' ? [s.value] : []))
  expect(won).toMatchObject([
    {
      state: 'issued',
      totalAmount: 106_000,
      netAmount: 100_000,
      taxAmount: 6_000,
      lines: [{ goodName: '装修管理服务' }],
    },
  ])
  for (const s of said) {
    if (s.status === 'rejected') {
      expect((s.reason as { data: { Message: string }[] }).data[0]!.Message).toContain('已被开票')
    }
  }
  expect(await waits()).toEqual([])
  // Not counted as a top-up: the place of invoicing prestore may still be changed.
  const { keyed: _, ...s } = (await t.ask(listSets, {}, me))[0]!
  await t.ask(editSet, { ...s, prestoreMode: 'deduct' } as never, me)
  const i = await t.ask(oneInvoice, { id: won[0]!.id }, me)
  await t.ask(
    redInvoice,
    {
      id: i.id,
      reason: '多开了',
      parts: [{ partId: i.parts[0]!.id, amount: 6_000 }],
      invoiceNo: `D${++no}`,
    } as never,
    me,
  )
  expect([await waits(), await see(r)]).toEqual([
    [[r, 6_000]],
    [['押金转收入', 106_000, 100_000, 6_000, undefined]],
  ])
  expect(await faultsIn(t.store.reader(owner), owner)).toEqual([])
})

it('what became income today is found today, whenever the deposit came', async () => {
  const d = await held(10_000)
  const r = d.recordId!
  await t.store.tx(owner, tx =>
    tx.run(
      sql`update pay_record set pay_time = '2025-03-01 09:00:00', pay_day = '2025-03-01' where id = ${r}`,
    ),
  )
  await t.ask(convertDeposit, { id: d.id, amount: 10_000, to: 'income', reason: '逾期未退' } as never, me)
  const day = '2026-11-21'
  expect((await waits({ payDayFrom: day, payDayTo: day })).map(w => w[0])).toContain(r)
  expect((await waits({ payDayFrom: '2025-03-01', payDayTo: '2025-03-01' })).map(w => w[0])).not.toContain(r)
  expect((await waits({ recordType: ['payment'] })).map(w => w[0])).not.toContain(r)
})
