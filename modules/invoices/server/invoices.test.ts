import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen, formatYuan, type Fen } from '#kit/domain/money.ts'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalTextOf, refusedTextsOf } from '#kit/server/fixtures/refusal.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { portOf } from '#kit/server/fixtures/port.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { getRecord, voidRecord } from '#modules/payments/contract/record.ts'
import { requestRefund } from '#modules/payments/contract/refund.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import {
  addInvoice,
  cancelInvoice,
  editInvoice,
  issueInvoices,
  listWaitingPayments,
  addAndIssueInvoice,
  getInvoiceable,
  redInvoice,
  redInvoices,
} from '../contract/invoicing.ts'
import {
  queryInvoice,
  exportInvoices,
  invoiceColumns,
  getInvoiceFile,
  listEntries,
  listInvoices,
  getInvoice,
} from '../contract/record.ts'
import {
  addGood,
  addSetting,
  deleteGoods,
  editGood,
  editSetting,
  listSettings,
  getGood,
  getOwnerSetting,
  listUsableGoods,
} from '../contract/setting.ts'
import { listTitles } from '../contract/title.ts'
import { notifyPath, connectPlatform } from './tax-platform/accounts.ts'
import { signMessage } from './tax-platform/signature.ts'
import { invoiceEntries } from './notify-entry.ts'
import { applyPlatformResult, syncInvoice } from './platform-sync.ts'
import { syncDueInvoices } from './sync-jobs.ts'
import { loadKeys, type Behaviour } from './simulator/invoice-store.ts'
import { connectSimulator } from './simulator/simulator.ts'

type InvoiceInput = NonNullable<typeof addInvoice.input.T>

let t: GoldenApp
let me: CallOptions
let other: CallOptions
let ownerId: Id = 0
let item = 0
let bare = 0
let set: Id = 0
let n = 0
let us: Server
let origin = ''
let platform = ''
let lost = false
const never = new AbortController().signal

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  other = await t.signedInAs(golden.first.estateOnly)
  ownerId = t.ownerId
  item = await t.addFeeItem('INVTEST', { name: '开票测试', multi: true })
  bare = await t.addFeeItem('INVBARE', { name: '没有商品', multi: true })
  // Our own endpoint on a socket: the platform's callbacks arrive there as they do in production.
  us = createServer((req, res) => {
    const parts: Buffer[] = []
    req
      .on('data', (b: Buffer) => parts.push(b))
      .on('end', () => {
        const at = new URL(defined(req.url), 'http://us')
        const [, o, s] = /^\/api\/invoice\/notify\/(\d+)\/(\d+)$/.exec(at.pathname) ?? []
        if (lost) return void req.socket.destroy()
        defined(invoiceEntries[0])
          .run(
            {
              params: { ownerId: o ?? '', set: s ?? '' },
              query: at.searchParams,
              headers: Object.fromEntries(Object.entries(req.headers).map(([k, v]) => [k, String(v)])),
              body: Buffer.concat(parts).toString(),
              bytes: Buffer.concat(parts),
              ip: '127.0.0.1',
              agent: 'platform',
              origin,
            },
            t.app,
          )
          .then(
            a => res.writeHead(a.status ?? 200).end(a.body),
            e => res.writeHead(500).end(String(e)),
          )
      })
  })
  await new Promise<void>(done => us.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${portOf(us)}`
  Object.assign(t.app, { originUrl: () => origin })
  platform = (await connectSimulator(t.app, { usual: 40, slow: 400, retries: [60, 60] })).base
})

afterAll(async () => {
  us?.closeAllConnections()
  us?.close()
  await t?.close()
})

const made = (
  amount: Fen,
  overrides: { readonly item?: number; readonly begin?: string; readonly name?: string } = {},
): Promise<number> =>
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
          ${ownerId}, 'GOLD0001', ${`V${++n}`}, 10, ${`VROOM${n}`}, '1-1-101', ${overrides.name ?? '王五'},
          ${overrides.item ?? item}, '开票测试', 10, ${overrides.begin ?? '2026-11-01'}, ${overrides.begin ?? '2026-11-30'},
          '2026-11', ${formatYuan(amount)}, '2026-12-31', 20, 10, null
        )
        returning id
      `),
      ).id,
  )

const pay = async (bills: readonly number[], sum: Fen, got = sum) =>
  t.call(
    getRecord,
    {
      id: (
        await t.call(
          payBills,
          {
            projectCode: 'GOLD0001',
            billIds: bills.map(String),
            expectAmount: sum,
            methods: [{ method: 'cash', amount: asFen(got) }],
          },
          me,
        )
      ).recordId,
    },
    me,
  )

type Paid = Awaited<ReturnType<typeof pay>>

const paid = async (amount: number, overrides: Parameters<typeof made>[1] = {}): Promise<Paid> =>
  pay([await made(asFen(amount), overrides)], asFen(amount))

const allOf = (...list: readonly Paid[]) =>
  list.flatMap(r =>
    r.details.map(d => ({ recordId: r.id, detailId: d.id, amount: asFen(d.principal + d.lateFee) })),
  )

const open = (list: readonly Paid[], overrides: object = {}, as = me) =>
  t.call(
    addAndIssueInvoice,
    { parts: allOf(...list), kind: 'eNormal', titleType: 'personal', title: '王五', ...overrides },
    as,
  )

const until = async <T>(get: () => Promise<T>, good: (v: T) => boolean): Promise<T> => {
  for (let i = 0; ; i++) {
    const v = await get()
    if (good(v) || i > 200) return v
    await new Promise(r => setTimeout(r, 25))
  }
}

const one = (id: Id) => t.call(getInvoice, { id }, me)

const ends = (id: Id, state: string) =>
  until(
    () => one(id),
    r => r.state === state,
  )

const setBehaviour = async (behaviour: Behaviour): Promise<void> => {
  await fetch(`${platform}/mood`, {
    method: 'POST',
    body: new URLSearchParams({ mood: behaviour }),
    redirect: 'manual',
  })
}

const invoicedAmounts = async (r: Paid) => {
  const [detail] = await t.database
    .reader(ownerId)
    .rows<{ invoiced: string; record: string; bill: string; state: number }>(
      sql`
        select d.invoiced_amount::text as invoiced, r.invoiced_amount::text as record,
          b.invoiced_amount::text as bill, b.invoice_state as state
        from pay_detail d
        join pay_record r on r.id = d.record_id
        join bill b on b.id = d.bill_id
        where d.record_id = ${r.id}
        order by d.id
      `,
    )
  return detail
}

const waiting = async (r: Paid) =>
  (await t.call(listWaitingPayments, { keyword: r.recordNo }, me)).rows[0]?.openAmount

it('a set, its goods and what they are for; secrets go in and never come out; nobody invoices without', async () => {
  const r = await paid(10000)
  expect(await refusalTextOf(open([r]))).toContain('暂无开票设置')
  expect(await t.call(getOwnerSetting, {}, me)).toMatchObject({
    id: 0,
    channel: 'manual',
    prestoreMode: 'deduct',
  })
  const base = {
    companyName: '安居物业',
    taxNo: '91320506MA1XABCDE1',
    drawer: '张三',
    channel: 'platform',
    kinds: ['eNormal', 'eSpecial'],
    prestoreMode: 'deduct',
    refuseNextYear: true,
    paidUpOnly: false,
  } as const
  expect(await refusalTextOf(t.call(addSetting, { ...base, simulated: false }, me))).toBe('请填写平台应用号')
  expect(await refusalTextOf(t.call(addSetting, { ...base, taxNo: '123', simulated: true }, me))).toContain(
    '15 到 20 位',
  )
  expect(await refusalTextOf(t.call(addSetting, { ...base, simulated: true }, other))).toContain('无权')
  const s = await t.call(addSetting, { ...base, simulated: true }, me)
  set = s.id
  expect(await refusalTextOf(t.call(addSetting, { ...base, simulated: true }, me))).toBe(
    '该范围已有开票设置，请修改它',
  )
  const real = await t.call(
    addSetting,
    {
      ...base,
      estateCode: 'GOLD0002',
      simulated: false,
      appKey: 'APP',
      apiBase: 'https://fp.example.com',
      notifyBase: 'https://wy.example.com',
      secret: 'SECRETSECRET',
    },
    me,
  )
  expect(real.hasStoredKey).toBe(true)
  expect(JSON.stringify(await t.call(listSettings, {}, me))).not.toContain('SECRET')
  expect(
    (
      await t.database.reader(ownerId).rows<{ all: string }>(
        sql`
            select coalesce(before::text, '') || coalesce(after::text, '') as all
            from audit_log
            where entity = 'invoiceSet'
          `,
      )
    )
      .map(x => x.all)
      .join(''),
  ).not.toContain('SECRET')
  expect(await refusalTextOf(open([r]))).toContain('没有对应的开票商品')
  const g = await t.call(
    addGood,
    {
      goodName: '物业费',
      taxCode: '3040801010000000000',
      shortName: '企业管理服务',
      taxRate: '0.06',
      isNoTax: false,
      state: 'on',
      feeItemIds: [String(item)],
    },
    me,
  )
  const { id, goodName } = editGood.input.fields
  const fields = { id: defined(id), goodName: defined(goodName) }
  const nameAlone = { ...editGood, input: { ...editGood.input, fields } }
  expect(await t.callRaw(nameAlone, { id: g.id, goodName: '物业费' }, me)).toMatchObject({
    Code: resultCode.ok,
  })
  expect(await t.call(getGood, { id: g.id }, me)).toMatchObject({
    feeItemIds: [String(item)],
    feeItemNames: '开票测试',
  })
  expect(
    await refusalTextOf(
      t.call(addGood, { goodName: '坏', taxCode: '123', taxRate: '0.06', isNoTax: false, state: 'on' }, me),
    ),
  ).toContain('19')
  expect(await refusalTextOf(t.call(deleteGoods, { ids: [String(g.id)], reason: '不用了' }, me))).toContain(
    '还对应着收费项目',
  )
  expect((await t.call(listUsableGoods, {}, me)).map(x => x.goodName)).toContain('物业费')
})

it('T-INV-02 through the platform: sent by a job, issued by its callback; amounts are on payment, detail and bill', async () => {
  await setBehaviour('normal')
  const r = await paid(168400)
  const seen = await t.call(getInvoiceable, { recordIds: [String(r.id)] }, me)
  expect(seen).toMatchObject({
    payerName: '王五',
    channel: 'platform',
    parts: [{ paid: 168400, refunded: 0, invoiced: 0, open: 168400, goodName: '物业费' }],
    titles: [{ titleType: 'personal', title: '王五' }],
  })
  expect(await waiting(r)).toBe(168400)
  const i = await open([r])
  expect(i).toMatchObject({
    state: 'doing',
    totalAmount: 168400,
    netAmount: 158868,
    taxAmount: 9532,
    receiptNos: r.receiptNo,
  })
  expect(await invoicedAmounts(r)).toEqual({
    invoiced: '1684.00',
    record: '1684.00',
    bill: '1684.00',
    state: 2,
  })
  expect(await waiting(r)).toBeUndefined()
  const done = await ends(i.id, 'issued')
  expect(done).toMatchObject({
    state: 'issued',
    invoiceNo: expect.stringMatching(/^26\d{18}$/),
    parts: [{ recordNo: r.recordNo, amount: 168400 }],
    lines: [{ goodName: '物业费', net: 158868, tax: 9532 }],
  })
  const file = await t.call(getInvoiceFile, { id: i.id }, me)
  expect([decodeURIComponent(file.name), (await readBody(file)).subarray(0, 5).toString()]).toEqual([
    `发票_${done.invoiceNo}.pdf`,
    '%PDF-',
  ])
  expect((await one(i.id)).pdf).toMatch(/^[0-9a-f]{40}$/)
  // PAY-21, REF-7
  expect(await refusalTextOf(t.call(voidRecord, { id: r.id, reason: '录错了' }, me))).toBe(
    '该缴费已开票，请先红冲发票',
  )
  expect(await refusalTextOf(refund(r, asFen(100)))).toBe('该缴费已开票，请先红冲发票再退款')
})

const refund = (r: Paid, principal: Fen) =>
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

it('INV-1: one payer, several records, one invoice; of another payer or more than may be: refused with a message', async () => {
  const a = await paid(10000)
  const b = await paid(5000)
  const c = await paid(100, { name: '赵六' })
  expect(await refusalTextOf(open([a, c]))).toContain('一张发票只能开给一位缴费人')
  expect(
    await refusalTextOf(
      t.call(
        addAndIssueInvoice,
        {
          parts: [{ ...defined(allOf(a)[0]), amount: asFen(10001) }],
          kind: 'eNormal',
          titleType: 'personal',
          title: '王五',
        },
        me,
      ),
    ),
  ).toContain('最多可开 100.00 元')
  expect(
    await refusalTextOf(
      t.call(
        addAndIssueInvoice,
        { parts: [...allOf(a), ...allOf(a)], kind: 'eNormal', titleType: 'personal', title: '王五' },
        me,
      ),
    ),
  ).toContain('只能选一次')
  const i = await open([a, b])
  expect(i).toMatchObject({ totalAmount: 15000, lines: [{ amount: 15000 }] })
  expect((await one(i.id)).parts.map(p => p.amount)).toEqual([10000, 5000])
  await ends(i.id, 'issued')
  const part = await paid(10000)
  const half = await t.call(
    addAndIssueInvoice,
    {
      parts: [{ ...defined(allOf(part)[0]), amount: asFen(4000) }],
      kind: 'eNormal',
      titleType: 'personal',
      title: '王五',
    },
    me,
  )
  expect(await invoicedAmounts(part)).toEqual({ invoiced: '40.00', record: '40.00', bill: '40.00', state: 1 })
  expect(await waiting(part)).toBe(6000)
  await ends(half.id, 'issued')
})

it('INV-4, INV-6: each fault at its field; next year, bills not cleared, the limit', async () => {
  const r = await paid(10000)
  const attempt = (overrides: object) =>
    t.callRaw(
      addAndIssueInvoice,
      { parts: allOf(r), kind: 'eNormal', titleType: 'personal', title: '王五', ...overrides },
      me,
    )
  expect(await attempt({ kind: 'eSpecial' })).toMatchObject({
    Code: 10001,
    Data: [{ Field: 'TitleType', Message: '专用发票只能开给企业' }],
  })
  expect(await attempt({ titleType: 'company', title: '甲公司' })).toMatchObject({
    Code: 10001,
    Data: [{ Field: 'TaxNo', Message: '企业抬头请填写税号' }],
  })
  expect(
    await attempt({ kind: 'eSpecial', titleType: 'company', title: '甲公司', taxNo: '91320506MA1XABCDE1' }),
  ).toMatchObject({ Data: [{ Field: 'AddressPhone' }, { Field: 'BankAccount' }] })
  expect(await attempt({ kind: 'paper' })).toMatchObject({ Data: [{ Field: 'Kind' }] })
  expect(await refusalTextOf(open([await paid(100, { begin: '2027-01-01' })]))).toContain('请到明年再开')
  expect(await refusalTextOf(open([await paid(100, { item: bare })]))).toContain('没有对应的开票商品')
  const { hasStoredKey: _, ...s } = defined((await t.call(listSettings, {}, me)).find(x => x.id === set))
  await t.call(editSetting, { ...s, limitAmount: asFen(9999), paidUpOnly: true }, me)
  expect(await refusalTextOf(open([r]))).toContain('超过单张限额 99.99 元')
  expect(
    await refusalTextOf(open([await pay([await made(asFen(10000))], asFen(10000), asFen(4000))])),
  ).toContain('尚未缴清')
  await t.call(editSetting, { ...s, version: undefined, limitAmount: undefined, paidUpOnly: false }, me)
  expect((await open([r])).state).toBe('doing')
})

it('two clerks over the same payment: one succeeds, the other gets a conflict', async () => {
  for (let k = 0; k < 4; k++) {
    const r = await paid(10000)
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => open([r])))
    expect(results.filter(s => s.status === 'fulfilled').length).toBe(1)
    for (const words of refusedTextsOf(results)) {
      expect(words).toContain('已被开票，请刷新')
    }
    expect(await invoicedAmounts(r)).toMatchObject({ invoiced: '100.00', record: '100.00' })
  }
})

it('the database itself keeps more from being invoiced than was paid', async () => {
  const r = await paid(100)
  await expect(
    t.database.tx(ownerId, tx =>
      tx.execute(sql`update pay_detail set invoiced_amount = 1.01 where record_id = ${r.id}`),
    ),
  ).rejects.toThrow('pay_detail_invoiced')
  await expect(
    t.database.tx(ownerId, tx =>
      tx.execute(sql`update pay_detail set invoiced_amount = -0.01 where record_id = ${r.id}`),
    ),
  ).rejects.toThrow('pay_detail_invoiced')
})

it('INV-5: in red as a whole, then the lines may be invoiced again; INV-7: the new one names the old', async () => {
  await setBehaviour('normal')
  const r = await paid(10600)
  const i = await open([r])
  const blue = await ends(i.id, 'issued')
  expect(await refusalTextOf(t.call(cancelInvoice, { id: i.id, reason: '开错了' }, me))).toBe(
    '已开具的电子发票不能作废，请红冲',
  )
  await t.call(redInvoice, { id: i.id, reason: '抬头有误' }, me)
  expect(await refusalTextOf(t.call(redInvoice, { id: i.id, reason: '抬头有误' }, me))).toContain('正在红冲')
  const reversed = await ends(i.id, 'red')
  const red = defined(reversed.followers[0])
  expect(reversed).toMatchObject({ state: 'red', invoiceNo: blue.invoiceNo, redReason: '抬头有误' })
  expect(red).toMatchObject({ isRed: true, state: 'issued', totalAmount: -10600 })
  expect(red.serialNo).toMatch(/^FPH\d{14}$/)
  expect(await one(red.id)).toMatchObject({ netAmount: -10000, taxAmount: -600, original: blue.invoiceNo })
  expect(await invoicedAmounts(r)).toEqual({ invoiced: '0.00', record: '0.00', bill: '0.00', state: 0 })
  expect(await refusalTextOf(t.call(redInvoice, { id: i.id, reason: '再来' }, me))).toContain('最终状态')
  const again = await open([r], {
    titleType: 'company',
    title: '甲公司',
    taxNo: '91320506MA1XABCDE1',
    originalId: i.id,
  })
  expect((await one(again.id)).original).toBe(blue.invoiceNo)
  expect((await t.call(listTitles, { keyword: '甲公司' }, me)).rows[0]).toMatchObject({
    payerName: '王五',
    taxNo: '91320506MA1XABCDE1',
  })
  expect(
    (await t.call(getInvoiceable, { recordIds: [String((await paid(1)).id)] }, me)).titles[0],
  ).toMatchObject({
    title: '甲公司',
  })
  await ends(again.id, 'issued')
  const sum = await t.call(listInvoices, { recordId: r.id }, me)
  expect([sum.total, sum.sum?.totalAmount]).toEqual([3, 10600])
  expect((await t.call(listEntries, { recordId: r.id }, me)).sum).toEqual({ amount: 10600 })
})

it('a final refusal by the platform sets 失败 and stores its message; a retry uses the next serial number', async () => {
  await setBehaviour('fail')
  const r = await paid(10000)
  const i = await open([r])
  const bad = await ends(i.id, 'failed')
  expect(bad.serialNo).toMatch(/^FP\d{14}$/)
  expect(bad.failReason).toContain('税务平台拒绝')
  expect(await invoicedAmounts(r)).toMatchObject({ invoiced: '100.00' })
  await t.call(editInvoice, { id: i.id, kind: 'eNormal', titleType: 'personal', title: '王小五' }, me)
  const { hasStoredKey: _, ...s } = defined((await t.call(listSettings, {}, me)).find(x => x.id === set))
  await t.call(editSetting, { ...s, drawer: '李四' }, me)
  await setBehaviour('normal')
  await t.call(issueInvoices, { ids: [String(i.id)] }, me)
  expect(await ends(i.id, 'issued')).toMatchObject({
    buyerName: '王小五',
    serialNo: `${bad.serialNo}-2`,
    seller: { drawer: '李四' },
  })
})

it('cancelled before it is issued: free again; under way: refused', async () => {
  const r = await paid(10000)
  const i = await t.call(
    addInvoice,
    { parts: allOf(r), kind: 'eNormal', titleType: 'personal', title: '王五' },
    me,
  )
  expect(i.state).toBe('pending')
  expect(await refusalTextOf(open([r]))).toContain('已被开票')
  await t.call(cancelInvoice, { id: i.id, reason: '不要了' }, me)
  expect(await invoicedAmounts(r)).toEqual({ invoiced: '0.00', record: '0.00', bill: '0.00', state: 0 })
  await setBehaviour('mute')
  const k = await open([r])
  expect(await refusalTextOf(t.call(cancelInvoice, { id: k.id, reason: '不要了' }, me))).toContain(
    '不能改为“已作废”',
  )
  await setBehaviour('normal')
})

it.each(['twice', 'never', 'die', 'slow'] as const)(
  'the platform’s bad day (%s): one invoice for one number, asked for until it is known',
  async m => {
    await setBehaviour(m)
    const r = await paid(10000)
    const i = await open([r])
    if (m === 'never' || m === 'die') {
      // Sent, no word back: it stays 20 and is asked for, not sent again.
      await until(async () => (await one(i.id)).sentTime, Boolean)
      await until(
        async () => {
          t.advanceClock(61_000)
          await syncDueInvoices(t.app, never)
          return one(i.id)
        },
        x => x.state === 'issued',
      )
    }
    const done = await ends(i.id, 'issued')
    expect(done).toMatchObject({ state: 'issued', serialNo: i.serialNo })
    expect((await fetch(`${platform}/`).then(x => x.text())).split(i.serialNo).length - 1).toBe(1)
    expect(await invoicedAmounts(r)).toMatchObject({ invoiced: '100.00', record: '100.00' })
    await setBehaviour('normal')
  },
)

it('killed between sending and the answer: the next to come asks first; many at once make one invoice', async () => {
  lost = true
  const r = await paid(10000)
  const i = await t.call(
    addInvoice,
    { parts: allOf(r), kind: 'eNormal', titleType: 'personal', title: '王五' },
    me,
  )
  // As a process leaves it that died after the platform had taken the order: 20, sent, nothing heard.
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`update invoice_record set state = 20, sent_time = now(), query_time = now() where id = ${i.id}`,
    ),
  )
  const p = await connectPlatform(t.app, ownerId, set)
  const whole = await one(i.id)
  expect(await p.issue(whole)).toEqual({ state: 'doing' })
  await until(
    () => p.query(i.serialNo),
    s => s.state === 'issued',
  )
  await Promise.all(Array.from({ length: 6 }, () => syncInvoice(t.app, ownerId, i.id)))
  const first = await one(i.id)
  expect(first.state).toBe('issued')
  // And as one that died before it had reached the platform.
  const s = await paid(5000)
  const k = await t.call(
    addInvoice,
    { parts: allOf(s), kind: 'eNormal', titleType: 'personal', title: '王五' },
    me,
  )
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`update invoice_record set state = 20, sent_time = now(), query_time = now() where id = ${k.id}`,
    ),
  )
  await Promise.all(Array.from({ length: 6 }, () => syncInvoice(t.app, ownerId, k.id)))
  await until(
    async () => t.call(queryInvoice, { id: k.id }, me),
    x => x.state === 'issued',
  )
  expect((await fetch(`${platform}/`).then(x => x.text())).split(k.serialNo).length - 1).toBe(1)
  expect(await p.issue({ ...whole, totalAmount: asFen(1), netAmount: asFen(1), taxAmount: 0 })).toMatchObject(
    {
      state: 'failed',
      reason: '流水号已被另一张发票使用',
    },
  )
  lost = false
})

it('a forged callback and an old one again are refused and leave a row in the audit log', async () => {
  await setBehaviour('mute')
  const i = await open([await paid(10000)])
  const keys = loadKeys(`${t.dir}/invoice-platform`)
  const path = notifyPath(ownerId, set)
  const now = (): number => Math.floor(t.app.clock() / 1000)
  const refusals = async () =>
    defined(
      await t.database.reader(ownerId).one<{ n: number }>(
        sql`
          select count(*)::int as n
          from audit_log
          where action = 'refused'
            and reason like '开票平台的回调被拒绝%'
        `,
      ),
    ).n
  const body = JSON.stringify({
    serialNo: i.serialNo,
    status: 'ISSUED',
    invoiceNo: '26999',
    issueTime: '2026-11-21 09:00:00',
    total: '100.00',
  })
  const send = (headers: Readonly<Record<string, string>>, text = body) =>
    fetch(`${origin}${path}`, { method: 'POST', headers: { ...headers }, body: text }).then(r => r.status)
  const before = await refusals()
  expect(await send({})).toBe(400)
  expect(await send(signMessage('notice', { ...keys, secret: 'other' }, path, body, now()))).toBe(400)
  expect(await send(signMessage('notice', keys, path, body, now() - 301))).toBe(400)
  expect(await send(signMessage('answer', keys, path, body, now()))).toBe(400)
  expect(await send(signMessage('notice', keys, notifyPath(ownerId, asId(set + 1)), body, now()))).toBe(400)
  expect(await send(signMessage('notice', keys, path, body, now()), body.replace('100.00', '1.00'))).toBe(400)
  const nobody = body.replace(i.serialNo, 'FP000')
  expect(await send(signMessage('notice', keys, path, nobody, now()), nobody)).toBe(400)
  expect([(await refusals()) - before, (await one(i.id)).state]).toEqual([7, 'doing'])
  // Another amount than was asked for is never booked.
  const wrongSum = body.replace('100.00', '100.01')
  expect(await send(signMessage('notice', keys, path, wrongSum, now()), wrongSum)).toBe(200)
  expect(await one(i.id)).toMatchObject({
    state: 'doing',
    failReason: expect.stringContaining('100.01'),
  })
  const real = signMessage('notice', keys, path, body, now())
  expect(await send(real)).toBe(200)
  expect(await one(i.id)).toMatchObject({ state: 'issued', invoiceNo: '26999' })
  expect(await send(real)).toBe(400)
  expect((await refusals()) - before).toBe(8)
  await setBehaviour('normal')
})

it('REF-7 with the setting: what is issued becomes 待红冲, what waits is cancelled, what is under way follows', async () => {
  await t.call(updateEstateSetting, { projectCode: 'GOLD0001', key: 'RefundWithInvoice', value: '1' }, me)
  await t.call(
    updateEstateSetting,
    { projectCode: 'GOLD0001', key: 'RefundAuditFrom', value: '99999999' },
    me,
  )
  const a = await paid(10000)
  const i = await open([a])
  await ends(i.id, 'issued')
  await refund(a, asFen(4000))
  expect((await one(i.id)).state).toBe('redDue')
  expect(await refusalTextOf(open([a]))).toContain('已被开票')
  expect((await t.call(redInvoices, { ids: [String(i.id)], reason: '部分退款' }, me)).count).toBe(1)
  await ends(i.id, 'red')
  expect(await waiting(a)).toBe(6000)
  const b = await paid(10000)
  const w = await t.call(
    addInvoice,
    { parts: allOf(b), kind: 'eNormal', titleType: 'personal', title: '王五' },
    me,
  )
  await refund(b, asFen(10000))
  expect([(await one(w.id)).state, await invoicedAmounts(b)]).toMatchObject([
    'cancelled',
    { invoiced: '0.00', record: '0.00', state: 0 },
  ])
  await setBehaviour('never')
  const c = await paid(10000)
  const d = await open([c])
  await until(async () => (await one(d.id)).sentTime, Boolean)
  await refund(c, asFen(10000))
  await until(
    () => t.call(queryInvoice, { id: d.id }, me),
    x => x.state !== 'doing',
  )
  expect((await one(d.id)).state).toBe('redDue')
  const e = await paid(10000)
  await setBehaviour('mute')
  const f = await open([e])
  await until(async () => (await one(f.id)).sentTime, Boolean)
  await refund(e, asFen(10000))
  await applyPlatformResult(t.app, ownerId, f, { state: 'failed', reason: '拒绝' })
  expect([(await one(f.id)).state, await invoicedAmounts(e)]).toMatchObject([
    'cancelled',
    { invoiced: '0.00', record: '0.00', bill: '0.00', state: 0 },
  ])
  await setBehaviour('normal')
  await t.call(updateEstateSetting, { projectCode: 'GOLD0001', key: 'RefundWithInvoice', value: '0' }, me)
})

it('a bill whose payment is invoiced is invoiced in part once more is paid', async () => {
  const b = await made(asFen(10000))
  const a = await pay([b], asFen(10000), asFen(4000))
  await open([a])
  expect(await invoicedAmounts(a)).toMatchObject({ bill: '40.00', state: 2 })
  await pay([b], asFen(6000))
  expect(await invoicedAmounts(a)).toMatchObject({ bill: '40.00', state: 1 })
})

it('INV-8: the export lists number, code, title, net, tax, total, state, operator and receipts; it finds what the list finds', async () => {
  expect(
    ['发票号', '发票代码', '购买方', '不含税', '税额', '价税合计', '状态', '操作人', '关联收据'].filter(
      h => !invoiceColumns.some(c => c.heading === h),
    ),
  ).toEqual([])
  const file = await t.call(exportInvoices.get, { state: ['issued'] }, me)
  expect([decodeURIComponent(file.name), (await readBody(file)).subarray(0, 2).toString()]).toEqual([
    '发票_20261121.xlsx',
    'PK',
  ])
})

it('INV-1: invoiceable is never negative and always paid − refunded − invoiced, in any order of actions', async () => {
  await t.call(updateEstateSetting, { projectCode: 'GOLD0001', key: 'RefundWithInvoice', value: '1' }, me)
  await t.database.tx(ownerId, tx => tx.execute(sql`update invoice_set set channel = 10 where id = ${set}`))
  let seed = 11
  let no = 0
  const pseudoRandom = (k: number): number => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.floor((seed / 4_294_967_296) * k)
  }
  const fen = (v: string): number => Math.round(Number(v) * 100)
  const seenActions = new Set<string>()
  for (let round = 0; round < 6; round++) {
    const r = await paid(5000 + pseudoRandom(9000))
    const d = defined(r.details[0])
    const ownIds: Id[] = []
    for (let k = 0; k < 12; k++) {
      const invoiceable = (await waiting(r)) ?? 0
      const what = pseudoRandom(8)
      const by = (): InvoiceInput => ({
        parts: [
          {
            recordId: r.id,
            detailId: d.id,
            amount: asFen(1 + pseudoRandom(Math.floor(invoiceable / 2) + 900)),
          },
        ],
        kind: 'eNormal',
        titleType: 'personal',
        title: '王五',
      })
      const some = ownIds[pseudoRandom(ownIds.length || 1)]
      const recordOutcome =
        (name: string) =>
        (p: Promise<{ id?: Id } | void>): Promise<unknown> =>
          p.then(
            x => {
              seenActions.add(name)
              if (x?.id && !ownIds.includes(x.id)) {
                ownIds.push(x.id)
              }
            },
            e => {
              if (!(e instanceof Refused)) throw e
            },
          )
      if (what < 2) {
        await recordOutcome('add')(t.call(addInvoice, by(), me))
      } else if (what < 4) {
        await recordOutcome('open')(t.call(addAndIssueInvoice, { ...by(), invoiceNo: `R${++no}` }, me))
      } else if (what === 4) {
        await recordOutcome('refund')(refund(r, asFen(1 + pseudoRandom(3000))).then(() => {}))
      } else if (some && what === 5) {
        await recordOutcome('cancel')(t.call(cancelInvoice, { id: some, reason: '不要了' }, me))
      } else if (some && what === 6) {
        const of = await one(some)
        const p = defined(of.parts[0])
        await recordOutcome('part')(
          t.call(
            redInvoice,
            {
              id: some,
              reason: '多开了',
              invoiceNo: `R${++no}`,
              parts: [{ partId: p.id, amount: asFen(1 + pseudoRandom(p.amount - p.redAmount + 200)) }],
            },
            me,
          ),
        )
      } else if (some) {
        await recordOutcome('red')(
          t.call(redInvoice, { id: some, reason: '开错了', invoiceNo: `R${++no}` }, me),
        )
      }
      const row = defined(
        await t.database.reader(ownerId).one<{
          paid: string
          back: string
          invoiced: string
          live: string
          record: string
          bill: string
        }>(sql`
        select (d.principal + d.late_fee)::text as paid,
          (d.refunded_principal + d.refunded_late_fee)::text as back,
          d.invoiced_amount::text as invoiced,
          r.invoiced_amount::text as record,
          b.invoiced_amount::text as bill,
          (
            select coalesce(sum(p.amount - p.red_amount), 0)::text
            from invoice_part p
            join invoice_record i on i.id = p.invoice_id
            where p.detail_id = d.id and not i.is_red and i.state <> 70
          ) as live
        from pay_detail d
        join pay_record r on r.id = d.record_id
        join bill b on b.id = d.bill_id
        where d.id = ${d.id}
      `),
      )
      expect([row.invoiced, row.record, row.bill].map(fen)).toEqual([
        fen(row.live),
        fen(row.live),
        fen(row.live),
      ])
      // More was refunded than was free: the invoice stands as 待红冲 until it is taken back, and nothing is
      // free until then.
      expect((await waiting(r)) ?? 0).toBe(Math.max(0, fen(row.paid) - fen(row.back) - fen(row.invoiced)))
      expect(fen(row.invoiced)).toBeLessThanOrEqual(fen(row.paid))
    }
  }
  expect([...seenActions].toSorted()).toEqual(['add', 'cancel', 'open', 'part', 'red', 'refund'])
  await t.database.tx(ownerId, tx => tx.execute(sql`update invoice_set set channel = 20 where id = ${set}`))
  await t.call(updateEstateSetting, { projectCode: 'GOLD0001', key: 'RefundWithInvoice', value: '0' }, me)
})

it('by hand: registered with its number, paper cancelled in its month, taken back with the red one’s number', async () => {
  const { hasStoredKey: _, ...s } = defined((await t.call(listSettings, {}, me)).find(x => x.id === set))
  await t.call(editSetting, { ...s, channel: 'manual', kinds: ['paper', 'eNormal'] }, me)
  const a = await paid(10000)
  expect(await refusalTextOf(open([a], { kind: 'paper' }))).toBe('手工登记请填写发票号')
  expect(await invoicedAmounts(a)).toMatchObject({ invoiced: '0.00' })
  const i = await open([a], { kind: 'paper', invoiceNo: '12345678', invoiceCode: '3200231130' })
  expect(i).toMatchObject({ state: 'issued', medium: 'paper', invoiceNo: '12345678' })
  expect(
    await refusalTextOf(
      open([await paid(100)], { kind: 'paper', invoiceNo: '12345678', invoiceCode: '3200231130' }),
    ),
  ).toContain('该发票号已登记过')
  await t.call(cancelInvoice, { id: i.id, reason: '打印错位' }, me)
  expect(await invoicedAmounts(a)).toMatchObject({ invoiced: '0.00', state: 0 })
  const k = await open([a], { kind: 'paper', invoiceNo: '12345679', invoiceCode: '3200231130' })
  expect(await refusalTextOf(t.call(redInvoices, { ids: [String(k.id)], reason: '开错了' }, me))).toContain(
    '逐张红冲',
  )
  expect(await refusalTextOf(t.call(redInvoice, { id: k.id, reason: '开错了' }, me))).toBe(
    '手工登记请填写发票号',
  )
  expect(
    await t.call(
      redInvoice,
      { id: k.id, reason: '开错了', invoiceNo: '12345680', invoiceCode: '3200231130' },
      me,
    ),
  ).toMatchObject({ state: 'red' })
  expect(await invoicedAmounts(a)).toMatchObject({ invoiced: '0.00', record: '0.00', bill: '0.00', state: 0 })
  expect(await refusalTextOf(t.call(getInvoiceFile, { id: k.id }, me))).toContain('没有版式文件')
  await t.call(editSetting, { ...s, version: undefined }, me)
})

it('INV-2: prestore is invoiced where it is spent, or where it is topped up, never both', async () => {
  const top = defined(
    await t.database.tx(ownerId, tx =>
      tx.one<{ id: Id }>(
        sql`
        insert into pay_record (
          owner_id, project_code, record_no, record_type, source_name, payer_name, tendered_amount,
          to_prestore, pay_method, methods, pay_time, pay_day, state
        )
        values (
          ${ownerId}, 'GOLD0001', 'VTOP1', 30, '1-1-101', '王五', 500, 500, 10,
          '[{"method":"cash","amount":50000}]', '2026-11-21 08:00:00', '2026-11-21', 10
        )
        returning id
      `,
      ),
    ),
  ).id
  const see = async (id: Id) =>
    (await t.call(getInvoiceable, { recordIds: [String(id)] }, me)).parts.map(p => p.open)
  const spent = await paid(10000)
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`update pay_record set prestore_amount = 60 where id = ${spent.id}`),
  )
  expect([await see(top), await see(spent.id)]).toEqual([[], [10000]])
  const { hasStoredKey: _, ...s } = defined((await t.call(listSettings, {}, me)).find(x => x.id === set))
  const i = await t.call(
    addInvoice,
    { parts: allOf(spent), kind: 'eNormal', titleType: 'personal', title: '王五' },
    me,
  )
  expect(await refusalTextOf(t.call(editSetting, { ...s, prestoreMode: 'topUp' }, me))).toContain(
    '会重复开票',
  )
  await t.call(cancelInvoice, { id: i.id, reason: '改为充值开票' }, me)
  await t.call(editSetting, { ...s, prestoreMode: 'topUp' }, me)
  expect([await see(top), await see(spent.id)]).toEqual([[50000], [4000]])
  const pre = {
    parts: [{ recordId: top, amount: asFen(50000) }],
    kind: 'eNormal',
    titleType: 'personal',
    title: '王五',
  } as const
  expect(await refusalTextOf(t.call(addInvoice, pre, me))).toContain('开票商品')
  await t.call(
    addGood,
    { goodName: '预存款', taxCode: '6010000000000000000', taxRate: '0', isNoTax: true, state: 'on' },
    me,
  )
  expect(await t.call(addInvoice, pre, me)).toMatchObject({
    netAmount: 50000,
    taxAmount: 0,
    lines: [{ isNoTax: true }],
  })
  expect(await refusalTextOf(t.call(addInvoice, pre, me))).toContain('已被开票')
  const now = defined((await t.call(listSettings, {}, me)).find(x => x.id === set))
  expect(
    await refusalTextOf(t.call(editSetting, { ...s, version: now.version, prestoreMode: 'deduct' }, me)),
  ).toContain('按充值开具')
})

it('the list of what waits and its totals speak of the whole filter', async () => {
  const all = await t.call(listWaitingPayments, { size: 2000 }, me)
  const few = await t.call(listWaitingPayments, { size: 1 }, me)
  expect([few.total, few.sum]).toEqual([all.total, all.sum])
  expect(all.rows.reduce((x, r) => x + r.openAmount, 0)).toBe(defined(all.sum).openAmount)
})
