import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen, formatYuan, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalTextOf, refusedTextsOf } from '#kit/server/fixtures/refusal.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { getRecord } from '#modules/payments/contract/record.ts'
import { requestRefund } from '#modules/payments/contract/refund.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import {
  addInvoice,
  cancelInvoice,
  issueInvoices,
  listWaitingPayments,
  addAndIssueInvoice,
  redInvoice,
  redInvoices,
} from '../contract/invoicing.ts'
import { listEntries, listInvoices, getInvoice } from '../contract/record.ts'
import { addGood, addSetting } from '../contract/setting.ts'
import { connectPlatform } from './tax-platform/accounts.ts'
import { syncDueInvoices } from './sync-jobs.ts'
import type { Behaviour } from './simulator/invoice-store.ts'
import { connectSimulator } from './simulator/simulator.ts'

type IssueInput = NonNullable<typeof addAndIssueInvoice.input.T>

let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let settingId: Id = 0
let billCount = 0
let paperNumber = 0
let platformUrl = ''
const items: number[] = []
const never = new AbortController().signal

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  ownerId = t.ownerId
  for (const [code, rate] of [
    ['REDA', '0.06'],
    ['REDB', '0.03'],
  ] as const) {
    items.push(await t.addFeeItem(code, { name: code, multi: true }))
    await t.call(
      addGood,
      {
        goodName: code,
        taxCode: '3040801010000000000',
        taxRate: rate,
        isNoTax: false,
        state: 'on',
        feeItemIds: [String(items.at(-1))],
      },
      me,
    )
  }
  settingId = (
    await t.call(
      addSetting,
      {
        companyName: '安居物业',
        taxNo: '91320506MA1XABCDE1',
        drawer: '张三',
        channel: 'platform',
        simulated: true,
        kinds: ['eNormal', 'paper'],
        prestoreMode: 'deduct',
        refuseNextYear: true,
        paidUpOnly: false,
      },
      me,
    )
  ).id
  await t.call(
    updateEstateSetting,
    { projectCode: 'GOLD0001', key: 'RefundAuditFrom', value: '99999999' },
    me,
  )
  platformUrl = (await connectSimulator(t.app, { usual: 20, slow: 400, retries: [60] })).base
})

afterAll(() => t?.close())

const addBill = (amount: Fen, item: number): Promise<number> =>
  t.database.tx(
    ownerId,
    async tx =>
      defined(
        await tx.one<{
          id: Id
        }>(sql`
        insert into bill (
          owner_id, project_code, bill_no, source_type, source_code, source_name, payer_name, fee_item_id,
          fee_item_name, fee_type, begin_date, end_date, belong_month, amount, due_date, state, bill_source,
          run_split_root
        )
        values (
          ${ownerId}, 'GOLD0001', ${`RD${++billCount}`}, 10, ${`RDROOM${billCount}`}, '1-1-101', '王五',
          ${defined(items[item])},
          ${item ? 'REDB' : 'REDA'}, 10, '2026-11-01', '2026-11-30', '2026-11', ${formatYuan(amount)},
          '2026-12-31', 20, 10, null
        )
        returning id
      `),
      ).id,
  )

/** One payment of a bill of 6 % and, where given, one of 3 %. */
const payNewBills = async (...amounts: readonly number[]) => {
  const bills: number[] = []
  const sum = amounts.reduce((a, b) => a + b, 0)
  for (const [i, a] of amounts.entries()) {
    bills.push(await addBill(asFen(a), i))
  }
  return t.call(
    getRecord,
    {
      id: (
        await t.call(
          payBills,
          {
            projectCode: 'GOLD0001',
            billIds: bills.map(String),
            expectAmount: asFen(sum),
            methods: [{ method: 'cash', amount: asFen(sum) }],
          },
          me,
        )
      ).recordId,
    },
    me,
  )
}

type Paid = Awaited<ReturnType<typeof payNewBills>>

const issueRequest = (r: Paid, overrides: Partial<IssueInput> = {}): IssueInput => ({
  parts: r.details.map(d => ({ recordId: r.id, detailId: d.id, amount: d.principal })),
  kind: 'eNormal',
  titleType: 'personal',
  title: '王五',
  ...overrides,
})

const invoiceOf = (id: Id) => t.call(getInvoice, { id }, me)

const syncUntil = async (id: Id, state: string) => {
  for (let i = 0; ; i++) {
    t.advanceClock(61_000)
    await syncDueInvoices(t.app, never)
    const r = await invoiceOf(id)
    if (r.state === state || i > 80) return r
    await new Promise(x => setTimeout(x, 25))
  }
}

const issueFor = async (r: Paid) =>
  syncUntil((await t.call(addAndIssueInvoice, issueRequest(r), me)).id, 'issued')

const reverse = (id: Id, parts?: readonly (readonly [Id, number])[], overrides: object = {}) =>
  t.call(
    redInvoice,
    {
      id,
      reason: '多开了',
      ...(parts ? { parts: parts.map(([partId, amount]) => ({ partId, amount: asFen(amount) })) } : {}),
      ...overrides,
    },
    me,
  )

const setBehaviour = async (behaviour: Behaviour): Promise<void> => {
  await fetch(`${platformUrl}/mood`, {
    method: 'POST',
    body: new URLSearchParams({ mood: behaviour }),
    redirect: 'manual',
  })
}

const invoicedAmounts = (r: Paid) =>
  t.database.reader(ownerId).rows<{ detail: string; record: string; bill: string; state: number }>(
    sql`
        select d.invoiced_amount::text as detail, r.invoiced_amount::text as record,
          b.invoiced_amount::text as bill, b.invoice_state as state
        from pay_detail d
        join pay_record r on r.id = d.record_id
        join bill b on b.id = d.bill_id
        where d.record_id = ${r.id}
        order by d.id
      `,
  )

const amountToInvoice = async (r: Paid) =>
  (await t.call(listWaitingPayments, { keyword: r.recordNo }, me)).rows[0]?.openAmount ?? 0

const setIssuedByHand = (on: boolean) =>
  t.database.tx(ownerId, tx =>
    tx.execute(sql`update invoice_set set channel = ${on ? 10 : 20} where id = ${settingId}`),
  )

const refundPrincipal = (r: Paid, principal: Fen) =>
  t.call(
    requestRefund,
    {
      recordId: r.id,
      lines: [{ detailId: defined(r.details[0]).id, principal, late: 0 }],
      refundWay: 'cash',
      billAfter: 'owed',
      reason: '多收了',
    },
    me,
  )

it('INV-5 in part, several times up to the whole: lines, tax, what may be invoiced again, bills, lists and sums follow', async () => {
  const r = await payNewBills(10600, 50000)
  const i = await issueFor(r)
  const [a, b] = i.parts
  expect(i.parts.map(p => [p.amount, p.redAmount, p.dueAmount])).toEqual([
    [10600, 0, 0],
    [50000, 0, 0],
  ])
  expect((await reverse(i.id, [[defined(a).id, 5300]])).state).toBe('redDue')
  expect(await refusalTextOf(reverse(i.id, [[defined(a).id, 1]]))).toContain('正在红冲')
  const half = await syncUntil(i.id, 'issued')
  const first = await invoiceOf(defined(half.followers[0]).id)
  expect(half).toMatchObject({
    state: 'issued',
    redAmount: 5300,
    totalAmount: 60600,
    parts: [{ redAmount: 5300 }, { redAmount: 0 }],
  })
  expect(first).toMatchObject({
    isRed: true,
    state: 'issued',
    totalAmount: -5300,
    netAmount: -5000,
    taxAmount: -300,
    lines: [{ goodName: 'REDA', amount: -5300 }],
    parts: [{ amount: 5300, feeItemName: 'REDA' }],
  })
  expect([await invoicedAmounts(r), await amountToInvoice(r)]).toEqual([
    [
      { detail: '53.00', record: '553.00', bill: '53.00', state: 1 },
      { detail: '500.00', record: '553.00', bill: '500.00', state: 2 },
    ],
    5300,
  ])
  expect((await t.call(listInvoices, { recordId: r.id }, me)).sum).toMatchObject({
    totalAmount: 55300,
  })
  expect((await t.call(listEntries, { recordId: r.id }, me)).sum).toEqual({ amount: 55300 })
  // T-INV-03: a whole line, then the rest of the first.
  await reverse(i.id, [[defined(b).id, 50000]])
  const second = await invoiceOf(defined((await syncUntil(i.id, 'issued')).followers[1]).id)
  expect(second).toMatchObject({ totalAmount: -50000, netAmount: -48544, taxAmount: -1456 })
  await reverse(i.id)
  const reversed = await syncUntil(i.id, 'red')
  expect([reversed.redAmount, reversed.followers.map(f => [f.state, f.totalAmount])]).toEqual([
    60600,
    [
      ['issued', -5300],
      ['issued', -50000],
      ['issued', -5300],
    ],
  ])
  expect([(await invoicedAmounts(r)).map(s => [s.detail, s.state]), await amountToInvoice(r)]).toEqual([
    [
      ['0.00', 0],
      ['0.00', 0],
    ],
    60600,
  ])
  const all = await t.call(listInvoices, { recordId: r.id }, me)
  expect([all.total, all.sum]).toMatchObject([4, { totalAmount: 0, netAmount: 0, taxAmount: 0 }])
  expect(await refusalTextOf(reverse(i.id, [[defined(a).id, 1]]))).toContain('最终状态')
})

it('what is not issued, cancelled, too much, repeated or of another invoice is refused with a message at its line; a partly reversed invoice is not cancelled', async () => {
  const r = await payNewBills(10000)
  const w = await t.call(addInvoice, issueRequest(r), me)
  const p = defined((await invoiceOf(w.id)).parts[0]).id
  expect(await refusalTextOf(reverse(w.id, [[p, 100]]))).toContain('发票尚未开具，不能红冲；如不需要可作废')
  await setBehaviour('mute')
  await t.call(issueInvoices, { ids: [String(w.id)] }, me)
  expect(await refusalTextOf(reverse(w.id, [[p, 100]]))).toContain('发票尚未开具')
  await setBehaviour('normal')
  const s = await payNewBills(10000)
  const k = await t.call(addInvoice, issueRequest(s), me)
  await t.call(cancelInvoice, { id: k.id, reason: '不要了' }, me)
  expect(await refusalTextOf(reverse(k.id, [[defined((await invoiceOf(k.id)).parts[0]).id, 100]]))).toContain(
    '“已作废”是最终状态',
  )
  const i = await issueFor(s)
  const q = defined(i.parts[0]).id
  const attempt = (parts: readonly (readonly [Id, number])[]) =>
    t.callRaw(
      redInvoice,
      {
        id: i.id,
        reason: '多开了',
        parts: parts.map(([partId, amount]) => ({ partId, amount: asFen(amount) })),
      },
      me,
    )
  expect(await attempt([[q, 10001]])).toMatchObject({
    Code: 10001,
    Data: [{ Field: 'Parts[0].Amount', Message: 'REDA最多可红冲 100.00 元，请刷新后重新填写' }],
  })
  expect(
    await attempt([
      [q, 1],
      [q, 1],
    ]),
  ).toMatchObject({ Data: [{ Field: 'Parts[1].Amount', Message: '同一行只能填一次' }] })
  expect(await attempt([[p, 1]])).toMatchObject({
    Data: [{ Message: '这一行不在该发票上，请刷新后重新选择' }],
  })
  expect(await attempt([])).toMatchObject({ Data: [{ Field: 'Parts', Message: '请勾选要红冲的明细' }] })
  expect(await attempt([[q, 0]])).toMatchObject({ Code: 10001 })
  expect([(await invoiceOf(i.id)).state, defined((await invoicedAmounts(s))[0]).detail]).toEqual([
    'issued',
    '100.00',
  ])
  await setIssuedByHand(true)
  const x = await payNewBills(10000)
  const paper = await t.call(
    addAndIssueInvoice,
    issueRequest(x, { kind: 'paper', invoiceNo: `H${++paperNumber}` }),
    me,
  )
  await reverse(paper.id, [[defined((await invoiceOf(paper.id)).parts[0]).id, 4000]], {
    invoiceNo: `H${++paperNumber}`,
  })
  expect(await refusalTextOf(t.call(cancelInvoice, { id: paper.id, reason: '错了' }, me))).toBe(
    '已部分红冲的发票不能作废，请把余下的也红冲',
  )
  // INV-7: a reversed part can be invoiced again, with a link to the old invoice.
  const reissued = await t.call(
    addAndIssueInvoice,
    {
      ...issueRequest(x),
      parts: [{ recordId: x.id, detailId: defined(x.details[0]).id, amount: asFen(4000) }],
      invoiceNo: `H${++paperNumber}`,
      originalId: paper.id,
    },
    me,
  )
  expect((await invoiceOf(reissued.id)).original).toBe(paper.invoiceNo)
  await setIssuedByHand(false)
})

it('several clerks reversing one line at once never reverse more than is invoiced', async () => {
  await setIssuedByHand(true)
  const x = await payNewBills(10000, 5000)
  const i = await t.call(addAndIssueInvoice, issueRequest(x, { invoiceNo: `H${++paperNumber}` }), me)
  const p = defined((await invoiceOf(i.id)).parts[0]).id
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, () => reverse(i.id, [[p, 3000]], { invoiceNo: `H${++paperNumber}` })),
  )
  expect(results.filter(s => s.status === 'fulfilled').length).toBe(3)
  for (const message of refusedTextsOf(results)) {
    expect(message).toBe('REDA最多可红冲 10.00 元，请刷新后重新填写')
  }
  const reversedInvoice = await invoiceOf(i.id)
  expect([
    reversedInvoice.state,
    reversedInvoice.redAmount,
    reversedInvoice.parts.map(q => q.redAmount),
    reversedInvoice.followers.length,
    (await invoicedAmounts(x)).map(s => s.detail),
  ]).toEqual(['issued', 9000, [9000, 0], 3, ['10.00', '50.00']])
  await expect(
    t.database.tx(ownerId, tx =>
      tx.execute(sql`update invoice_part set red_amount = amount + 0.01 where id = ${p}`),
    ),
  ).rejects.toThrow('invoice_part_red')
  await setIssuedByHand(false)
})

it('the platform gets each blue line with its amount; it refuses more than is left, and a refused request can be repeated with another amount', async () => {
  const r = await payNewBills(10600)
  const i = await issueFor(r)
  const p = defined(i.parts[0]).id
  await setBehaviour('fail')
  await reverse(i.id, [[p, 5300]])
  const due = await syncUntil(i.id, 'redDue')
  const bad = await syncUntil(defined(due.followers[0]).id, 'failed')
  expect([due.state, bad.state, defined((await invoicedAmounts(r))[0]).detail]).toEqual([
    'redDue',
    'failed',
    '106.00',
  ])
  await setBehaviour('normal')
  // The same sum is the same red invoice under its next number, another sum another one.
  await reverse(i.id, [[p, 2120]])
  const afterRetry = await syncUntil(i.id, 'issued')
  expect(afterRetry.followers.map(f => [f.state, f.totalAmount])).toEqual([
    ['cancelled', -5300],
    ['issued', -2120],
  ])
  expect([afterRetry.redAmount, defined((await invoicedAmounts(r))[0]).detail]).toEqual([2120, '84.80'])
  const taxPlatform = await connectPlatform(t.app, ownerId, settingId)
  const line = { ...defined(i.lines[0]), amount: asFen(-9000), net: asFen(-8491), tax: asFen(-509) }
  const platformInvoice = {
    ...(await invoiceOf(defined(afterRetry.followers[1]).id)),
    serialNo: 'FPHMORE',
    lines: [line],
    totalAmount: asFen(-9000),
    netAmount: asFen(-8491),
    taxAmount: asFen(-509),
    red: { invoiceNo: defined(i.invoiceNo), reason: '多', whole: false, lines: [1] },
  }
  await taxPlatform.issue(platformInvoice)
  let answer = await taxPlatform.query('FPHMORE')
  for (let k = 0; answer.state === 'doing' && k < 80; k++) {
    await new Promise(x => setTimeout(x, 25))
    answer = await taxPlatform.query('FPHMORE')
  }
  expect(answer).toEqual({ state: 'failed', reason: '红字金额超过蓝字发票第 1 行的余额' })
  // A cancelled red invoice: the blue one is valid again.
  await setBehaviour('fail')
  await reverse(i.id, [[p, 100]])
  const failedRed = defined((await invoiceOf(i.id)).followers[2])
  await syncUntil(failedRed.id, 'failed')
  await t.call(cancelInvoice, { id: failedRed.id, reason: '不红冲了' }, me)
  expect(await invoiceOf(i.id)).toMatchObject({ state: 'issued', redAmount: 2120 })
  await setBehaviour('normal')
  expect((await t.call(redInvoices, { ids: [String(i.id)], reason: '其余也收回' }, me)).count).toBe(1)
  expect((await syncUntil(i.id, 'red')).redAmount).toBe(10600)
})

it('REF-7: the refunded part alone is taken back, before the refund or after it; what was never invoiced goes back freely', async () => {
  const r = await payNewBills(10000)
  const i = await issueFor(r)
  const p = defined(i.parts[0]).id
  expect(await refusalTextOf(refundPrincipal(r, asFen(4000)))).toBe('该缴费已开票，请先红冲发票再退款')
  await reverse(i.id, [[p, 4000]])
  await syncUntil(i.id, 'issued')
  expect(await refusalTextOf(refundPrincipal(r, asFen(4001)))).toBe('该缴费已开票，请先红冲发票再退款')
  await refundPrincipal(r, asFen(4000))
  expect([
    (await invoiceOf(i.id)).state,
    defined((await invoicedAmounts(r))[0]).detail,
    await amountToInvoice(r),
  ]).toEqual(['issued', '60.00', 0])
  await t.call(updateEstateSetting, { projectCode: 'GOLD0001', key: 'RefundWithInvoice', value: '1' }, me)
  await refundPrincipal(r, asFen(1500))
  const due = await invoiceOf(i.id)
  expect([due.state, defined(due.parts[0]).dueAmount]).toEqual(['redDue', 1500])
  // Less than what went back: still due.
  await reverse(i.id, [[p, 500]])
  await syncUntil(defined((await invoiceOf(i.id)).followers[1]).id, 'issued')
  expect(await invoiceOf(i.id)).toMatchObject({
    state: 'redDue',
    redAmount: 4500,
    parts: [{ dueAmount: 1000 }],
  })
  await reverse(i.id, [[p, 1000]])
  expect(await syncUntil(i.id, 'issued')).toMatchObject({
    state: 'issued',
    redAmount: 5500,
    parts: [{ dueAmount: 0 }],
  })
  expect([defined((await invoicedAmounts(r))[0]).detail, await amountToInvoice(r)]).toEqual(['45.00', 0])
  await t.call(updateEstateSetting, { projectCode: 'GOLD0001', key: 'RefundWithInvoice', value: '0' }, me)
})
