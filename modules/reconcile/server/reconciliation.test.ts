import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isDailyNumber, outerNumberOf } from '#kit/domain/document-number.ts'
import { asFen, formatYuan, type Fen } from '#kit/domain/money.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { saveChannel } from '#modules/payments/contract/channel.ts'
import { queryOrder, closeOrder, createOrder } from '#modules/payments/contract/order.ts'
import { getRecord } from '#modules/payments/contract/record.ts'
import { requestRefund } from '#modules/payments/contract/refund.ts'
import { getChannelClient } from '#modules/payments/server/public.ts'
import { maintainRefunds } from '#modules/payments/server/order-jobs.ts'
import { openPaymentHarness, waitUntil, type PaymentHarness } from '#db/golden/payment-harness.ts'
import { golden, password } from '#db/golden/golden-data.ts'
import {
  recheckChannelBill,
  escalateReconcileItems,
  handleReconcileItems,
  importChannelBill,
  listChannelBills,
  listReconcileItems,
  listChannelBillLines,
  getChannelBill,
  pullChannelBill,
  type ReconcileItem,
} from '../contract/channel-bill.ts'
import { pullMissingBills } from './missing-bills.ts'

let s: PaymentHarness
let me: CallOptions
let feeItemId = 0
let n = 0
let day: Day = '2026-11-21'
const neverAborted = new AbortController().signal

beforeAll(async () => {
  s = await openPaymentHarness()
  me = s.me
  feeItemId = await s.t.addFeeItem('RECTEST', { name: '对账测试', multi: true, late: true })
  await s.t.database.tx(s.ownerId, tx =>
    tx.execute(sql`update pay_channel set create_time = '2026-11-01' where owner_id = ${s.ownerId}`),
  )
  await s.t.call(saveChannel, { channel: 'alipay', simulated: true, enabled: true }, me)
  await s.t.call(
    updateEstateSetting,
    { projectCode: 'GOLD0001', key: 'RefundAuditFrom', value: '99999999' },
    me,
  )
})

afterAll(() => s?.close())

const createBill = async (amount: Fen): Promise<number> =>
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
          ${s.ownerId}, 'GOLD0001', ${`RC${++n}`}, 10, ${`RROOM${n}`}, '1-1-101', '王五', ${feeItemId}, '对账测试', 10,
          '2026-11-01', '2026-11-30', '2026-11', ${formatYuan(amount)}, '2026-12-31', 20, 10, null
        )
        returning id
      `),
      ).id,
  )

const createPayOrder = async (amount: Fen) => {
  const id = await createBill(amount)
  return {
    ...(await s.t.call(
      createOrder,
      { projectCode: 'GOLD0001', billIds: [String(id)], expectAmount: amount },
      me,
    )),
    bill: id,
  }
}

const getOrderRow = async (orderNo: string) =>
  defined(
    await s.t.database
      .reader(s.ownerId)
      .one<{ id: Id; state: number; recordId?: Id }>(
        sql`select id, state, record_id from pay_order where order_no = ${orderNo}`,
      ),
  )

const createPaidOrder = async (amount: number, by = 'wechat') => {
  const o = await createPayOrder(asFen(amount))
  await s.pay(o, 'normal', by)
  await waitUntil(
    () => getOrderRow(o.orderNo),
    x => x.state === 20,
  )
  return o
}

/** The channel's name for one of our numbers. */
const outer = (no: string): string => (isDailyNumber(no) ? outerNumberOf(no, s.ownerId) : no)

/** Tells the gateway what to get wrong in its bill. */
const injectBillFault = (what: string, no = '', amount = 0, refundNo = '', channel = 'wechat', on = day) =>
  fetch(`${s.gateway}/bill`, {
    method: 'POST',
    body: new URLSearchParams({
      channel,
      day: on,
      slip: what,
      no: outer(no),
      amount: formatYuan(asFen(amount)),
      refundNo: outer(refundNo),
    }),
    redirect: 'manual',
  }).then(r => expect(r.status).toBe(303))

const clearBillFaults = (channel = 'wechat', on = day) => injectBillFault('right', '', 0, '', channel, on)
const pullBillOf = (channel = 'wechat', on = day) => s.t.call(pullChannelBill, { checkDate: on, channel }, me)

const findItems = async (billId: Id) =>
  (await s.t.call(listReconcileItems, { billId: [String(billId)], order: 'orderNo', size: 100 }, me)).rows

const summarizeItems = (list: readonly ReconcileItem[]) =>
  list.map(i => [i.diffType, i.orderNo, i.localAmount, i.channelAmount, i.state])

const findNoticeTitles = async (id: Id) =>
  (
    await s.t.database.reader(s.ownerId).rows<{ kind: string; title: string }>(
      sql`
          select distinct kind, title
          from notification
          where biz_id = ${id} and kind like 'reconcile.%'
          order by kind, title
        `,
    )
  ).map(x => x.title)

const refundOrder = async (o: { orderNo: string }, amount: Fen) => {
  const r = await s.t.call(getRecord, { id: defined((await getOrderRow(o.orderNo)).recordId) }, me)
  const f = await s.t.call(
    requestRefund,
    {
      recordId: r.id,
      lines: [{ detailId: defined(r.details[0]).id, principal: amount, late: 0 }],
      refundWay: 'original',
      billAfter: 'owed',
      reason: '多收了',
    },
    me,
  )
  await maintainRefunds(s.t.app, neverAborted)
  return f.refundNo
}

/** The next day begins: the one before can be compared. */
const advanceDay = async (): Promise<void> => {
  s.t.advanceClock(86_400_000)
  me = {
    token: (await s.t.call(login, { loginCode: golden.first.owner, password }, {})).token,
    projectCode: 'GOLD0001',
  }
}

it('CLO-5: a day that agrees is 已平, by order number and amount, refunds too; pulled again it is the same', async () => {
  const a = await createPaidOrder(20_000)
  const b = await createPaidOrder(30_000)
  const no = await refundOrder(b, asFen(12_345))
  expect(await refusalTextOf(pullBillOf())).toContain('当天的交易尚未结束')
  await advanceDay()
  const done = await pullBillOf()
  expect(done).toMatchObject({
    checkDate: day,
    channel: 'wechat',
    source: 'pulled',
    state: 'same',
    localCount: 3,
    channelCount: 3,
    localAmount: 50_000,
    channelAmount: 50_000,
    localRefund: 12_345,
    channelRefund: 12_345,
    diffCount: 0,
    openCount: 0,
  })
  const lines = (await s.t.call(listChannelBillLines, { billId: [String(done.id)] }, me)).rows
  expect(lines.map(l => [l.kind, l.orderNo, l.refundNo, l.amount, l.diffType])).toEqual([
    ['pay', a.orderNo, undefined, 20_000, undefined],
    ['pay', b.orderNo, undefined, 30_000, undefined],
    ['refund', b.orderNo, no, 12_345, undefined],
  ])
  const again = await pullBillOf()
  expect(again).toMatchObject({ id: done.id, state: 'same', channelCount: 3 })
  expect(await findNoticeTitles(done.id)).toEqual([])
})

it('CLO-5: all five kinds appear, once each, however often and concurrently it is fetched; notified once', async () => {
  day = '2026-11-22'
  const same = await createPaidOrder(10_000)
  const dropped = await createPaidOrder(11_000)
  const changed = await createPaidOrder(12_000)
  const back = await createPaidOrder(13_000)
  const no = await refundOrder(back, asFen(5000))
  const shut = await createPayOrder(asFen(14_000))
  await s.scan(shut)
  // 40, but not settled automatically: the sum is not the order's.
  expect((await s.t.call(closeOrder, { orderNo: shut.orderNo }, me)).state).toBe('closed')
  await injectBillFault('leave', dropped.orderNo)
  await injectBillFault('change', changed.orderNo, 12_100)
  await injectBillFault('leave', back.orderNo, 0, no)
  await injectBillFault('add', 'DD-ELSEWHERE', 8800)
  // A refund of the channel's that nobody here knows of.
  await injectBillFault('add', same.orderNo, 300, 'TKX')
  await advanceDay()
  const [one, two] = await Promise.all([pullBillOf(), pullBillOf()])
  const list = await findItems(one.id)
  expect(two.id).toBe(one.id)
  expect(summarizeItems(list)).toEqual(
    expect.arrayContaining([
      ['onlyLocal', dropped.orderNo, 11_000, 0, 'pending'],
      ['onlyChannel', 'DD-ELSEWHERE', 0, 8800, 'pending'],
      ['amount', changed.orderNo, 12_000, 12_100, 'pending'],
      ['refund', back.orderNo, 5000, 0, 'pending'],
      ['refund', same.orderNo, 0, 300, 'pending'],
    ]),
  )
  expect(list).toHaveLength(5)
  expect(await s.t.call(getChannelBill, { id: one.id }, me)).toMatchObject({
    state: 'different',
    diffCount: 5,
    openCount: 5,
  })
  expect(await findNoticeTitles(one.id)).toEqual(['微信支付 2026-11-22 有 5 笔对账差异'])
  expect(
    await s.t.database.reader(s.ownerId).one(
      sql`
          select count(distinct title)::int as kinds, count(*)::int as n
          from notification
          where biz_id = ${one.id} and kind = 'reconcile.differs'
          group by receiver_id
          limit 1
        `,
    ),
  ).toEqual({ kinds: 1, n: 1 })
  await pullBillOf()
  expect(summarizeItems(await findItems(one.id))).toEqual(summarizeItems(list))
  expect(
    (await s.t.call(listChannelBillLines, { billId: [String(one.id)], diffType: ['amount'] }, me)).rows.map(
      l => l.orderNo,
    ),
  ).toEqual([changed.orderNo])
})

it('CLO-5: money at the channel for an order that we took for unpaid or closed is booked automatically (自动平账), exactly once', async () => {
  day = '2026-11-23'
  const waits = await createPayOrder(asFen(21_000))
  const shut = await createPayOrder(asFen(22_000))
  await s.pay(waits, 'noCallback')
  await s.pay(shut, 'delayed')
  expect((await s.t.call(closeOrder, { orderNo: shut.orderNo }, me)).state).toBe('closed')
  // The callback of the late one is lost on its way.
  await s.t.database.tx(s.ownerId, tx =>
    tx.execute(sql`update pay_order set channel = 20 where order_no = ${shut.orderNo}`),
  )
  await waitUntil(
    async () => fetch(`${s.gateway}/bill?channel=wechat&day=${day}`).then(r => r.text()),
    page => page.includes(shut.orderNo),
  )
  await new Promise(r => setTimeout(r, 100))
  await s.t.database.tx(s.ownerId, tx =>
    tx.execute(sql`update pay_order set channel = 10 where order_no = ${shut.orderNo}`),
  )
  expect([(await getOrderRow(waits.orderNo)).state, (await getOrderRow(shut.orderNo)).state]).toEqual([
    60, 30,
  ])
  await advanceDay()
  const [done] = await Promise.all([pullBillOf(), pullBillOf()])
  expect([(await getOrderRow(waits.orderNo)).state, (await getOrderRow(shut.orderNo)).state]).toEqual([
    20, 20,
  ])
  expect(
    (
      await s.t.database.reader(s.ownerId).rows<{ n: number }>(
        sql`
            select count(*)::int as n
            from pay_record
            where pay_order_id in (
              select id from pay_order where order_no in (${waits.orderNo}, ${shut.orderNo})
            )
            group by pay_order_id
          `,
      )
    ).map(r => r.n),
  ).toEqual([1, 1])
  expect(summarizeItems(await findItems(done.id)).map(r => [r[0], r[4]])).toEqual([
    ['state', 'settled'],
    ['state', 'settled'],
  ])
  expect((await findItems(done.id))[0]).toMatchObject({
    handleNote: '渠道已收到款，订单已按渠道账单入账',
    localState: '支付中',
  })
  expect(await s.t.call(getChannelBill, { id: done.id }, me)).toMatchObject({
    state: 'same',
    openCount: 0,
    diffCount: 0,
    localAmount: 43_000,
    channelAmount: 43_000,
  })
  expect(await findNoticeTitles(done.id)).toEqual([])
})

it('CLO-5: an order that asks for another sum is 金额不符 and waits for a person; one held under 40 too', async () => {
  day = '2026-11-24'
  const o = await createPayOrder(asFen(5000))
  await s.pay(o, 'wrongAmount')
  await waitUntil(
    async () => (await s.t.call(queryOrder, { orderNo: o.orderNo }, me)).failReason,
    w => w !== undefined,
  )
  await advanceDay()
  const done = await pullBillOf()
  expect(summarizeItems(await findItems(done.id))).toEqual([['amount', o.orderNo, 0, 5001, 'pending']])
  expect((await getOrderRow(o.orderNo)).state).toBe(60)
})

it('a difference that has vanished settles itself, comes back when it shows again, and what a person dealt with stays', async () => {
  day = '2026-11-25'
  const a = await createPaidOrder(100)
  const b = await createPaidOrder(200)
  await injectBillFault('leave', a.orderNo)
  await injectBillFault('change', b.orderNo, 201)
  await advanceDay()
  const { id } = await pullBillOf()
  const [first, second] = await findItems(id)
  await s.t.call(escalateReconcileItems, { ids: [String(defined(first).id)], reason: '请财务核实' }, me)
  await s.t.call(
    handleReconcileItems,
    { ids: [String(defined(second).id)], reason: '渠道手续费', handleResult: 'harmless' },
    me,
  )
  expect(await s.t.call(getChannelBill, { id }, me)).toMatchObject({ openCount: 1, state: 'different' })
  expect(
    await refusalTextOf(
      s.t.call(
        handleReconcileItems,
        { ids: [String(defined(second).id)], reason: '再来一次', handleResult: 'other' },
        me,
      ),
    ),
  ).toContain('人工处理，不能再处理')
  expect(await findNoticeTitles(id)).toContain('金一管理员 升级了 1 笔对账差异')
  await clearBillFaults()
  await injectBillFault('change', b.orderNo, 201)
  await pullBillOf()
  expect(summarizeItems(await findItems(id))).toEqual([
    ['onlyLocal', a.orderNo, 100, 0, 'settled'],
    ['amount', b.orderNo, 200, 201, 'handled'],
  ])
  expect(await s.t.call(getChannelBill, { id }, me)).toMatchObject({
    openCount: 0,
    diffCount: 1,
    state: 'same',
  })
  // Shows again, and with another sum: open once more.
  await injectBillFault('leave', a.orderNo)
  await clearBillFaults()
  await injectBillFault('leave', a.orderNo)
  await injectBillFault('change', b.orderNo, 250)
  await pullBillOf()
  expect(summarizeItems(await findItems(id))).toEqual([
    ['onlyLocal', a.orderNo, 100, 0, 'pending'],
    ['amount', b.orderNo, 200, 250, 'pending'],
  ])
  expect(await s.t.call(recheckChannelBill, { id }, me)).toMatchObject({ openCount: 2 })
  expect(
    await s.t.database.reader(s.ownerId).one(
      sql`
          select count(*)::int as n
          from audit_log
          where entity = 'reconcileItem' and entity_id in (${defined(first).id}, ${defined(second).id})
        `,
    ),
  ).toEqual({ n: 2 })
})

it('Zero-trade days are no failure; a bill not made yet waits; one whose hash is another’s is refused with an audit row', async () => {
  day = '2026-11-26'
  await advanceDay()
  expect(await pullBillOf()).toMatchObject({ state: 'same', localCount: 0, channelCount: 0 })
  day = '2026-11-27'
  await createPaidOrder(600)
  await injectBillFault('later')
  await advanceDay()
  expect(await refusalTextOf(pullBillOf())).toContain('尚未生成')
  const [row] = (await s.t.call(listChannelBills, { checkDateFrom: day, checkDateTo: day }, me)).rows
  expect(row).toMatchObject({ state: 'waiting', failReason: expect.stringContaining('尚未生成') })
  expect(await refusalTextOf(s.t.call(recheckChannelBill, { id: defined(row).id }, me))).toContain('尚未获取')
  await clearBillFaults()
  await injectBillFault('forge')
  expect(await refusalTextOf(pullBillOf())).toContain('账单的摘要不符')
  expect(await s.t.call(getChannelBill, { id: defined(row).id }, me)).toMatchObject({
    state: 'failed',
    channelCount: 0,
  })
  expect(
    (
      await s.t.database.reader(s.ownerId).rows<{ reason: string }>(
        sql`
            select reason
            from audit_log
            where action = 'refused' and entity = 'channelBill' and entity_id = ${defined(row).id}
          `,
      )
    ).map(r => r.reason),
  ).toEqual(['微信支付 2026-11-27 的账单被拒绝：账单的摘要不符'])
  expect(await findNoticeTitles(defined(row).id)).toEqual(['微信支付 2026-11-27 的账单获取失败'])
  await clearBillFaults()
  expect(await pullBillOf()).toMatchObject({
    id: defined(row).id,
    state: 'same',
    channelCount: 1,
    channelAmount: 600,
  })
  // What was there stays when a later bill cannot be believed.
  await injectBillFault('forge')
  expect(await refusalTextOf(pullBillOf())).toContain('摘要不符')
  expect(await s.t.call(getChannelBill, { id: defined(row).id }, me)).toMatchObject({
    state: 'same',
    channelCount: 1,
  })
})

it('Alipay’s zip, in its own letters: the same', async () => {
  day = '2026-11-28'
  const a = await createPaidOrder(12_345, 'alipay')
  const b = await createPaidOrder(700, 'alipay')
  const no = await refundOrder(a, asFen(2345))
  await injectBillFault('leave', b.orderNo, 0, '', 'alipay')
  await advanceDay()
  const done = await pullBillOf('alipay')
  expect(done).toMatchObject({
    channel: 'alipay',
    localCount: 3,
    channelCount: 2,
    channelAmount: 12_345,
    channelRefund: 2345,
  })
  expect(summarizeItems(await findItems(done.id))).toEqual([['onlyLocal', b.orderNo, 700, 0, 'pending']])
  expect(
    (await s.t.call(listChannelBillLines, { billId: [String(done.id)], kind: ['refund'] }, me)).rows.map(
      l => l.refundNo,
    ),
  ).toEqual([no])
})

it('a refund under way that the channel has made is finished; an unreported second payment becomes prestore; a payment at midnight belongs to the day of the channel', async () => {
  const before = day
  day = '2026-11-29'
  const slow = await createPayOrder(asFen(4000))
  await s.pay(slow, 'slow')
  await waitUntil(
    () => getOrderRow(slow.orderNo),
    x => x.state === 20,
  )
  const no = await refundOrder(slow, asFen(1000))
  const client = await getChannelClient(s.t.app, s.ownerId, 'wechat')
  const asked = {
    orderNo: outer(slow.orderNo),
    refundNo: outer(no),
    amount: asFen(1000),
    total: asFen(4000),
    reason: '',
  }
  await client.queryRefund(asked)
  await waitUntil(
    () => client.queryRefund(asked),
    x => x.state === 'done',
  )
  const twice = await createPaidOrder(2500)
  const night = await createPaidOrder(3300)
  await injectBillFault('add', twice.orderNo, 2500)
  await s.t.database.tx(s.ownerId, tx =>
    tx.execute(
      sql`
        update pay_order
        set paid_time = ${`${before} 23:59:59+08`}::timestamptz
        where order_no = ${night.orderNo}
      `,
    ),
  )
  await advanceDay()
  const eve = await pullBillOf('wechat', before)
  expect(summarizeItems(await findItems(eve.id))).toEqual([['onlyLocal', night.orderNo, 3300, 0, 'pending']])
  const done = await pullBillOf()
  expect(summarizeItems(await findItems(done.id)).map(r => [r[0], r[1], r[4]])).toEqual(
    expect.arrayContaining([
      ['refund', slow.orderNo, 'settled'],
      ['onlyChannel', twice.orderNo, 'settled'],
    ]),
  )
  expect(await s.t.call(getChannelBill, { id: done.id }, me)).toMatchObject({ state: 'same', openCount: 0 })
  expect(new Set((await findItems(done.id)).map(i => i.handleNote))).toEqual(
    new Set(['渠道已收到款，订单已按渠道账单入账', '渠道已退款，退款单已完成']),
  )
  expect(
    await s.t.database
      .reader(s.ownerId)
      .rows(sql`select state, amount::text as amount from fee_refund where refund_no = ${no}`),
  ).toEqual([{ state: 30, amount: '10.00' }])
  expect(
    await s.t.database.reader(s.ownerId).rows(
      sql`
          select r.to_prestore::text as kept
          from pay_order o
          join pay_record r on r.owner_id = o.owner_id and r.id = o.record_id
          where o.ref_type = 'double' and o.ref_id = ${(await getOrderRow(twice.orderNo)).id}
        `,
    ),
  ).toEqual([{ kept: '25.00' }])
  // The neighbour was looked at again.
  expect(summarizeItems(await findItems(eve.id))).toEqual([['onlyLocal', night.orderNo, 3300, 0, 'settled']])
})

it('a file brought by hand compares the same; another day’s, or none at all, is refused with a message', async () => {
  day = '2026-11-30'
  const a = await createPaidOrder(900)
  await advanceDay()
  const head = '交易时间,微信订单号,商户订单号,交易状态,订单金额,商户退款单号,退款金额,退款状态'
  const line = (no: string, sum: string, at = `${day} 10:00:00`) =>
    `\`${at},\`4200001,\`${no},\`SUCCESS,\`${sum},\`0,\`0.00,\``
  const bring = (text: string, name = '账单.csv') =>
    s.t.call(
      importChannelBill,
      { checkDate: day, channel: 'wechat' },
      {
        ...me,
        upload: { ...s.t.upload(name, new TextEncoder().encode(text)), name, type: 'text/csv' },
      },
    )
  expect(
    await refusalTextOf(s.t.call(importChannelBill, { checkDate: day, channel: 'wechat' }, me)),
  ).toContain('请选择')
  expect(await refusalTextOf(bring('a,b\n1,2\n'))).toContain('缺少「商户订单号」列')
  expect(
    await refusalTextOf(bring(`${head}\n${line(a.orderNo, '9.00', '2026-11-20 10:00:00')}\n`)),
  ).toContain('与所选账单日 2026-11-30 不符')
  expect(await refusalTextOf(bring(`${head}\n${line(a.orderNo, '九元')}\n`))).toContain('不是数字')
  const done = await bring(
    `\ufeff${head}\n${line(a.orderNo, '9.00')}\n${line('DD-ODD', '1,000.00'.replace(',', ''))}\n总交易单数,订单总金额\n\`2,\`1009.00\n`,
  )
  expect(done).toMatchObject({
    source: 'imported',
    operatorName: '金一管理员',
    channelCount: 2,
    channelAmount: 100_900,
  })
  expect(summarizeItems(await findItems(done.id))).toEqual([['onlyChannel', 'DD-ODD', 0, 100_000, 'pending']])
})

it('the night’s work takes every live channel’s days that are not there, and takes them once', async () => {
  await s.t.database.tx(s.ownerId, tx =>
    tx
      .execute(sql`delete from reconcile_item where channel = 20`)
      .then(() => tx.execute(sql`delete from channel_bill_line where channel = 20`))
      .then(() => tx.execute(sql`delete from channel_bill where channel = 20`)),
  )
  await s.t.database.tx(s.ownerId, tx =>
    tx.execute(sql`update pay_channel set create_time = '2026-11-01' where owner_id = ${s.ownerId}`),
  )
  await pullMissingBills(s.t.app, neverAborted)
  const rows = (await s.t.call(listChannelBills, { channel: ['alipay'], size: 50, order: 'checkDate' }, me))
    .rows
  expect(rows.map(r => r.checkDate)).toEqual([
    '2026-11-24',
    '2026-11-25',
    '2026-11-26',
    '2026-11-27',
    '2026-11-28',
    '2026-11-29',
    '2026-11-30',
  ])
  expect(rows.at(-3)).toMatchObject({ state: 'different', openCount: 1 })
  await pullMissingBills(s.t.app, neverAborted)
  expect(
    (await s.t.call(listChannelBills, { channel: ['alipay'], size: 50, order: 'checkDate' }, me)).rows.map(
      r => [r.id, r.pullTime],
    ),
  ).toEqual(rows.map(r => [r.id, r.pullTime]))
})

it('PERM-6: who has only some of the projects reads none of it; another company has none', async () => {
  const some = { token: (await s.t.call(login, { loginCode: golden.first.estateOnly, password }, {})).token }
  const rows = await s.t.database.reader(s.ownerId).rows<{ id: Id }>(sql`select id from channel_bill limit 1`)
  for (const attempt of [
    () => s.t.call(listChannelBills, {}, some),
    () => s.t.call(listReconcileItems, {}, some),
    () => s.t.call(listChannelBillLines, {}, some),
    () => s.t.call(getChannelBill, { id: defined(rows[0]).id }, some),
    () => s.t.call(recheckChannelBill, { id: defined(rows[0]).id }, some),
  ]) {
    expect(await refusalTextOf(attempt())).toMatch(/需要全部项目的数据权限|无权执行/)
  }
  const other = { token: (await s.t.call(login, { loginCode: golden.second.owner, password }, {})).token }
  expect((await s.t.call(listChannelBills, {}, other)).total).toBe(0)
  expect((await s.t.call(listReconcileItems, {}, other)).total).toBe(0)
})
