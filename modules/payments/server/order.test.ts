import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { formatYuan } from '#kit/domain/money.ts'
import { Refused } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { As } from '#kit/server/ground/world.ts'
import { openGolden, type GoldenWorld } from '../../../db/golden/world.ts'
import { golden } from '../../../db/golden/fill.ts'
import { putSetting } from '#modules/estates/contract/estate.ts'
import {
  acceptOrder,
  askOrder,
  closeOrder,
  createOrder,
  orderRecord,
  payByCode,
  pollOrder,
} from '../contract/order.ts'
import { listChannels, openChannels, saveChannel } from '../contract/channel.ts'
import { payBills } from '../contract/pay.ts'
import { oneRecord } from '../contract/record.ts'
import { askRefund, oneRefund } from '../contract/refund.ts'
import { confirm } from './order-confirm.ts'
import { orderDoors } from './order-door.ts'
import { tendOrders, tendRefunds } from './order-jobs.ts'
import { gateOf } from './gates/accounts.ts'
import { keysIn } from './simulator/keys.ts'
import { simulatorOf } from './simulator/open.ts'
import { stamp } from './gates/wechat-sign.ts'

let t: GoldenWorld
let me: As
let owner = 0
let item = 0
let n = 0
let us: Server
let origin = ''
let gateway = ''
const never = new AbortController().signal

beforeAll(async () => {
  t = await openGolden()
  me = await t.owner
  owner = (await t.store
    .reader('*')
    .one<{ ownerId: number }>(sql`select owner_id from manager where login_code = ${golden.first.owner}`))!
    .ownerId
  item = (await t.store.tx(owner, tx =>
    tx.one<{
      id: number
    }>(sql`
      insert into fee_item (
        owner_id, code, name, fee_type, category, income_kind, bill_mode, scene, allow_multi,
        late_fee_switch, late_rates, state
      )
      values (${owner}, 'ORDTEST', '线上测试', 10, 10, 1, 1, 2, true, true, '[{"rate":"0.0005"}]', 10)
      returning id
    `),
  ))!.id
  // Our own door on a socket: the gateway's callbacks come in by it as they would in life.
  us = createServer((req, res) => {
    const parts: Buffer[] = []
    req
      .on('data', (b: Buffer) => parts.push(b))
      .on('end', () => {
        const at = new URL(req.url!, 'http://us')
        const [, c, o] = /^\/api\/pay\/notify\/(\w+)\/(\d+)$/.exec(at.pathname) ?? []
        const door = orderDoors.find(
          d => d.at.split(' ')[1] === (c ? '/api/pay/notify/:channel/:owner' : at.pathname),
        )!
        door
          .run(
            {
              path: { channel: c ?? '', owner: o ?? '' },
              query: at.searchParams,
              headers: req.headers as Record<string, string>,
              body: Buffer.concat(parts).toString(),
              ip: '127.0.0.1',
              agent: 'phone',
              origin,
            },
            t.world,
          )
          .then(
            a => res.writeHead(a.status ?? 200, a.location ? { location: a.location } : {}).end(a.body),
            e => res.writeHead(500).end(String(e)),
          )
      })
  })
  await new Promise<void>(done => us.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(us.address() as AddressInfo).port}`
  ;(t.world as { origin: () => string }).origin = () => origin
  gateway = (await simulatorOf(t.world, { slow: 40, late: 1500, again: [] })).address
  await t.ask(saveChannel, { channel: 'wechat', simulated: true, enabled: true } as never, me)
})

afterAll(async () => {
  us?.closeAllConnections()
  us?.close()
  await t?.close()
})

let room = 0

const made = (amount: number): Promise<number> =>
  t.store.tx(
    owner,
    async tx =>
      (await tx.one<{
        id: number
      }>(sql`
        insert into bill (
          owner_id, project_code, bill_no, source_type, source_code, source_name, payer_name, fee_item_id,
          fee_item_name, fee_type, begin_date, end_date, belong_month, amount, due_date, state, bill_source,
          run_root
        )
        values (
          ${owner}, 'GOLD0001', ${`O${++n}`}, 10, ${`OROOM${++room}`}, '1-1-101', '王五', ${item}, '线上测试', 10,
          '2026-11-01', '2026-11-30', '2026-11', ${formatYuan(amount)}, '2026-12-31', 20, 10, null
        )
        returning id
      `))!.id,
  )

const order = (bills: number[], expectAmount: number) =>
  t.ask(createOrder, { projectCode: 'GOLD0001', billIds: bills.map(String), expectAmount } as never, me)

const poll = (orderNo: string) => t.ask(askOrder, { orderNo }, me)

const words = async (p: Promise<unknown>): Promise<string> => {
  const e = await p.then(
    () => undefined,
    x => x,
  )
  expect(e).toBeInstanceOf(Refused)
  return (e as { data?: { Message: string }[] }).data?.[0]?.Message ?? (e as Error).message
}

/** The payer opens the picture's address, chooses WeChat, and pays on the phone's page. */
async function scan(o: { url: string }, by = 'wechat'): Promise<string> {
  const go = await fetch(`${origin}${o.url.replace('/api/pay/h5?', '/api/pay/go?')}&channel=${by}`, {
    redirect: 'manual',
  })
  expect(go.status).toBe(303)
  return go.headers.get('location')!
}

async function pay(o: { url: string }, how: string, by = 'wechat'): Promise<void> {
  const sent = await scan(o, by)
  const phone = new URL(
    by === 'alipay' ? (await fetch(sent, { redirect: 'manual' })).headers.get('location')! : sent,
  )
  const done = await fetch(`${gateway}${phone.pathname}`, {
    method: 'POST',
    body: new URLSearchParams({ how, key: phone.searchParams.get('key')! }),
    redirect: 'manual',
  })
  expect(done.status).toBe(303)
}

const until = async <T>(get: () => Promise<T>, good: (v: T) => boolean): Promise<T> => {
  for (let i = 0; ; i++) {
    const v = await get()
    if (good(v) || i > 200) return v
    await new Promise(r => setTimeout(r, 25))
  }
}

const stored = async (orderNo: string) =>
  (await t.store.reader(owner).one<{
    id: number
    state: number
    failReason?: string
    recordId?: number
    transactionId?: string
    notifySource?: number
  }>(sql`
    select id, state, fail_reason, record_id, transaction_id, notify_source
    from pay_order
    where order_no = ${orderNo}
  `))!

const settled = (orderNo: string) =>
  until(
    () => stored(orderNo),
    o => o.state === 20,
  )

const bill = async (id: number) =>
  (await t.store.reader(owner).one<{ paid: string; payState: number; held: boolean }>(
    sql`
        select paid_principal::text as paid, pay_state, lock_order_id is not null as held
        from bill
        where id = ${id}
      `,
  ))!

const records = async (orderId: number) =>
  (await t.store
    .reader(owner)
    .one<{ n: number }>(sql`select count(*)::int as n from pay_record where pay_order_id = ${orderId}`))!.n

const alerts = async (orderId: number) =>
  (
    await t.store
      .reader(owner)
      .rows<{ title: string }>(
        sql`select distinct title from notification where kind = 'payments.odd' and biz_id = ${orderId}`,
      )
  ).map(r => r.title)

it('PAY-1: an order holds its bills for fifteen minutes; nobody else collects them; a wrong sum is refused', async () => {
  const a = await made(20000)
  expect(await words(order([a], 19999))).toContain('金额已变化，请刷新')
  const o = await order([a], 20000)
  expect(o).toMatchObject({
    state: 'waiting',
    payState: 0,
    amount: 20000,
    orderObj: '1-1-101',
    orderBody: '线上测试',
    orderMain: expect.any(String) as string,
  })
  expect(o.orderMain).not.toBe('')
  expect(o.url).toMatch(/^\/api\/pay\/h5\?orderId=DD20261121\d+&orderType=3&/)
  expect((await bill(a)).held).toBe(true)
  expect(
    await words(
      t.ask(
        payBills,
        {
          projectCode: 'GOLD0001',
          billIds: [String(a)],
          expectAmount: 20000,
          methods: [{ method: 'cash', amount: 20000 }],
        } as never,
        me,
      ),
    ),
  ).toContain('支付中')
  expect(await words(order([a], 20000))).toContain('支付中')
  const closed = await t.ask(closeOrder, { orderNo: o.orderNo }, me)
  expect(closed.state).toBe('closed')
  expect((await bill(a)).held).toBe(false)
  expect((await order([a], 20000)).state).toBe('waiting')
})

it('the callback pays: one record with its receipt, the bill paid and let go; the poll tells it', async () => {
  const a = await made(20000)
  const o = await order([a], 20000)
  await pay(o, 'normal')
  expect(await settled(o.orderNo)).toMatchObject({ state: 20, notifySource: 10 })
  expect(await t.ask(pollOrder, { orderNo: o.orderNo }, me)).toMatchObject({
    state: 'paid',
    payState: 1,
    payMethod: 'wechat',
    channel: 'wechat',
  })
  expect(await bill(a)).toEqual({ paid: '200.00', payState: 1, held: false })
  expect(await t.ask(orderRecord, { orderNo: o.orderNo }, me)).toMatchObject({
    receivedAmount: 20000,
    payMethod: 'wechat',
    payerName: '王五',
    receiptNo: expect.stringMatching(/^2026-/) as string,
  })
  expect(await words(t.ask(closeOrder, { orderNo: o.orderNo }, me))).toContain('已经收到款')
})

it('PAY-3: callback, polls and the recovery job at once make one record', async () => {
  const a = await made(30000)
  const o = await order([a], 30000)
  await pay(o, 'twice')
  t.turn(121_000)
  await Promise.all([
    tendOrders(t.world, never),
    ...Array.from({ length: 8 }, () => poll(o.orderNo)),
    ...Array.from({ length: 4 }, () => t.ask(pollOrder, { orderNo: o.orderNo }, me)),
  ])
  const s = await settled(o.orderNo)
  expect(s.state).toBe(20)
  expect(await records(s.id)).toBe(1)
  expect(await alerts(s.id)).toEqual([])
})

it('a gateway that never calls back is asked; one that dies is asked again', async () => {
  const a = await made(100)
  const o = await order([a], 100)
  await pay(o, 'never')
  expect(await poll(o.orderNo)).toMatchObject({ state: 'paid' })
  expect((await stored(o.orderNo)).notifySource).toBe(20)
  const b = await made(200)
  const p = await order([b], 200)
  await pay(p, 'die')
  expect((await poll(p.orderNo)).state).toBe('paying')
  // C5.1: 60 becomes 30 only after the channel has said that nothing was paid.
  expect(await words(t.ask(closeOrder, { orderNo: p.orderNo }, me))).toContain('支付渠道没有回答')
  expect((await bill(b)).held).toBe(true)
  expect(
    await until(
      () => poll(p.orderNo),
      x => x.state === 'paid',
    ),
  ).toMatchObject({ state: 'paid' })
})

it('PAY-6: another amount than the stored one is held in 60 with an alert, told once', async () => {
  const a = await made(20000)
  const o = await order([a], 20000)
  await pay(o, 'wrong')
  const s = await until(
    () => stored(o.orderNo),
    x => x.failReason !== undefined,
  )
  expect(s).toMatchObject({ state: 60, failReason: '渠道实收 200.01 元与订单 200.00 元不符' })
  await poll(o.orderNo)
  expect(await alerts(s.id)).toEqual(['收款异常：1-1-101'])
  expect(await records(s.id)).toBe(0)
  expect((await bill(a)).payState).toBe(0)
  expect(await words(t.ask(closeOrder, { orderNo: o.orderNo }, me))).toContain('不符')
  // A person takes what has come: the payer's prestore, the bill owed and free again.
  expect(await t.ask(acceptOrder, { orderNo: o.orderNo }, me)).toMatchObject({
    state: 'paid',
    failReason: '金额不符，已按渠道实收转入预存',
  })
  expect(await t.ask(oneRecord, { id: (await stored(o.orderNo)).recordId! }, me)).toMatchObject({
    recordType: 'prestore',
    toPrestore: 20001,
  })
  expect(await bill(a)).toEqual({ paid: '0.00', payState: 0, held: false })
  expect(await words(t.ask(acceptOrder, { orderNo: o.orderNo }, me))).toContain('没有等待人工处理')
})

it('PAY-5: money that comes after the order was closed pays what is still owed, else becomes prestore with an alert', async () => {
  const a = await made(20000)
  const o = await order([a], 20000)
  await pay(o, 'late')
  expect((await t.ask(closeOrder, { orderNo: o.orderNo }, me)).state).toBe('closed')
  expect((await settled(o.orderNo)).state).toBe(20)
  expect((await bill(a)).payState).toBe(1)

  const b = await made(15000)
  const p = await order([b], 15000)
  await pay(p, 'late')
  expect((await t.ask(closeOrder, { orderNo: p.orderNo }, me)).state).toBe('closed')
  await t.ask(
    payBills,
    {
      projectCode: 'GOLD0001',
      billIds: [String(b)],
      expectAmount: 15000,
      methods: [{ method: 'cash', amount: 15000 }],
    } as never,
    me,
  )
  const s = await settled(p.orderNo)
  expect(s).toMatchObject({ state: 20, failReason: '重复支付，已转入预存' })
  expect(await alerts(s.id)).toEqual(['重复支付：1-1-101'])
  expect(await t.ask(oneRecord, { id: s.recordId! }, me)).toMatchObject({
    recordType: 'prestore',
    receivedAmount: 15000,
    toPrestore: 15000,
  })
  expect((await bill(b)).paid).toBe('150.00')
})

it('PAY-5: a second transaction for a paid order becomes prestore, once', async () => {
  const a = await made(5000)
  const o = await order([a], 5000)
  await pay(o, 'normal')
  const s = await settled(o.orderNo)
  const again = {
    transactionId: '4200000000000000000000000001',
    amount: 5000,
    channel: 'wechat',
    source: 'notified',
  } as const
  await Promise.all([
    confirm(t.world, owner, s.id, again),
    confirm(t.world, owner, s.id, again),
    confirm(t.world, owner, s.id, again),
  ])
  expect(await records(s.id)).toBe(1)
  const [double, ...more] = await t.store
    .reader(owner)
    .rows<{ id: number; recordId: number }>(
      sql`select id, record_id from pay_order where ref_type = 'double' and ref_id = ${s.id}`,
    )
  expect(more).toEqual([])
  expect(await t.ask(oneRecord, { id: double!.recordId }, me)).toMatchObject({
    recordType: 'prestore',
    toPrestore: 5000,
  })
})

it('PAY-7: nothing to pay is settled at once and seen by no channel', async () => {
  const a = await made(1000)
  await t.store.tx(owner, tx => tx.run(sql`update bill set discount_amount = 10.00 where id = ${a}`))
  const o = await order([a], 0)
  expect(o).toMatchObject({ state: 'paid', amount: 0 })
  expect(o.channel).toBeUndefined()
})

it('PAY-8: the payer’s code: empty is refused, a good one pays, a password is waited for, a poor one fails', async () => {
  const a = await made(800)
  const o = await order([a], 800)
  const by = (orderNo: string, authCode: string) =>
    t.ask(payByCode, { orderNo, authCode, orderType: 'bill', payType: 'scanner' } as never, me)
  expect(await words(by(o.orderNo, ' '))).toBe('条码不能为空')
  expect(await words(by(o.orderNo, '6901234567892'))).toContain('不是付款码')
  expect(await by(o.orderNo, '134567890123456780')).toMatchObject({ state: 'paid', payMethod: 'wechat' })
  const p = await order([await made(900)], 900)
  expect((await by(p.orderNo, '134567890123456788')).state).toBe('paying')
  expect(await words(by(p.orderNo, '134567890123456780'))).toContain('已经扫过码')
  expect((await t.ask(closeOrder, { orderNo: p.orderNo }, me)).state).toBe('closed')
  const b = await made(700)
  const q = await order([b], 700)
  expect(await by(q.orderNo, '134567890123456789')).toMatchObject({
    state: 'failed',
    failReason: '余额不足，请换一种付款方式',
  })
  expect((await bill(b)).held).toBe(false)
})

it('after fifteen minutes an order is closed, one under way only after the channel was asked', async () => {
  const a = await made(100)
  const b = await made(100)
  const o = await order([a], 100)
  const p = await order([b], 100)
  const c = await made(100)
  const q = await order([c], 100)
  await scan(p)
  await pay(q, 'never')
  t.turn(15 * 60_000)
  await tendOrders(t.world, never)
  expect([
    (await stored(o.orderNo)).state,
    (await stored(p.orderNo)).state,
    (await stored(q.orderNo)).state,
  ]).toEqual([30, 30, 20])
  expect([(await bill(a)).held, (await bill(b)).held, (await bill(c)).payState]).toEqual([false, false, 1])
})

it('a forged callback and an old one again are refused and leave a row in the audit log', async () => {
  const a = await made(100)
  const o = await order([a], 100)
  const at = `${origin}/api/pay/notify/wechat/${owner}`
  const refusals = async () =>
    (await t.store
      .reader(owner)
      .one<{ n: number }>(
        sql`select count(*)::int as n from audit_log where action = 'refused' and reason like '微信支付的回调被拒绝%'`,
      ))!.n
  await scan(o)
  const before = await refusals()
  const body = JSON.stringify({ resource: { ciphertext: 'AAAA', nonce: 'n', associated_data: '' } })
  const keys = keysIn(`${t.dir}/gateway`)
  const send = (headers: Readonly<Record<string, string>>, text = body) =>
    fetch(at, { method: 'POST', headers: { ...headers }, body: text }).then(r => r.status)
  expect(await send({})).toBe(400)
  expect(await send(stamp(body, keys.privateKey, keys.platformSerial, (t.world.clock() / 1000) | 0))).toBe(
    400,
  )
  expect(
    await send(stamp(body, keys.platformPrivate, keys.platformSerial, ((t.world.clock() / 1000) | 0) - 301)),
  ).toBe(400)
  expect(await refusals()).toBe(before + 3)
  // A true one, kept and sent again word for word.
  const { openBills } = await import('./simulator/bill.ts')
  const { wechatEnd } = await import('./simulator/wechat.ts')
  const { openBook } = await import('./simulator/book.ts')
  const ours = openBook(`${t.dir}/gateway`, t.world.clock)
  const end = wechatEnd(
    ours,
    openBills(`${t.dir}/gateway`, ours),
    keys,
    t.world.clock,
    () => '',
    () => '',
  )
  const known = ours.orders.get(o.orderNo)!
  ours.paid(known)
  const real = end.notice(known)
  expect(await send(real.headers, real.body)).toBe(200)
  expect((await stored(o.orderNo)).state).toBe(20)
  expect(await send(real.headers, real.body)).toBe(400)
  expect(await refusals()).toBe(before + 4)
  expect(await records((await stored(o.orderNo)).id)).toBe(1)
})

it('REF-4: a refund goes back through the channel under one number and is asked for until it is known', async () => {
  await t.ask(putSetting, { projectCode: 'GOLD0001', key: 'RefundAuditFrom', value: '99999999' } as never, me)
  const a = await made(20000)
  const o = await order([a], 20000)
  await pay(o, 'slow')
  const s = await settled(o.orderNo)
  const r = await t.ask(oneRecord, { id: s.recordId! }, me)
  const f = await t.ask(
    askRefund,
    {
      recordId: r.id,
      lines: [{ detailId: r.details[0]!.id, principal: 20000, late: 0 }],
      refundWay: 'original',
      billAfter: 'owed',
      reason: '多收了',
    } as never,
    me,
  )
  expect(f.state).toBe('doing')
  await Promise.all([tendRefunds(t.world, never), tendRefunds(t.world, never)])
  expect((await t.ask(oneRefund, { id: f.id }, me)).state).toBe('doing')
  await until(
    async () => {
      t.turn(601_000)
      await tendRefunds(t.world, never)
      return t.ask(oneRefund, { id: f.id }, me)
    },
    x => x.state === 'done',
  )
  expect(await t.ask(oneRefund, { id: f.id }, me)).toMatchObject({
    state: 'done',
    channelRefundNo: expect.stringMatching(/^50/) as string,
  })
  expect(await bill(a)).toMatchObject({ paid: '0.00', payState: 0 })
  expect((await stored(o.orderNo)).state).toBe(50)
  const asked = await (
    await gateOf(t.world, owner, 'wechat')
  ).refundQuery({ orderNo: o.orderNo, refundNo: 'TKD-other', amount: 1, total: 20000, reason: '' })
  expect(asked.state).toBe('absent')
})

it('Alipay speaks the same: page, code, callback, refund; its repeated callback is no replay, a forged one is refused', async () => {
  await t.ask(saveChannel, { channel: 'alipay', simulated: true, enabled: true } as never, me)
  const a = await made(12345)
  const o = await order([a], 12345)
  await pay(o, 'twice', 'alipay')
  const s = await settled(o.orderNo)
  expect(s).toMatchObject({ state: 20, notifySource: 10 })
  expect(await records(s.id)).toBe(1)
  expect((await t.ask(pollOrder, { orderNo: o.orderNo }, me)).payMethod).toBe('alipay')
  const by = async (code: string) => {
    const p = await order([await made(900)], 900)
    return t.ask(
      payByCode,
      { orderNo: p.orderNo, authCode: code, orderType: 'bill', payType: 'scanner' } as never,
      me,
    )
  }
  expect(await by('281234567890123450')).toMatchObject({ state: 'paid', payMethod: 'alipay' })
  expect((await by('281234567890123459')).failReason).toBe('余额不足，请换一种付款方式')
  const waiting = await by('281234567890123458')
  expect(waiting.state).toBe('paying')
  expect((await t.ask(closeOrder, { orderNo: waiting.orderNo }, me)).state).toBe('closed')
  const q = await order([await made(300)], 300)
  await pay(q, 'wrong', 'alipay')
  expect(
    (
      await until(
        () => stored(q.orderNo),
        x => x.failReason !== undefined,
      )
    ).failReason,
  ).toBe('渠道实收 3.01 元与订单 3.00 元不符')
  const forged = new URLSearchParams({
    app_id: keysIn(`${t.dir}/gateway`).appId,
    out_trade_no: q.orderNo,
    trade_status: 'TRADE_SUCCESS',
    total_amount: '3.00',
    trade_no: 'x',
    notify_id: 'n',
    notify_time: '2026-11-21 09:00:00',
    sign: 'AAAA',
    sign_type: 'RSA2',
  }).toString()
  expect(
    (await fetch(`${origin}/api/pay/notify/alipay/${owner}`, { method: 'POST', body: forged })).status,
  ).toBe(400)
  const r = await t.ask(oneRecord, { id: s.recordId! }, me)
  const f = await t.ask(
    askRefund,
    {
      recordId: r.id,
      lines: [{ detailId: r.details[0]!.id, principal: 2345, late: 0 }],
      refundWay: 'original',
      billAfter: 'owed',
      reason: '多收了',
    } as never,
    me,
  )
  await tendRefunds(t.world, never)
  expect(await t.ask(oneRefund, { id: f.id }, me)).toMatchObject({ state: 'done', amount: 2345 })
  expect((await stored(o.orderNo)).state).toBe(20)
  await t.ask(saveChannel, { channel: 'alipay', simulated: true, enabled: false } as never, me)
})

it('an order goes to one channel by one way: another needs an order of its own', async () => {
  await t.ask(saveChannel, { channel: 'alipay', simulated: true, enabled: true } as never, me)
  const o = await order([await made(400)], 400)
  await scan(o)
  expect(
    await fetch(`${origin}${o.url.replace('/api/pay/h5?', '/api/pay/go?')}&channel=alipay`, {
      redirect: 'manual',
    }).then(r => r.text()),
  ).toContain('已用另一种方式发起')
  expect(
    await words(
      t.ask(
        payByCode,
        {
          orderNo: o.orderNo,
          authCode: '281234567890123450',
          orderType: 'bill',
          payType: 'scanner',
        } as never,
        me,
      ),
    ),
  ).toContain('已用另一种方式发起')
  expect((await fetch(`${origin}${o.url.slice(0, -3)}xyz`)).status).toBe(404)
  expect(await fetch(`${origin}${o.url}`).then(r => r.text())).toContain('线上测试')
  await t.ask(closeOrder, { orderNo: o.orderNo }, me)
  await t.ask(saveChannel, { channel: 'alipay', simulated: true, enabled: false } as never, me)
})

it('keys go in and never come out; a company without a channel has none to offer', async () => {
  const row = (await t.ask(listChannels, {}, me)).find(r => r.channel === 'wechat')
  expect(row).toMatchObject({ channel: 'wechat', simulated: true, keyed: false })
  expect(
    await words(t.ask(saveChannel, { channel: 'wechat', simulated: false, enabled: true } as never, me)),
  ).toBe('请填写应用编号')
  const keys = keysIn(`${t.dir}/gateway`)
  const said = await t.say(
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
  expect(said).toMatchObject({ Code: 10000, Data: { Keyed: 1 } })
  expect(JSON.stringify(said)).not.toMatch(/PRIVATE KEY|kkkk/)
  expect(
    (
      await t.store.reader(owner).rows<{ all: string }>(
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
  expect(await t.ask(openChannels, {}, me)).toEqual([{ channel: 'wechat', simulated: false }])
  await t.ask(saveChannel, { channel: 'wechat', simulated: true, enabled: false } as never, me)
  expect(await t.ask(openChannels, {}, me)).toEqual([])
})
