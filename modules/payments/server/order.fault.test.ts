import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import { Cut, cutting } from '#kit/server/ground/fault.ts'
import type { As } from '#kit/server/ground/world.ts'
import type { World } from '#kit/server/world.ts'
import { addTempFee } from '#modules/bills/contract/temporary.ts'
import { putSetting } from '#modules/estates/contract/estate.ts'
import { faultsIn } from '../../../db/golden/books.ts'
import { golden } from '../../../db/golden/fill.ts'
import { openGolden, type GoldenWorld } from '../../../db/golden/world.ts'
import { saveChannel } from '../contract/channel.ts'
import { closeDay, reopenDay } from '../contract/close.ts'
import { createOrder, payByCode } from '../contract/order.ts'
import { payBills } from '../contract/pay.ts'
import { oneRecord } from '../contract/record.ts'
import { askRefund, oneRefund } from '../contract/refund.ts'
import { confirm, type Money } from './order-confirm.ts'
import { tendRefunds } from './order-jobs.ts'
import { simulatorOf } from './simulator/open.ts'

/**
 * What a channel says, cut off at every moment of its being booked: the word comes again, by callback, poll
 * or job, and is booked once.
 */
let t: GoldenWorld
let me: As
let owner = 0
let item = 0
let rooms: string[] = []
let n = 0
const today = '2026-11-21'
const never = new AbortController().signal

beforeAll(async () => {
  t = await openGolden()
  me = await t.owner
  owner = (await t.store
    .reader('*')
    .one<{ ownerId: number }>(sql`select owner_id from manager where login_code = ${golden.first.owner}`))!
    .ownerId
  item = (await t.store.tx(owner, tx =>
    tx.one<{ id: number }>(
      sql`
        insert into fee_item (
          owner_id, code, name, fee_type, category, income_kind, bill_mode, scene, allow_multi, auto_deduct,
          state
        )
        values (${owner}, 'ORDFAULT', '断线', 30, 10, 1, 1, 2, true, true, 10)
        returning id
      `,
    ),
  ))!.id
  rooms = (
    await t.store.reader(owner).rows<{ code: string }>(
      sql`
          select code
          from room
          where owner_id = ${owner} and project_code = 'GOLD0001' and delete_tag = 0
          order by code
        `,
    )
  ).map(r => r.code)
  ;(t.world as { origin: () => string }).origin = () => 'http://127.0.0.1:9'
  await simulatorOf(t.world, { slow: 10, late: 10, again: [] })
  await t.ask(saveChannel, { channel: 'wechat', simulated: true, enabled: true } as never, me)
  await t.ask(putSetting, { projectCode: 'GOLD0001', key: 'RefundAuditFrom', value: '99999999' } as never, me)
})

afterAll(() => t?.close())

const project = { projectCode: 'GOLD0001' }

const bill = async (): Promise<string> =>
  (
    await t.ask(
      addTempFee,
      {
        ...project,
        feeItemId: item,
        amount: 5000,
        sources: [{ sourceType: 'room', sourceCode: rooms[n % rooms.length]! }],
        beginDate: '2026-11-01',
        endDate: '2026-11-30',
        dueDate: '2026-12-31',
      } as never,
      me,
    )
  ).ids[0]!

const order = async () => {
  const billId = await bill()
  const o = await t.ask(createOrder, { ...project, billIds: [billId], expectAmount: 5000 } as never, me)
  return {
    billId,
    ...(await t.store
      .reader(owner)
      .one<{ id: number; orderNo: string }>(
        sql`select id, order_no from pay_order where order_no = ${o.orderNo}`,
      ))!,
  }
}

const money = (amount = 5000): Money => ({
  transactionId: `42${String(++n).padStart(26, '0')}`,
  amount,
  channel: 'wechat',
  source: 'notified',
})

const records = async (id: number) =>
  await t.store.reader(owner).rows<{ type: number; sum: string; kept: string; day: string }>(
    sql`
        select record_type::int as type, received_amount::text as sum, to_prestore::text as kept,
          pay_day::text as day
        from pay_record
        where pay_order_id = ${id}
        order by id
      `,
  )

const whole = async (): Promise<void> => expect(await faultsIn(t.store.reader(owner), owner)).toEqual([])

const at = (moment: number): World & { readonly store: { readonly said: number } } => ({
  ...t.world,
  store: cutting(t.store, moment),
})

/** At each moment on a fresh order: cut there, told again by three at once, and as if nothing had been. */
async function told(
  prepare: () => Promise<{ id: number; billId: string }>,
  m: () => Money,
  after: (o: { id: number; billId: string }) => Promise<unknown>,
): Promise<void> {
  const probe = at(Infinity)
  const first = await prepare()
  await confirm(probe, owner, first.id, m())
  const right = JSON.stringify(await after(first))
  expect(probe.store.said).toBeGreaterThan(8)
  for (let moment = 1; moment <= probe.store.said; moment++) {
    const o = await prepare()
    const came = m()
    await expect(confirm(at(moment), owner, o.id, came)).rejects.toThrow(Cut)
    await Promise.all([1, 2, 3].map(() => confirm(t.world, owner, o.id, came)))
    expect([moment, JSON.stringify(await after(o))]).toEqual([moment, right])
  }
  await whole()
}

const stands = async (o: { id: number; billId: string }) => [
  await records(o.id),
  await t.store.reader(owner).one(
    sql`
        select o.state, o.fail_reason as why, b.pay_state, b.paid_principal::text as paid,
          b.lock_order_id is null as free
        from pay_order o, bill b
        where o.id = ${o.id} and b.id = ${o.billId}
      `,
  ),
]

it('PAY-3: a success, cut at every moment of its booking, is one record', () =>
  told(order, money, async o => {
    const s = await stands(o)
    expect(s).toMatchObject([[{ type: 10, sum: '50.00' }], { state: 20, payState: 1, free: true }])
    return s
  }))

it('PAY-5: a success for bills that were paid meanwhile, cut anywhere, is one prestore', () =>
  told(
    async () => {
      const o = await order()
      await t.store.tx(owner, tx =>
        tx.run(sql`update bill set lock_order_id = null, lock_until = null where id = ${o.billId}`),
      )
      await t.ask(
        payBills,
        {
          ...project,
          billIds: [o.billId],
          expectAmount: 5000,
          methods: [{ method: 'cash', amount: 5000 }],
        } as never,
        me,
      )
      return o
    },
    money,
    async o => {
      const s = await stands(o)
      expect(s).toMatchObject([
        [{ type: 30, sum: '50.00', kept: '50.00' }],
        { state: 20, why: '重复支付，已转入预存', free: true },
      ])
      return s
    },
  ))

it('PAY-6: another amount, cut anywhere, waits for a person and is told once', () =>
  told(
    order,
    () => money(4999),
    async o => {
      const s = await stands(o)
      expect(s).toMatchObject([[], { state: 60, why: '渠道实收 49.99 元与订单 50.00 元不符', payState: 0 }])
      expect(
        await t.store.reader(owner).one(
          sql`
              select count(*) > 0 and count(*) = count(distinct receiver_id) as once
              from notification
              where kind = 'payments.odd' and biz_id = ${o.id}
            `,
        ),
      ).toEqual({ once: true })
      return s
    },
  ))

it('CLO-3: a success that comes after its day was closed is booked into the next day; the closed one stays', async () => {
  const o = await order()
  const p = await order()
  await t.store.tx(owner, tx =>
    tx.run(sql`update pay_record set cashier_id = null where owner_id = ${owner} and pay_day = ${today}`),
  )
  const before = await t.store.reader(owner).one(
    sql`
        select count(*)::int as n, sum(received_amount)::text as sum
        from pay_record
        where owner_id = ${owner} and pay_day = ${today}
      `,
  )
  await t.ask(closeDay, { ...project, day: today } as never, me)
  await Promise.all([1, 2, 3].map(() => confirm(t.world, owner, o.id, { ...money(), transactionId: '4299' })))
  await confirm(t.world, owner, p.id, { ...money(), at: '2026-11-21 08:59:00' })
  expect([await records(o.id), await records(p.id)]).toMatchObject([
    [{ day: '2026-11-22' }],
    [{ day: '2026-11-22' }],
  ])
  expect(
    await t.store.reader(owner).one(
      sql`
          select count(*)::int as n, sum(received_amount)::text as sum
          from pay_record
          where owner_id = ${owner} and pay_day = ${today}
        `,
    ),
  ).toEqual(before)
  await t.ask(reopenDay, { ...project, day: today, reason: '补录收款' } as never, me)
  await whole()
})

it('REF-4: a channel’s refund, cut at every moment of its completion, goes out once and is one negative record', async () => {
  const asked = async () => {
    const o = await order()
    const paid = await t.ask(
      payByCode,
      {
        orderNo: o.orderNo,
        authCode: '134567890123456780',
        orderType: 'bill',
        payType: 'scanner',
      } as never,
      me,
    )
    expect(paid.state).toBe('paid')
    const r = await t.ask(
      oneRecord,
      {
        id: (await t.store
          .reader(owner)
          .one<{ id: number }>(sql`select record_id as id from pay_order where id = ${o.id}`))!.id,
      },
      me,
    )
    return t.ask(
      askRefund,
      {
        recordId: r.id,
        lines: [{ detailId: r.details[0]!.id, principal: 5000, late: 0 }],
        refundWay: 'original',
        billAfter: 'owed',
        reason: '多收了',
      } as never,
      me,
    )
  }
  const first = await asked()
  const probe = at(Infinity)
  const turn = async (w: World): Promise<void> => {
    t.turn(601_000)
    await tendRefunds(w, never)
  }
  for (let i = 0; (await t.ask(oneRefund, { id: first.id }, me)).state !== 'done' && i < 20; i++) {
    await turn(probe)
  }
  const moments = probe.store.said
  expect(moments).toBeGreaterThan(12)
  for (let moment = 1; moment <= moments; moment++) {
    const f = await asked()
    const w = at(moment)
    await turn(w).catch((e: unknown) => {
      expect(e).toBeInstanceOf(Cut)
    })
    for (let i = 0; (await t.ask(oneRefund, { id: f.id }, me)).state !== 'done' && i < 20; i++) {
      await Promise.all([turn(t.world), tendRefunds(t.world, never)])
    }
    expect([
      moment,
      await t.store
        .reader(owner)
        .rows(
          sql`select received_amount::text as sum from pay_record where origin_record_id = ${f.recordId}`,
        ),
    ]).toEqual([moment, [{ sum: '-50.00' }]])
  }
  await whole()
})
