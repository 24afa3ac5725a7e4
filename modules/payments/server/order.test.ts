import { portOf } from '#kit/server/fixtures/port.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { outerNumberOf } from '#kit/domain/document-number.ts'
import { asFen, formatYuan, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { joinedHeaders } from '#kit/server/raw-endpoint.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import {
  acceptOrder,
  queryOrder,
  closeOrder,
  createOrder,
  getOrderRecord,
  payByAuthCode,
  pollOrder,
} from '../contract/order.ts'
import { listChannels, listAvailableChannels, saveChannel } from '../contract/channel.ts'
import { payBills } from '../contract/payment.ts'
import { getRecord } from '../contract/record.ts'
import { requestRefund, getRefund } from '../contract/refund.ts'
import { confirmPayment } from './order-confirmation.ts'
import { orderEntries } from './order-entry.ts'
import { maintainOrders, maintainRefunds, orderCrons } from './order-jobs.ts'
import { getChannelClient } from './channels/channel-accounts.ts'
import { loadKeys } from './simulator/keys.ts'
import { getSimulator } from './simulator/gateway.ts'
import { buildSignatureHeaders } from './channels/wechat-signature.ts'

let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let item = 0
let n = 0
let callbackServer: Server
let origin = ''
let gateway = ''
const neverAborted = new AbortController().signal

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  ownerId = t.ownerId
  item = await t.addFeeItem('ORDTEST', { name: '线上测试', multi: true, late: true })
  // Our own endpoints on a socket: the gateway's callbacks arrive there as they do in production.
  callbackServer = createServer((req, res) => {
    const parts: Buffer[] = []
    req
      .on('data', (b: Buffer) => parts.push(b))
      .on('end', () => {
        const at = new URL(defined(req.url), 'http://us')
        const [, c, o] = /^\/api\/pay\/notify\/(\w+)\/(\d+)$/.exec(at.pathname) ?? []
        const entry = defined(
          orderEntries.find(
            d => d.route.split(' ')[1] === (c ? '/api/pay/notify/:channel/:ownerId' : at.pathname),
          ),
        )
        entry
          .run(
            {
              params: { channel: c ?? '', ownerId: o ?? '' },
              query: at.searchParams,
              headers: joinedHeaders(req.headers),
              body: Buffer.concat(parts).toString(),
              bytes: Buffer.concat(parts),
              ip: '127.0.0.1',
              agent: 'phone',
              origin,
            },
            t.app,
          )
          .then(
            a => res.writeHead(a.status ?? 200, a.location ? { location: a.location } : {}).end(a.body),
            e => res.writeHead(500).end(String(e)),
          )
      })
  })
  await new Promise<void>(done => callbackServer.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${portOf(callbackServer)}`
  Object.assign(t.app, { originUrl: () => origin })
  gateway = (await getSimulator(t.app, { slow: 40, late: 1500, again: [] })).address
  await t.call(saveChannel, { channel: 'wechat', simulated: true, enabled: true }, me)
})

afterAll(async () => {
  callbackServer?.closeAllConnections()
  callbackServer?.close()
  await t?.close()
})

let room = 0

const createBill = (amount: Fen): Promise<Id> =>
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
          ${ownerId}, 'GOLD0001', ${`O${++n}`}, 10, ${`OROOM${++room}`}, '1-1-101', '王五', ${item}, '线上测试', 10,
          '2026-11-01', '2026-11-30', '2026-11', ${formatYuan(amount)}, '2026-12-31', 20, 10, null
        )
        returning id
      `),
      ).id,
  )

const createPayOrder = (bills: number[], expectAmount: Fen) =>
  t.call(createOrder, { projectCode: 'GOLD0001', billIds: bills.map(String), expectAmount }, me)

const queryOrderOf = (orderNo: string) => t.call(queryOrder, { orderNo }, me)

/** The payer opens the picture's address, chooses WeChat, and pays on the phone's page. */
async function scanOrder(o: { url: string }, by = 'wechat'): Promise<string> {
  const go = await fetch(`${origin}${o.url.replace('/api/pay/h5?', '/api/pay/go?')}&channel=${by}`, {
    redirect: 'manual',
  })
  expect(go.status).toBe(303)
  return defined(go.headers.get('location'))
}

async function payOnPhone(o: { url: string }, how: string, by = 'wechat'): Promise<void> {
  const sent = await scanOrder(o, by)
  const phone = new URL(
    by === 'alipay' ? defined((await fetch(sent, { redirect: 'manual' })).headers.get('location')) : sent,
  )
  const done = await fetch(`${gateway}${phone.pathname}`, {
    method: 'POST',
    body: new URLSearchParams({ how, key: defined(phone.searchParams.get('key')) }),
    redirect: 'manual',
  })
  expect(done.status).toBe(303)
}

const waitUntil = async <T>(get: () => Promise<T>, good: (v: T) => boolean): Promise<T> => {
  for (let i = 0; ; i++) {
    const v = await get()
    if (good(v) || i > 200) return v
    await new Promise(r => setTimeout(r, 25))
  }
}

const getOrderRow = async (orderNo: string) =>
  defined(
    await t.database.reader(ownerId).one<{
      id: Id
      state: number
      failReason?: string
      recordId?: Id
      transactionId?: string
      notifySource?: number
    }>(sql`
    select id, state, fail_reason, record_id, transaction_id, notify_source
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
    await t.database.reader(ownerId).one<{ paid: string; payState: number; isHeld: boolean }>(
      sql`
        select paid_principal::text as paid, pay_state, lock_order_id is not null as is_held
        from bill
        where id = ${id}
      `,
    ),
  )

const countRecords = async (orderId: Id) =>
  defined(
    await t.database
      .reader(ownerId)
      .one<{ n: number }>(sql`select count(*)::int as n from pay_record where pay_order_id = ${orderId}`),
  ).n

const findAlertTitles = async (orderId: Id) =>
  (
    await t.database
      .reader(ownerId)
      .rows<{ title: string }>(
        sql`select distinct title from notification where kind = 'payments.odd' and biz_id = ${orderId}`,
      )
  ).map(r => r.title)

it('PAY-1: an order holds its bills for fifteen minutes; nobody else collects them; a wrong sum is refused', async () => {
  const a = await createBill(asFen(20000))
  expect(await refusalTextOf(createPayOrder([a], asFen(19999)))).toContain('金额已变化，请刷新')
  const o = await createPayOrder([a], asFen(20000))
  expect(o).toMatchObject({
    state: 'waiting',
    payState: 0,
    amount: 20000,
    orderObj: '1-1-101',
    orderBody: '线上测试',
    orderMain: expect.any(String),
  })
  expect(o.orderMain).not.toBe('')
  expect(o.url).toMatch(/^\/api\/pay\/h5\?orderId=DD20261121\d+&orderType=3&/)
  expect((await getBillRow(a)).isHeld).toBe(true)
  expect(
    await refusalTextOf(
      t.call(
        payBills,
        {
          projectCode: 'GOLD0001',
          billIds: [String(a)],
          expectAmount: asFen(20000),
          methods: [{ method: 'cash', amount: asFen(20000) }],
        },
        me,
      ),
    ),
  ).toContain('支付中')
  expect(await refusalTextOf(createPayOrder([a], asFen(20000)))).toContain('支付中')
  const closed = await t.call(closeOrder, { orderNo: o.orderNo }, me)
  expect(closed.state).toBe('closed')
  expect((await getBillRow(a)).isHeld).toBe(false)
  expect((await createPayOrder([a], asFen(20000))).state).toBe('waiting')
})

it('the callback books one record with its receipt, and pays and releases the bills; the poll returns it', async () => {
  const a = await createBill(asFen(20000))
  const o = await createPayOrder([a], asFen(20000))
  await payOnPhone(o, 'normal')
  expect(await waitUntilSettled(o.orderNo)).toMatchObject({ state: 20, notifySource: 10 })
  expect(await t.call(pollOrder, { orderNo: o.orderNo }, me)).toMatchObject({
    state: 'paid',
    payState: 1,
    payMethod: 'wechat',
    channel: 'wechat',
  })
  expect(await getBillRow(a)).toEqual({ paid: '200.00', payState: 1, isHeld: false })
  expect(await t.call(getOrderRecord, { orderNo: o.orderNo }, me)).toMatchObject({
    receivedAmount: 20000,
    payMethod: 'wechat',
    payerName: '王五',
    receiptNo: expect.stringMatching(/^2026-/),
  })
  expect(await refusalTextOf(t.call(closeOrder, { orderNo: o.orderNo }, me))).toContain('已经收到款')
})

it('an order of the version before goes to the channel, and comes back, by its own number (G-14)', async () => {
  const a = await createBill(asFen(20000))
  const o = await createPayOrder([a], asFen(20000))
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`update pay_order set trade_no = null where owner_id = ${ownerId} and order_no = ${o.orderNo}`,
    ),
  )
  await payOnPhone(o, 'normal')
  expect(await waitUntilSettled(o.orderNo)).toMatchObject({ state: 20, notifySource: 10 })
})

it('PAY-3: callback, polls and the recovery job at once make one record', async () => {
  const a = await createBill(asFen(30000))
  const o = await createPayOrder([a], asFen(30000))
  await payOnPhone(o, 'doubleCallback')
  t.advanceClock(121_000)
  await Promise.all([
    maintainOrders(t.app, neverAborted),
    ...Array.from({ length: 8 }, () => queryOrderOf(o.orderNo)),
    ...Array.from({ length: 4 }, () => t.call(pollOrder, { orderNo: o.orderNo }, me)),
  ])
  const s = await waitUntilSettled(o.orderNo)
  expect(s.state).toBe(20)
  expect(await countRecords(s.id)).toBe(1)
  expect(await findAlertTitles(s.id)).toEqual([])
})

it('a gateway that never calls back is asked; one that dies is asked again', async () => {
  const a = await createBill(asFen(100))
  const o = await createPayOrder([a], asFen(100))
  await payOnPhone(o, 'noCallback')
  expect(await queryOrderOf(o.orderNo)).toMatchObject({ state: 'paid' })
  expect((await getOrderRow(o.orderNo)).notifySource).toBe(20)
  const b = await createBill(asFen(200))
  const p = await createPayOrder([b], asFen(200))
  await payOnPhone(p, 'dropConnection')
  expect((await queryOrderOf(p.orderNo)).state).toBe('paying')
  // C5.1: 60 becomes 30 only after the channel has reported that nothing was paid.
  expect(await refusalTextOf(t.call(closeOrder, { orderNo: p.orderNo }, me))).toContain('支付渠道未响应')
  expect((await getBillRow(b)).isHeld).toBe(true)
  expect(
    await waitUntil(
      () => queryOrderOf(p.orderNo),
      x => x.state === 'paid',
    ),
  ).toMatchObject({ state: 'paid' })
})

it('PAY-6: another amount than the stored one stays in 60 with one notification', async () => {
  const a = await createBill(asFen(20000))
  const o = await createPayOrder([a], asFen(20000))
  await payOnPhone(o, 'wrongAmount')
  const s = await waitUntil(
    () => getOrderRow(o.orderNo),
    x => x.failReason !== undefined,
  )
  expect(s).toMatchObject({ state: 60, failReason: '渠道实收 200.01 元与订单 200.00 元不符' })
  await queryOrderOf(o.orderNo)
  expect(await findAlertTitles(s.id)).toEqual(['收款异常：1-1-101'])
  expect(await countRecords(s.id)).toBe(0)
  expect((await getBillRow(a)).payState).toBe(0)
  expect(await refusalTextOf(t.call(closeOrder, { orderNo: o.orderNo }, me))).toContain('不符')
  // A person takes what has come: the payer's prestore, the bill owed and free again.
  expect(await t.call(acceptOrder, { orderNo: o.orderNo }, me)).toMatchObject({
    state: 'paid',
    failReason: '金额不符，已按渠道实收转入预存',
  })
  expect(await t.call(getRecord, { id: defined((await getOrderRow(o.orderNo)).recordId) }, me)).toMatchObject(
    {
      recordType: 'prestore',
      toPrestore: 20001,
    },
  )
  expect(await getBillRow(a)).toEqual({ paid: '0.00', payState: 0, isHeld: false })
  expect(await refusalTextOf(t.call(acceptOrder, { orderNo: o.orderNo }, me))).toContain('不需要人工处理')
})

it('PAY-5: money that comes after the order was closed pays what is still owed, else becomes prestore with an alert', async () => {
  const a = await createBill(asFen(20000))
  const o = await createPayOrder([a], asFen(20000))
  await payOnPhone(o, 'delayed')
  expect((await t.call(closeOrder, { orderNo: o.orderNo }, me)).state).toBe('closed')
  expect((await waitUntilSettled(o.orderNo)).state).toBe(20)
  expect((await getBillRow(a)).payState).toBe(1)

  const b = await createBill(asFen(15000))
  const p = await createPayOrder([b], asFen(15000))
  await payOnPhone(p, 'delayed')
  expect((await t.call(closeOrder, { orderNo: p.orderNo }, me)).state).toBe('closed')
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
  const s = await waitUntilSettled(p.orderNo)
  expect(s).toMatchObject({ state: 20, failReason: '重复支付，已转入预存' })
  expect(await findAlertTitles(s.id)).toEqual(['重复支付：1-1-101'])
  expect(await t.call(getRecord, { id: defined(s.recordId) }, me)).toMatchObject({
    recordType: 'prestore',
    receivedAmount: 15000,
    toPrestore: 15000,
  })
  expect((await getBillRow(b)).paid).toBe('150.00')
})

it('PAY-5: a second transaction for a paid order becomes prestore, once', async () => {
  const a = await createBill(asFen(5000))
  const o = await createPayOrder([a], asFen(5000))
  await payOnPhone(o, 'normal')
  const s = await waitUntilSettled(o.orderNo)
  const again = {
    transactionId: '4200000000000000000000000001',
    amount: asFen(5000),
    channel: 'wechat',
    source: 'notified',
  } as const
  await Promise.all([
    confirmPayment(t.app, ownerId, s.id, again),
    confirmPayment(t.app, ownerId, s.id, again),
    confirmPayment(t.app, ownerId, s.id, again),
  ])
  expect(await countRecords(s.id)).toBe(1)
  const [double, ...others] = await t.database
    .reader(ownerId)
    .rows<{ id: Id; recordId: Id }>(
      sql`select id, record_id from pay_order where ref_type = 'double' and ref_id = ${s.id}`,
    )
  expect(others).toEqual([])
  expect(await t.call(getRecord, { id: defined(double).recordId }, me)).toMatchObject({
    recordType: 'prestore',
    toPrestore: 5000,
  })
})

it('PAY-7: nothing to pay is settled at once and seen by no channel', async () => {
  const a = await createBill(asFen(1000))
  await t.database.tx(ownerId, tx => tx.execute(sql`update bill set discount_amount = 10.00 where id = ${a}`))
  const o = await createPayOrder([a], 0)
  expect(o).toMatchObject({ state: 'paid', amount: 0 })
  expect(o.channel).toBeUndefined()
})

it('a payer’s code is charged only for the business that the caller means, by scanner or POS', async () => {
  const o = await t.call(
    createOrder,
    { projectCode: 'GOLD0001', billIds: [String(await createBill(asFen(700)))], expectAmount: asFen(700) },
    me,
  )
  const authCode = '134567890123456781'
  for (const orderType of ['parking', 'activity', 'prestore'] as const) {
    await expect(
      t.call(payByAuthCode, { orderNo: o.orderNo, authCode, orderType, payType: 'scanner' }, me),
    ).rejects.toThrow('该支付单是「物业账单」')
  }
  for (const payType of ['account', 'mini', 'qr'] as const) {
    await expect(
      t.call(payByAuthCode, { orderNo: o.orderNo, authCode, orderType: 'bill', payType }, me),
    ).rejects.toThrow('只能用扫码枪或 POS')
  }
  expect(await t.call(pollOrder, { orderNo: o.orderNo }, me)).toMatchObject({ state: 'waiting' })
  await t.call(closeOrder, { orderNo: o.orderNo }, me)
})

it('PAY-8: the payer’s code: empty is refused, a good one pays, a password is waited for, a poor one fails', async () => {
  const a = await createBill(asFen(800))
  const o = await createPayOrder([a], asFen(800))
  const by = (orderNo: string, authCode: string) =>
    t.call(payByAuthCode, { orderNo, authCode, orderType: 'bill', payType: 'scanner' }, me)
  expect(await refusalTextOf(by(o.orderNo, ' '))).toBe('条码不能为空')
  expect(await refusalTextOf(by(o.orderNo, '6901234567892'))).toContain('不是付款码')
  expect(await by(o.orderNo, '134567890123456780')).toMatchObject({ state: 'paid', payMethod: 'wechat' })
  const p = await createPayOrder([await createBill(asFen(900))], asFen(900))
  expect((await by(p.orderNo, '134567890123456788')).state).toBe('paying')
  expect(await refusalTextOf(by(p.orderNo, '134567890123456780'))).toContain('已经扫过码')
  expect((await t.call(closeOrder, { orderNo: p.orderNo }, me)).state).toBe('closed')
  const b = await createBill(asFen(700))
  const q = await createPayOrder([b], asFen(700))
  expect(await by(q.orderNo, '134567890123456789')).toMatchObject({
    state: 'failed',
    failReason: '余额不足，请更换付款方式',
  })
  expect((await getBillRow(b)).isHeld).toBe(false)
})

it('after fifteen minutes an order is closed, one under way only after the channel was asked', async () => {
  const a = await createBill(asFen(100))
  const b = await createBill(asFen(100))
  const o = await createPayOrder([a], asFen(100))
  const p = await createPayOrder([b], asFen(100))
  const c = await createBill(asFen(100))
  const q = await createPayOrder([c], asFen(100))
  await scanOrder(p)
  await payOnPhone(q, 'noCallback')
  t.advanceClock(15 * 60_000)
  await maintainOrders(t.app, neverAborted)
  expect([
    (await getOrderRow(o.orderNo)).state,
    (await getOrderRow(p.orderNo)).state,
    (await getOrderRow(q.orderNo)).state,
  ]).toEqual([30, 30, 20])
  expect([
    (await getBillRow(a)).isHeld,
    (await getBillRow(b)).isHeld,
    (await getBillRow(c)).payState,
  ]).toEqual([false, false, 1])
})

it('PAY-3: the numbers of callbacks are kept for two days, so that a replay is refused, and then deleted', async () => {
  const hoursAgo = (hours: number) => new Date(t.app.clock() - hours * 3_600_000)
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`
      insert into pay_notice (owner_id, channel, nonce, create_time)
      values (${ownerId}, 10, 'today', ${hoursAgo(0)}), (${ownerId}, 10, 'kept', ${hoursAgo(47)}),
        (${ownerId}, 10, 'deleted', ${hoursAgo(49)})
    `),
  )
  const cleanUp = defined(orderCrons.find(cron => cron.name === 'payments-notices'))
  await cleanUp.run(t.app, neverAborted)
  const kept = await t.database.reader(ownerId).rows<{ nonce: string }>(sql`
    select nonce
    from pay_notice
    where owner_id = ${ownerId} and nonce in ('today', 'kept', 'deleted')
    order by create_time
  `)
  expect(kept.map(row => row.nonce)).toEqual(['kept', 'today'])
})

it('a forged callback and an old one again are refused and leave a row in the audit log', async () => {
  const a = await createBill(asFen(100))
  const o = await createPayOrder([a], asFen(100))
  const at = `${origin}/api/pay/notify/wechat/${ownerId}`
  const refusals = async () =>
    defined(
      await t.database.reader(ownerId).one<{ n: number }>(
        sql`
          select count(*)::int as n
          from audit_log
          where action = 'refused'
            and reason like '微信支付的回调被拒绝%'
        `,
      ),
    ).n
  await scanOrder(o)
  const before = await refusals()
  const body = JSON.stringify({ resource: { ciphertext: 'AAAA', nonce: 'n', associated_data: '' } })
  const keys = loadKeys(`${t.dir}/gateway`)
  const send = (headers: Readonly<Record<string, string>>, text = body) =>
    fetch(at, { method: 'POST', headers: { ...headers }, body: text }).then(r => r.status)
  expect(await send({})).toBe(400)
  expect(
    await send(buildSignatureHeaders(body, keys.privateKey, keys.platformSerial, (t.app.clock() / 1000) | 0)),
  ).toBe(400)
  expect(
    await send(
      buildSignatureHeaders(
        body,
        keys.platformPrivate,
        keys.platformSerial,
        ((t.app.clock() / 1000) | 0) - 301,
      ),
    ),
  ).toBe(400)
  expect(await refusals()).toBe(before + 3)
  // A true one, kept and sent again word for word.
  const { openBillStore: openBills } = await import('./simulator/bill-store.ts')
  const { createWechatServer: wechatEnd } = await import('./simulator/wechat-server.ts')
  const { openOrderStore: openBook } = await import('./simulator/order-store.ts')
  const ours = openBook(`${t.dir}/gateway`, t.app.clock)
  const end = wechatEnd({
    orderStore: ours,
    billStore: openBills(`${t.dir}/gateway`, ours),
    keys,
    clock: t.app.clock,
    phoneUrl: () => '',
    baseUrl: () => '',
  })
  const known = defined(ours.orders.get(outerNumberOf(o.orderNo, ownerId)))
  ours.markPaid(known)
  const real = end.notification(known)
  expect(await send(real.headers, real.body)).toBe(200)
  expect((await getOrderRow(o.orderNo)).state).toBe(20)
  expect(await send(real.headers, real.body)).toBe(400)
  expect(await refusals()).toBe(before + 4)
  expect(await countRecords((await getOrderRow(o.orderNo)).id)).toBe(1)
})

it('REF-4: a refund goes back through the channel under one number and is asked for until it is known', async () => {
  await t.call(
    updateEstateSetting,
    { projectCode: 'GOLD0001', key: 'RefundAuditFrom', value: '99999999' },
    me,
  )
  const a = await createBill(asFen(20000))
  const o = await createPayOrder([a], asFen(20000))
  await payOnPhone(o, 'slow')
  const s = await waitUntilSettled(o.orderNo)
  const r = await t.call(getRecord, { id: defined(s.recordId) }, me)
  const f = await t.call(
    requestRefund,
    {
      recordId: r.id,
      lines: [{ detailId: defined(r.details[0]).id, principal: asFen(20000), late: 0 }],
      refundWay: 'original',
      billAfter: 'owed',
      reason: '多收了',
    },
    me,
  )
  expect(f.state).toBe('doing')
  await Promise.all([maintainRefunds(t.app, neverAborted), maintainRefunds(t.app, neverAborted)])
  expect((await t.call(getRefund, { id: f.id }, me)).state).toBe('doing')
  await waitUntil(
    async () => {
      t.advanceClock(601_000)
      await maintainRefunds(t.app, neverAborted)
      return t.call(getRefund, { id: f.id }, me)
    },
    x => x.state === 'done',
  )
  expect(await t.call(getRefund, { id: f.id }, me)).toMatchObject({
    state: 'done',
    channelRefundNo: expect.stringMatching(/^50/),
  })
  expect(await getBillRow(a)).toMatchObject({ paid: '0.00', payState: 0 })
  expect((await getOrderRow(o.orderNo)).state).toBe(50)
  const asked = await (
    await getChannelClient(t.app, ownerId, 'wechat')
  ).queryRefund({
    orderNo: o.orderNo,
    refundNo: 'TKD-other',
    amount: asFen(1),
    total: asFen(20000),
    reason: '',
  })
  expect(asked.state).toBe('absent')
})

it('Alipay speaks the same: page, code, callback, refund; its repeated callback is no replay, a forged one is refused', async () => {
  await t.call(saveChannel, { channel: 'alipay', simulated: true, enabled: true }, me)
  const a = await createBill(asFen(12345))
  const o = await createPayOrder([a], asFen(12345))
  await payOnPhone(o, 'doubleCallback', 'alipay')
  const s = await waitUntilSettled(o.orderNo)
  expect(s).toMatchObject({ state: 20, notifySource: 10 })
  expect(await countRecords(s.id)).toBe(1)
  expect((await t.call(pollOrder, { orderNo: o.orderNo }, me)).payMethod).toBe('alipay')
  const by = async (code: string) => {
    const p = await createPayOrder([await createBill(asFen(900))], asFen(900))
    return t.call(
      payByAuthCode,
      { orderNo: p.orderNo, authCode: code, orderType: 'bill', payType: 'scanner' },
      me,
    )
  }
  expect(await by('281234567890123450')).toMatchObject({ state: 'paid', payMethod: 'alipay' })
  expect((await by('281234567890123459')).failReason).toBe('余额不足，请更换付款方式')
  const waiting = await by('281234567890123458')
  expect(waiting.state).toBe('paying')
  expect((await t.call(closeOrder, { orderNo: waiting.orderNo }, me)).state).toBe('closed')
  const q = await createPayOrder([await createBill(asFen(300))], asFen(300))
  await payOnPhone(q, 'wrongAmount', 'alipay')
  expect(
    (
      await waitUntil(
        () => getOrderRow(q.orderNo),
        x => x.failReason !== undefined,
      )
    ).failReason,
  ).toBe('渠道实收 3.01 元与订单 3.00 元不符')
  const forged = new URLSearchParams({
    app_id: loadKeys(`${t.dir}/gateway`).appId,
    out_trade_no: outerNumberOf(q.orderNo, ownerId),
    trade_status: 'TRADE_SUCCESS',
    total_amount: '3.00',
    trade_no: 'x',
    notify_id: 'n',
    notify_time: '2026-11-21 09:00:00',
    sign: 'AAAA',
    sign_type: 'RSA2',
  }).toString()
  expect(
    (await fetch(`${origin}/api/pay/notify/alipay/${ownerId}`, { method: 'POST', body: forged })).status,
  ).toBe(400)
  const r = await t.call(getRecord, { id: defined(s.recordId) }, me)
  const f = await t.call(
    requestRefund,
    {
      recordId: r.id,
      lines: [{ detailId: defined(r.details[0]).id, principal: asFen(2345), late: 0 }],
      refundWay: 'original',
      billAfter: 'owed',
      reason: '多收了',
    },
    me,
  )
  await maintainRefunds(t.app, neverAborted)
  expect(await t.call(getRefund, { id: f.id }, me)).toMatchObject({ state: 'done', amount: 2345 })
  expect((await getOrderRow(o.orderNo)).state).toBe(20)
  await t.call(saveChannel, { channel: 'alipay', simulated: true, enabled: false }, me)
})

it('the page of a payment leads back to where the payer came from, never to another site', async () => {
  const o = await createPayOrder([await createBill(asFen(300))], asFen(300))
  const pageWith = async (back: string) =>
    (await fetch(`${origin}${o.url}&back=${encodeURIComponent(back)}`)).text()
  const back = '/repair?t=o.1.2.ab'
  expect(await pageWith(back)).toContain(`href="${back}">返回`)
  for (const elsewhere of [
    '//other.example/',
    '/\\other.example/',
    'https://other.example/',
    'javascript:0',
  ]) {
    expect(await pageWith(elsewhere), elsewhere).not.toContain('返回')
  }
  const sent = await scanOrder({ url: `${o.url}&back=${encodeURIComponent(back)}` })
  expect(defined(new URL(sent).searchParams.get('redirect_url'))).toContain(
    `&back=${encodeURIComponent(back)}`,
  )
  await payOnPhone(o, 'normal')
  const paid = await waitUntil(
    () => pageWith(back),
    text => text.includes('已支付，谢谢'),
  )
  expect(paid).toContain(`href="${back}">返回`)
})

it('an order goes to one channel by one way: another needs an order of its own', async () => {
  await t.call(saveChannel, { channel: 'alipay', simulated: true, enabled: true }, me)
  const o = await createPayOrder([await createBill(asFen(400))], asFen(400))
  await scanOrder(o)
  expect(
    await fetch(`${origin}${o.url.replace('/api/pay/h5?', '/api/pay/go?')}&channel=alipay`, {
      redirect: 'manual',
    }).then(r => r.text()),
  ).toContain('已用另一种方式发起')
  expect(
    await refusalTextOf(
      t.call(
        payByAuthCode,
        {
          orderNo: o.orderNo,
          authCode: '281234567890123450',
          orderType: 'bill',
          payType: 'scanner',
        },
        me,
      ),
    ),
  ).toContain('已用另一种方式发起')
  expect((await fetch(`${origin}${o.url.slice(0, -3)}xyz`)).status).toBe(404)
  expect(await fetch(`${origin}${o.url}`).then(r => r.text())).toContain('线上测试')
  await t.call(closeOrder, { orderNo: o.orderNo }, me)
  await t.call(saveChannel, { channel: 'alipay', simulated: true, enabled: false }, me)
})

it('keys go in and never come out; a company without a channel has none to offer', async () => {
  const row = (await t.call(listChannels, {}, me)).find(r => r.channel === 'wechat')
  expect(row).toMatchObject({ channel: 'wechat', simulated: true, hasStoredKey: false })
  expect(
    await refusalTextOf(t.call(saveChannel, { channel: 'wechat', simulated: false, enabled: true }, me)),
  ).toBe('请填写应用编号')
  const keys = loadKeys(`${t.dir}/gateway`)
  const response = await t.callRaw(
    saveChannel,
    {
      channel: 'wechat',
      simulated: false,
      enabled: true,
      appId: 'wx1',
      mchId: '1900000001',
      serialNo: 'S',
      platformSerial: 'P',
      platformKey: keys.platformKey,
      notifyBase: 'https://wy.example.com',
      privateKey: keys.privateKey,
      apiKey: 'k'.repeat(32),
    },
    me,
  )
  expect(response).toMatchObject({ Code: 10000, Data: { Keyed: 1 } })
  expect(JSON.stringify(response)).not.toMatch(/PRIVATE KEY|kkkk/)
  expect(
    (
      await t.database.reader(ownerId).rows<{ all: string }>(
        sql`
            select coalesce(before::text, '') || coalesce(after::text, '') as all
            from audit_log
            where entity = 'payChannel'
          `,
      )
    )
      .map(r => r.all)
      .join(''),
  ).not.toMatch(/PRIVATE KEY|kkkk/)
  expect(await t.call(listAvailableChannels, {}, me)).toEqual([{ channel: 'wechat', simulated: false }])
  await t.call(saveChannel, { channel: 'wechat', simulated: true, enabled: false }, me)
  expect(await t.call(listAvailableChannels, {}, me)).toEqual([])
})
