import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { outerNumberOf } from '#kit/domain/document-number.ts'
import { asFen, formatYuan, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { openPaymentHarness, waitUntil, type PaymentHarness } from '#db/golden/payment-harness.ts'
import { golden } from '#db/golden/golden-data.ts'
import { saveChannel } from '../contract/channel.ts'
import { queryOrder, closeOrder, createOrder, payByAuthCode, pollOrder } from '../contract/order.ts'
import { getRecord } from '../contract/record.ts'
import { requestRefund, getRefund } from '../contract/refund.ts'
import {
  addTerminal,
  payByCard,
  editTerminal,
  listTerminals,
  listOrderTerminals,
} from '../contract/terminal.ts'
import { maintainOrders, maintainRefunds } from './order-jobs.ts'
import { buildSignatureHeaders } from './channels/wechat-signature.ts'
import { loadKeys } from './simulator/keys.ts'

let s: PaymentHarness
let item = 0
let n = 0
const neverAborted = new AbortController().signal
const project = { projectCode: 'GOLD0001' }

beforeAll(async () => {
  s = await openPaymentHarness()
  item = await s.t.addFeeItem('POSTEST', { name: '刷卡测试', multi: true, late: true })
  await s.t.call(saveChannel, { channel: 'pos', simulated: true, enabled: true }, s.me)
  await s.t.call(addTerminal, { ...project, terminalNo: 'T1001', name: '前台 1 号机', enabled: true }, s.me)
  await s.t.call(addTerminal, { ...project, terminalNo: 'T0000', name: '没开机的', enabled: true }, s.me)
  await s.t.call(
    addTerminal,
    { projectCode: 'GOLD0002', terminalNo: 'T2001', name: '二期', enabled: true },
    s.me,
  )
})

afterAll(() => s?.close())

const createBill = (amount: Fen): Promise<Id> =>
  s.t.database.tx(
    s.ownerId,
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
          ${s.ownerId}, 'GOLD0001', ${`PS${++n}`}, 10, ${`PROOM${n}`}, '1-1-101', '王五', ${item}, '刷卡测试', 10,
          '2026-11-01', '2026-11-30', '2026-11', ${formatYuan(amount)}, '2026-12-31', 20, 10, null
        )
        returning id
      `),
      ).id,
  )

const startOrderOf = async (amount: Fen) => {
  const bill = await createBill(amount)
  const o = await s.t.call(createOrder, { ...project, billIds: [String(bill)], expectAmount: amount }, s.me)
  return { ...o, bill }
}

const sendToTerminal = (o: { orderNo: string }, terminalNo = 'T1001') =>
  s.t.call(payByCard, { orderNo: o.orderNo, terminalNo }, s.me)

/** At the terminal: the page shows the order that waits; the card is read. */
async function readCard(how: string, kind = 'debit', terminal = 'T1001'): Promise<void> {
  const page = await fetch(`${s.gateway}/terminal/${terminal}`).then(r => r.text())
  const no = defined(defined(/action="\/phone\/([^"]+)"/.exec(page))[1])
  const key = defined(defined(/name="key" value="([^"]+)"/.exec(page))[1])
  expect(
    (
      await fetch(`${s.gateway}/phone/${no}`, {
        method: 'POST',
        body: new URLSearchParams({ how, key, card: kind }),
        redirect: 'manual',
      })
    ).status,
  ).toBe(303)
}

const getOrderRow = async (orderNo: string) =>
  defined(
    await s.t.database.reader(s.ownerId).one<{
      id: Id
      state: number
      failReason?: string
      recordId?: Id
      notifySource?: number
      payMethod?: number
      terminalNo?: string
      payType?: number
    }>(sql`
    select id, state, fail_reason, record_id, notify_source, pay_method, terminal_no, pay_type
    from pay_order
    where order_no = ${orderNo}
  `),
  )

const waitUntilSettled = (orderNo: string) =>
  waitUntil(
    () => getOrderRow(orderNo),
    o => o.state === 20,
  )

const getBillRow = async (id: Id) =>
  defined(
    await s.t.database
      .reader(s.ownerId)
      .one<{ payState: number; isHeld: boolean }>(
        sql`select pay_state, lock_order_id is not null as is_held from bill where id = ${id}`,
      ),
  )

const countRecords = async (orderId: Id) =>
  defined(
    await s.t.database
      .reader(s.ownerId)
      .one<{ n: number }>(sql`select count(*)::int as n from pay_record where pay_order_id = ${orderId}`),
  ).n

it('terminals are the project’s: one number once, none of another project, none that is out of use', async () => {
  const o = await startOrderOf(asFen(1000))
  expect((await s.t.call(listOrderTerminals, { orderNo: o.orderNo }, s.me)).map(t => t.terminalNo)).toEqual([
    'T0000',
    'T1001',
  ])
  expect(
    await refusalTextOf(
      s.t.call(addTerminal, { ...project, terminalNo: 'T1001', name: '又一台', enabled: true }, s.me),
    ),
  ).toContain('已登记')
  expect(await refusalTextOf(sendToTerminal(o, 'T2001'))).toContain('未登记在本项目')
  const [t] = (await s.t.call(listTerminals, { projectCode: 'GOLD0002' }, s.me)).rows
  expect((await s.t.call(editTerminal, { ...defined(t), enabled: false }, s.me)).enabled).toBe(false)
  expect(
    await refusalTextOf(
      s.t.call(listOrderTerminals, { orderNo: o.orderNo }, await s.t.signedInAs(golden.second.owner, '')),
    ),
  ).toContain('不存在')
  // The order is still nobody's: it can go another way.
  expect((await getOrderRow(o.orderNo)).state).toBe(10)
})

it('PAY-2, PAY-3: the order goes to the terminal, the card pays, callback and polls book it once', async () => {
  const o = await startOrderOf(asFen(20_000))
  expect(await sendToTerminal(o)).toMatchObject({ state: 'paying', channel: 'pos' })
  expect(await refusalTextOf(sendToTerminal(o))).toContain('已经发到 POS 机')
  expect((await getBillRow(o.bill)).isHeld).toBe(true)
  await readCard('doubleCallback')
  await Promise.all([
    ...Array.from({ length: 6 }, () => s.t.call(queryOrder, { orderNo: o.orderNo }, s.me)),
    maintainOrders(s.t.app, neverAborted),
  ])
  const done = await waitUntilSettled(o.orderNo)
  expect(done).toMatchObject({ terminalNo: 'T1001', payType: 6, payMethod: 80 })
  expect(await countRecords(done.id)).toBe(1)
  expect(await getBillRow(o.bill)).toEqual({ payState: 1, isHeld: false })
  expect(await s.t.call(getRecord, { id: defined(done.recordId) }, s.me)).toMatchObject({
    payMethod: 'posDebit',
    receivedAmount: 20_000,
  })
})

it('PayType 6 of GetPay is the same; a credit card is distinguished from a debit card', async () => {
  const o = await startOrderOf(asFen(300))
  expect(
    await refusalTextOf(s.t.call(payByAuthCode, { orderNo: o.orderNo, payType: 'pos' }, s.me)),
  ).toContain('请选择一台 POS 机')
  expect(
    await s.t.call(
      payByAuthCode,
      { orderNo: o.orderNo, authCode: 'T1001', orderType: 'bill', payType: 'pos' },
      s.me,
    ),
  ).toMatchObject({ state: 'paying' })
  await readCard('normal', 'credit')
  expect(await waitUntilSettled(o.orderNo)).toMatchObject({ payMethod: 90, notifySource: 10 })
})

it('a lost answer is asked for; an order at a silent terminal is not closed', async () => {
  const o = await startOrderOf(asFen(400))
  await sendToTerminal(o)
  await readCard('dropConnection')
  expect(await refusalTextOf(s.t.call(closeOrder, { orderNo: o.orderNo }, s.me))).toContain('支付渠道未响应')
  expect((await getBillRow(o.bill)).isHeld).toBe(true)
  expect(
    (
      await waitUntil(
        () => s.t.call(queryOrder, { orderNo: o.orderNo }, s.me),
        x => x.state === 'paid',
      )
    ).state,
  ).toBe('paid')
  expect((await getOrderRow(o.orderNo)).notifySource).toBe(20)
})

it('a declined card fails the order and frees its bills; a terminal that is off never had it; a cancelled order is off the terminal', async () => {
  const o = await startOrderOf(asFen(500))
  await sendToTerminal(o)
  await readCard('fail')
  expect(await s.t.call(queryOrder, { orderNo: o.orderNo }, s.me)).toMatchObject({
    state: 'failed',
    failReason: '卡片被拒绝',
  })
  expect((await getBillRow(o.bill)).isHeld).toBe(false)
  const p = await startOrderOf(asFen(600))
  expect(await sendToTerminal(p, 'T0000')).toMatchObject({
    state: 'failed',
    failReason: '终端不在线，请检查 POS 机网络',
  })
  const q = await startOrderOf(asFen(700))
  await sendToTerminal(q)
  expect((await s.t.call(closeOrder, { orderNo: q.orderNo }, s.me)).state).toBe('closed')
  expect(await fetch(`${s.gateway}/terminal/T1001`).then(r => r.text())).toContain('等待收款')
})

it('PAY-6: another amount is held; PAY-5: a late card pays what is still owed', async () => {
  const o = await startOrderOf(asFen(800))
  await sendToTerminal(o)
  await readCard('wrongAmount')
  expect(
    await waitUntil(
      () => getOrderRow(o.orderNo),
      x => x.failReason !== undefined,
    ),
  ).toMatchObject({ state: 60, failReason: '渠道实收 8.01 元与订单 8.00 元不符' })
  expect((await getBillRow(o.bill)).payState).toBe(0)
  const p = await startOrderOf(asFen(900))
  await sendToTerminal(p)
  await readCard('delayed')
  expect((await s.t.call(closeOrder, { orderNo: p.orderNo }, s.me)).state).toBe('closed')
  await waitUntilSettled(p.orderNo)
  expect((await getBillRow(p.bill)).payState).toBe(1)
})

it('a forged or repeated word of the acquirer is refused with a row in the audit log', async () => {
  const o = await startOrderOf(asFen(1000))
  const keys = loadKeys(`${s.t.dir}/gateway`)
  const at = `${s.origin}/api/pay/notify/pos/${s.ownerId}`
  const now = Math.floor(s.t.app.clock() / 1000)
  await sendToTerminal(o)
  const refusals = async () =>
    defined(
      await s.t.database.reader(s.ownerId).one<{ n: number }>(
        sql`
          select count(*)::int as n
          from audit_log
          where action = 'refused'
            and reason like 'POS的回调被拒绝%'
        `,
      ),
    ).n
  const before = await refusals()
  const notification = JSON.stringify({
    mchId: keys.mchId,
    orderNo: outerNumberOf(o.orderNo, s.ownerId),
    state: 'SUCCESS',
    traceNo: 'X1',
    amount: '10.00',
    card: 'debit',
  })
  const post = (headers: object, body = notification) =>
    fetch(at, { method: 'POST', headers: { ...headers }, body }).then(r => r.status)
  expect(await post({})).toBe(400)
  expect(await post(buildSignatureHeaders(notification, keys.privateKey, keys.platformSerial, now))).toBe(400)
  expect(
    await post(buildSignatureHeaders(notification, keys.platformPrivate, keys.platformSerial, now - 301)),
  ).toBe(400)
  expect(
    await post(
      buildSignatureHeaders(notification, keys.platformPrivate, keys.platformSerial, now),
      notification.replace('10.00', '10.01'),
    ),
  ).toBe(400)
  const other = notification.replace(keys.mchId, '1900000000')
  expect(
    await post(buildSignatureHeaders(other, keys.platformPrivate, keys.platformSerial, now), other),
  ).toBe(400)
  expect((await getOrderRow(o.orderNo)).state).toBe(60)
  const good = buildSignatureHeaders(notification, keys.platformPrivate, keys.platformSerial, now)
  expect(await post(good)).toBe(200)
  expect(await post(good)).toBe(400)
  expect((await getOrderRow(o.orderNo)).state).toBe(20)
  expect(await refusals()).toBe(before + 6)
  expect(await countRecords((await getOrderRow(o.orderNo)).id)).toBe(1)
})

it('REF-4: what was paid by card goes back through the terminal’s service', async () => {
  await s.t.call(updateEstateSetting, { ...project, key: 'RefundAuditFrom', value: '99999999' }, s.me)
  const o = await startOrderOf(asFen(30_000))
  await sendToTerminal(o)
  await readCard('normal')
  const done = await waitUntilSettled(o.orderNo)
  const r = await s.t.call(getRecord, { id: defined(done.recordId) }, s.me)
  const f = await s.t.call(
    requestRefund,
    {
      recordId: r.id,
      lines: [{ detailId: defined(r.details[0]).id, principal: asFen(30_000), late: 0 }],
      refundWay: 'original',
      billAfter: 'owed',
      reason: '多收了',
    },
    s.me,
  )
  await maintainRefunds(s.t.app, neverAborted)
  expect(await s.t.call(getRefund, { id: f.id }, s.me)).toMatchObject({
    state: 'done',
    channelRefundNo: expect.stringMatching(/^VOID/),
  })
  expect((await getOrderRow(o.orderNo)).state).toBe(50)
  expect((await s.t.call(pollOrder, { orderNo: o.orderNo }, s.me)).state).toBe('refunded')
})
