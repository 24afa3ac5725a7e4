import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import { askOrder, closeOrder, payByCode, pollOrder } from '#modules/payments/contract/order.ts'
import { oneRecord } from '#modules/payments/contract/record.ts'
import { confirm } from '#modules/payments/server/order-confirm.ts'
import { openStreet, until, type Street } from '../../../db/golden/street.ts'
import { golden } from '../../../db/golden/fill.ts'
import { freezeAccount, listAccounts, listEntries, topUpOnline } from '../contract/account.ts'

let s: Street
let rooms: { code: string; path: string }[] = []
const project = { projectCode: 'GOLD0001' }

beforeAll(async () => {
  s = await openStreet()
  rooms = await s.t.store.reader(s.owner).rows(
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

const begin = (code: string, amount: number, more: object = {}) =>
  s.t.ask(
    topUpOnline,
    { ...project, ownerKind: 'room', ownerCode: code, feeItemId: 0, amount, ...more } as never,
    s.me,
  )

const purse = async (ownerCode: string) =>
  (await s.t.ask(listAccounts, { ...project, ownerCode }, s.me)).rows.find(a => a.ownerCode === ownerCode)!

const entries = async (ownerCode: string) =>
  (await s.t.ask(listEntries, { ...project, ownerCode }, s.me)).rows.map(e => [e.entryType, e.amount])

const stored = async (orderNo: string) =>
  (await s.t.store
    .reader(s.owner)
    .one<{ id: number; state: number; recordId?: number; failReason?: string }>(
      sql`select id, state, record_id, fail_reason from pay_order where order_no = ${orderNo}`,
    ))!

const settled = (orderNo: string) =>
  until(
    () => stored(orderNo),
    o => o.state === 20,
  )

it('ACC-10 by a channel: nothing moves before the money has come; then once, with its receipt and its bonus, whoever tells of it', async () => {
  const room = rooms[n++]!
  const o = await begin(room.code, 30_000, { gift: 1000, payerName: '王五' })
  expect(o).toMatchObject({
    orderType: 'prestore',
    amount: 30_000,
    orderObj: room.path,
    orderBody: '预存充值',
    payerName: '王五',
    state: 'waiting',
  })
  expect(await entries(room.code)).toEqual([])
  await s.pay(o, 'twice')
  await Promise.all([
    ...Array.from({ length: 4 }, () => s.t.ask(askOrder, { orderNo: o.orderNo }, s.me)),
    s.t.ask(pollOrder, { orderNo: o.orderNo }, s.me),
  ])
  const done = await settled(o.orderNo)
  expect(await purse(room.code)).toMatchObject({ balance: 30_000, giftBalance: 1000 })
  expect(await entries(room.code)).toEqual([
    ['gift', 1000],
    ['topUp', 30_000],
  ])
  expect(await s.t.ask(oneRecord, { id: done.recordId! }, s.me)).toMatchObject({
    recordType: 'prestore',
    receivedAmount: 30_000,
    toPrestore: 30_000,
    payMethod: 'wechat',
    payerName: '王五',
    sourceName: room.path,
    receiptNo: expect.stringMatching(/^2026-/) as string,
  })
})

it('by the payer’s code', async () => {
  const room = rooms[n++]!
  const o = await begin(room.code, 5000)
  expect(
    await s.t.ask(
      payByCode,
      {
        orderNo: o.orderNo,
        authCode: '134567890123456780',
        orderType: 'prestore',
        payType: 'scanner',
      } as never,
      s.me,
    ),
  ).toMatchObject({ state: 'paid' })
  expect(await purse(room.code)).toMatchObject({ balance: 5000, giftBalance: 0 })
})

it('PAY-5: money that comes after cancelling, or a second time, is put into the account too; the bonus is given once', async () => {
  const room = rooms[n++]!
  const o = await begin(room.code, 20_000, { gift: 500 })
  await s.pay(o, 'late')
  expect((await s.t.ask(closeOrder, { orderNo: o.orderNo }, s.me)).state).toBe('closed')
  const { id } = await settled(o.orderNo)
  const again = {
    transactionId: '4200000000000000000000000009',
    amount: 20_000,
    channel: 'wechat',
    source: 'notified',
  } as const
  await Promise.all([
    confirm(s.t.world, s.owner, id, again),
    confirm(s.t.world, s.owner, id, again),
    confirm(s.t.world, s.owner, id, again),
  ])
  expect(await purse(room.code)).toMatchObject({ balance: 40_000, giftBalance: 500 })
  expect(
    await s.t.store.reader(s.owner).rows(
      sql`
          select state, order_type, record_id is not null as booked
          from pay_order
          where ref_type = 'double' and ref_id = ${id}
        `,
    ),
  ).toEqual([{ state: 20, orderType: 7, booked: true }])
})

it('PAY-6: another amount waits for a person', async () => {
  const room = rooms[n++]!
  const o = await begin(room.code, 10_000)
  await s.pay(o, 'wrong')
  expect(
    await until(
      () => stored(o.orderNo),
      x => x.failReason !== undefined,
    ),
  ).toMatchObject({ state: 60, failReason: '渠道实收 100.01 元与订单 100.00 元不符' })
  expect((await purse(room.code)).balance).toBe(0)
})

it('an account frozen since then still takes its money; a frozen one begins none; nobody without the right follows it', async () => {
  const room = rooms[n++]!
  const o = await begin(room.code, 7000)
  const a = await purse(room.code)
  await s.t.ask(freezeAccount, { id: a.id, frozen: true, reason: '核对账目' }, s.me)
  await s.pay(o, 'normal')
  await settled(o.orderNo)
  expect((await purse(room.code)).balance).toBe(7000)
  expect(
    await begin(room.code, 7000).then(
      () => '',
      (e: Error) => e.message,
    ),
  ).toContain('已冻结')
  const p = await begin(rooms[n++]!.code, 100)
  const stranger = await s.t.as(golden.first.ofRole('engineer'))
  const words = (x: Promise<unknown>) =>
    x.then(
      () => '',
      (e: Error) => e.message,
    )
  for (const ask of [
    () => s.t.ask(pollOrder, { orderNo: p.orderNo }, stranger),
    () => s.t.ask(closeOrder, { orderNo: p.orderNo }, stranger),
    () =>
      s.t.ask(
        payByCode,
        {
          orderNo: p.orderNo,
          authCode: '134567890123456780',
          orderType: 'prestore',
          payType: 'scanner',
        } as never,
        stranger,
      ),
  ]) {
    expect(await words(ask())).toContain('无权执行此操作：需要「预存账户·充值」权限')
  }
  expect((await stored(p.orderNo)).state).toBe(10)
})
