import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { queryOrder, closeOrder, payByAuthCode, pollOrder } from '#modules/payments/contract/order.ts'
import { getRecord } from '#modules/payments/contract/record.ts'
import { confirmPayment } from '#modules/payments/server/order-confirmation.ts'
import { openPaymentHarness, waitUntil, type PaymentHarness } from '#db/golden/payment-harness.ts'
import { golden } from '#db/golden/golden-data.ts'
import { freezeAccount, listAccounts, topUpOnline } from '../contract/account.ts'
import { listEntries } from '../contract/entry.ts'

let s: PaymentHarness
let rooms: { code: string; path: string }[] = []
const project = { projectCode: 'GOLD0001' }

beforeAll(async () => {
  s = await openPaymentHarness()
  rooms = await s.t.database.reader(s.ownerId).rows(
    sql`
        select code, path
        from room
        where project_code = 'GOLD0001' and delete_tag = 0
        order by sort_key
        limit 12
      `,
  )
})

afterAll(() => s?.close())
let n = 0

const startTopUp = (code: string, amount: Fen, overrides: object = {}) =>
  s.t.call(
    topUpOnline,
    { ...project, ownerKind: 'room', ownerCode: code, feeItemId: 0, amount, ...overrides },
    s.me,
  )

const getAccountOf = async (ownerCode: string) =>
  defined(
    (await s.t.call(listAccounts, { ...project, ownerCode }, s.me)).rows.find(a => a.ownerCode === ownerCode),
  )

const findEntries = async (ownerCode: string) =>
  (await s.t.call(listEntries, { ...project, ownerCode }, s.me)).rows.map(e => [e.entryType, e.amount])

const getOrderRow = async (orderNo: string) =>
  defined(
    await s.t.database
      .reader(s.ownerId)
      .one<{ id: Id; state: number; recordId?: Id; failReason?: string }>(
        sql`select id, state, record_id, fail_reason from pay_order where order_no = ${orderNo}`,
      ),
  )

const waitUntilSettled = (orderNo: string) =>
  waitUntil(
    () => getOrderRow(orderNo),
    o => o.state === 20,
  )

it('ACC-10 by a channel: nothing moves before the money has come; then once, with its receipt and its bonus, whatever way the result arrives', async () => {
  const room = defined(rooms[n++])
  const o = await startTopUp(room.code, asFen(30_000), { gift: 1000, payerName: '王五' })
  expect(o).toMatchObject({
    orderType: 'prestore',
    amount: 30_000,
    orderObj: room.path,
    orderBody: '预存充值',
    payerName: '王五',
    state: 'waiting',
  })
  expect(await findEntries(room.code)).toEqual([])
  await s.pay(o, 'doubleCallback')
  await Promise.all([
    ...Array.from({ length: 4 }, () => s.t.call(queryOrder, { orderNo: o.orderNo }, s.me)),
    s.t.call(pollOrder, { orderNo: o.orderNo }, s.me),
  ])
  const done = await waitUntilSettled(o.orderNo)
  expect(await getAccountOf(room.code)).toMatchObject({ balance: 30_000, giftBalance: 1000 })
  expect(await findEntries(room.code)).toEqual([
    ['gift', 1000],
    ['topUp', 30_000],
  ])
  expect(await s.t.call(getRecord, { id: defined(done.recordId) }, s.me)).toMatchObject({
    recordType: 'prestore',
    receivedAmount: 30_000,
    toPrestore: 30_000,
    payMethod: 'wechat',
    payerName: '王五',
    sourceName: room.path,
    receiptNo: expect.stringMatching(/^2026-/),
  })
})

it('by the payer’s code', async () => {
  const room = defined(rooms[n++])
  const o = await startTopUp(room.code, asFen(5000))
  expect(
    await s.t.call(
      payByAuthCode,
      {
        orderNo: o.orderNo,
        authCode: '134567890123456780',
        orderType: 'prestore',
        payType: 'scanner',
      },
      s.me,
    ),
  ).toMatchObject({ state: 'paid' })
  expect(await getAccountOf(room.code)).toMatchObject({ balance: 5000, giftBalance: 0 })
})

it('PAY-5: money that comes after cancelling, or a second time, is put into the account too; the bonus is given once', async () => {
  const room = defined(rooms[n++])
  const o = await startTopUp(room.code, asFen(20_000), { gift: 500 })
  await s.pay(o, 'delayed')
  expect((await s.t.call(closeOrder, { orderNo: o.orderNo }, s.me)).state).toBe('closed')
  const { id } = await waitUntilSettled(o.orderNo)
  const again = {
    transactionId: '4200000000000000000000000009',
    amount: asFen(20_000),
    channel: 'wechat',
    source: 'notified',
  } as const
  await Promise.all([
    confirmPayment(s.t.app, s.ownerId, id, again),
    confirmPayment(s.t.app, s.ownerId, id, again),
    confirmPayment(s.t.app, s.ownerId, id, again),
  ])
  expect(await getAccountOf(room.code)).toMatchObject({ balance: 40_000, giftBalance: 500 })
  expect(
    await s.t.database.reader(s.ownerId).rows(
      sql`
          select state, order_type, record_id is not null as booked
          from pay_order
          where ref_type = 'double' and ref_id = ${id}
        `,
    ),
  ).toEqual([{ state: 20, orderType: 7, booked: true }])
})

it('PAY-6: another amount waits for a person', async () => {
  const room = defined(rooms[n++])
  const o = await startTopUp(room.code, asFen(10_000))
  await s.pay(o, 'wrongAmount')
  expect(
    await waitUntil(
      () => getOrderRow(o.orderNo),
      x => x.failReason !== undefined,
    ),
  ).toMatchObject({ state: 60, failReason: '渠道实收 100.01 元与订单 100.00 元不符' })
  expect((await getAccountOf(room.code)).balance).toBe(0)
})

it('an account frozen since then still takes its money; a frozen one begins none; nobody without the right follows it', async () => {
  const room = defined(rooms[n++])
  const o = await startTopUp(room.code, asFen(7000))
  const a = await getAccountOf(room.code)
  await s.t.call(freezeAccount, { id: a.id, frozen: true, reason: '核对账目' }, s.me)
  await s.pay(o, 'normal')
  await waitUntilSettled(o.orderNo)
  expect((await getAccountOf(room.code)).balance).toBe(7000)
  expect(
    await startTopUp(room.code, asFen(7000)).then(
      () => '',
      (e: Error) => e.message,
    ),
  ).toContain('已冻结')
  const p = await startTopUp(defined(rooms[n++]).code, asFen(100))
  const stranger = await s.t.signedInAs(golden.first.ofRole('engineer'))
  const words = (x: Promise<unknown>) =>
    x.then(
      () => '',
      (e: Error) => e.message,
    )
  for (const attempt of [
    () => s.t.call(pollOrder, { orderNo: p.orderNo }, stranger),
    () => s.t.call(closeOrder, { orderNo: p.orderNo }, stranger),
    () =>
      s.t.call(
        payByAuthCode,
        {
          orderNo: p.orderNo,
          authCode: '134567890123456780',
          orderType: 'prestore',
          payType: 'scanner',
        },
        stranger,
      ),
  ]) {
    expect(await words(attempt())).toContain('无权执行此操作：需要「预存账户·充值」权限')
  }
  expect((await getOrderRow(p.orderNo)).state).toBe(10)
})
