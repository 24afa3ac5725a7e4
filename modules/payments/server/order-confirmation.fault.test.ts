import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { ConnectionCut, cutAt } from '#kit/server/fixtures/fault-injection.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import type { App } from '#kit/server/app.ts'
import { addTempFee } from '#modules/bills/contract/temporary.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { findViolations } from '#db/golden/invariants.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { saveChannel } from '../contract/channel.ts'
import { closeDay, reopenDay } from '../contract/day-close.ts'
import { createOrder, payByAuthCode } from '../contract/order.ts'
import { payBills } from '../contract/payment.ts'
import { getRecord } from '../contract/record.ts'
import { requestRefund, getRefund } from '../contract/refund.ts'
import type { ChannelPayment } from './order-booking.ts'
import { confirmPayment } from './order-confirmation.ts'
import { maintainRefunds } from './order-jobs.ts'
import { getSimulator } from './simulator/gateway.ts'

/**
 * What a channel says, cut off at every moment of its being booked: the word comes again, by callback, poll
 * or job, and is booked once.
 */
let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let item: Id = 0
let rooms: string[] = []
let n = 0
const today = '2026-11-21'
const neverAborted = new AbortController().signal

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  ownerId = t.ownerId
  item = await t.addFeeItem('ORDFAULT', { name: '断线', feeType: 'temporary', multi: true })
  rooms = (
    await t.database.reader(ownerId).rows<{ code: string }>(
      sql`
          select code
          from room
          where owner_id = ${ownerId} and project_code = 'GOLD0001' and delete_tag = 0
          order by code
        `,
    )
  ).map(r => r.code)
  Object.assign(t.app, { originUrl: () => 'http://127.0.0.1:9' })
  await getSimulator(t.app, { slow: 10, late: 10, again: [] })
  await t.call(saveChannel, { channel: 'wechat', simulated: true, enabled: true }, me)
  await t.call(
    updateEstateSetting,
    { projectCode: 'GOLD0001', key: 'RefundAuditFrom', value: '99999999' },
    me,
  )
})

afterAll(() => t?.close())

const project = { projectCode: 'GOLD0001' }

const createBill = async (): Promise<string> =>
  defined(
    (
      await t.call(
        addTempFee,
        {
          ...project,
          feeItemId: item,
          amount: asFen(5000),
          sources: [{ sourceType: 'room', sourceCode: defined(rooms[n % rooms.length]) }],
          beginDate: '2026-11-01',
          endDate: '2026-11-30',
          dueDate: '2026-12-31',
        },
        me,
      )
    ).ids[0],
  )

const createPayOrder = async () => {
  const billId = await createBill()
  const o = await t.call(createOrder, { ...project, billIds: [billId], expectAmount: asFen(5000) }, me)
  return {
    billId,
    ...defined(
      await t.database
        .reader(ownerId)
        .one<{ id: Id; orderNo: string }>(
          sql`select id, order_no from pay_order where order_no = ${o.orderNo}`,
        ),
    ),
  }
}

const createChannelPayment = (amount = 5000): ChannelPayment => ({
  transactionId: `42${String(++n).padStart(26, '0')}`,
  amount: asFen(amount),
  channel: 'wechat',
  source: 'notified',
})

const findRecords = async (id: Id) =>
  await t.database.reader(ownerId).rows<{ type: number; sum: string; kept: string; day: string }>(
    sql`
        select record_type::int as type, received_amount::text as sum, to_prestore::text as kept,
          pay_day::text as day
        from pay_record
        where pay_order_id = ${id}
        order by id
      `,
  )

const expectConsistent = async (): Promise<void> =>
  expect(await findViolations(t.database.reader(ownerId), ownerId)).toEqual([])

const appCutAt = (moment: number): App & { readonly database: { readonly moments: number } } => ({
  ...t.app,
  database: cutAt(t.database, moment),
})

/** At each moment on a new order: cut there, notified again by three callers, and paid as if undisturbed. */
async function cutAtEachMoment(
  prepare: () => Promise<{ id: Id; billId: string }>,
  m: () => ChannelPayment,
  after: (o: { id: Id; billId: string }) => Promise<unknown>,
): Promise<void> {
  const probe = appCutAt(Infinity)
  const first = await prepare()
  await confirmPayment(probe, ownerId, first.id, m())
  const right = JSON.stringify(await after(first))
  expect(probe.database.moments).toBeGreaterThan(8)
  for (let moment = 1; moment <= probe.database.moments; moment++) {
    const o = await prepare()
    const came = m()
    await expect(confirmPayment(appCutAt(moment), ownerId, o.id, came)).rejects.toThrow(ConnectionCut)
    await Promise.all([1, 2, 3].map(() => confirmPayment(t.app, ownerId, o.id, came)))
    expect([moment, JSON.stringify(await after(o))]).toEqual([moment, right])
  }
  await expectConsistent()
}

const findOutcome = async (o: { id: Id; billId: string }) => [
  await findRecords(o.id),
  await t.database.reader(ownerId).one(
    sql`
        select o.state, o.fail_reason as why, b.pay_state, b.paid_principal::text as paid,
          b.lock_order_id is null as free
        from pay_order o, bill b
        where o.id = ${o.id} and b.id = ${o.billId}
      `,
  ),
]

it('PAY-3: a success, cut at every moment of its booking, is one record', () =>
  cutAtEachMoment(createPayOrder, createChannelPayment, async o => {
    const s = await findOutcome(o)
    expect(s).toMatchObject([[{ type: 10, sum: '50.00' }], { state: 20, payState: 1, free: true }])
    return s
  }))

it('PAY-5: a success for bills that have been paid already, cut anywhere, becomes one prestore', () =>
  cutAtEachMoment(
    async () => {
      const o = await createPayOrder()
      await t.database.tx(ownerId, tx =>
        tx.execute(sql`update bill set lock_order_id = null, lock_until = null where id = ${o.billId}`),
      )
      await t.call(
        payBills,
        {
          ...project,
          billIds: [o.billId],
          expectAmount: asFen(5000),
          methods: [{ method: 'cash', amount: asFen(5000) }],
        },
        me,
      )
      return o
    },
    createChannelPayment,
    async o => {
      const s = await findOutcome(o)
      expect(s).toMatchObject([
        [{ type: 30, sum: '50.00', kept: '50.00' }],
        { state: 20, why: '重复支付，已转入预存', free: true },
      ])
      return s
    },
  ))

it('PAY-6: another amount, cut anywhere, waits for a decision and is notified once', () =>
  cutAtEachMoment(
    createPayOrder,
    () => createChannelPayment(4999),
    async o => {
      const s = await findOutcome(o)
      expect(s).toMatchObject([[], { state: 60, why: '渠道实收 49.99 元与订单 50.00 元不符', payState: 0 }])
      expect(
        await t.database.reader(ownerId).one(
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
  const o = await createPayOrder()
  const p = await createPayOrder()
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`
      update pay_record
      set cashier_id = null
      where owner_id = ${ownerId}
        and pay_day = ${today}
    `),
  )
  const before = await t.database.reader(ownerId).one(
    sql`
        select count(*)::int as n, sum(received_amount)::text as sum
        from pay_record
        where owner_id = ${ownerId} and pay_day = ${today}
      `,
  )
  await t.call(closeDay, { ...project, day: today, isTodayConfirmed: true }, me)
  await Promise.all(
    [1, 2, 3].map(() =>
      confirmPayment(t.app, ownerId, o.id, { ...createChannelPayment(), transactionId: '4299' }),
    ),
  )
  await confirmPayment(t.app, ownerId, p.id, { ...createChannelPayment(), at: '2026-11-21 08:59:00' })
  expect([await findRecords(o.id), await findRecords(p.id)]).toMatchObject([
    [{ day: '2026-11-22' }],
    [{ day: '2026-11-22' }],
  ])
  expect(
    await t.database.reader(ownerId).one(
      sql`
          select count(*)::int as n, sum(received_amount)::text as sum
          from pay_record
          where owner_id = ${ownerId} and pay_day = ${today}
        `,
    ),
  ).toEqual(before)
  await t.call(reopenDay, { ...project, day: today, reason: '补录收款' }, me)
  await expectConsistent()
})

it('REF-4: a channel’s refund, cut at every moment of its completion, goes out once and is one negative record', async () => {
  const asked = async () => {
    const o = await createPayOrder()
    const paid = await t.call(
      payByAuthCode,
      {
        orderNo: o.orderNo,
        authCode: '134567890123456780',
        orderType: 'bill',
        payType: 'scanner',
      },
      me,
    )
    expect(paid.state).toBe('paid')
    const r = await t.call(
      getRecord,
      {
        id: defined(
          await t.database
            .reader(ownerId)
            .one<{ id: Id }>(sql`select record_id as id from pay_order where id = ${o.id}`),
        ).id,
      },
      me,
    )
    return t.call(
      requestRefund,
      {
        recordId: r.id,
        lines: [{ detailId: defined(r.details[0]).id, principal: asFen(5000), late: 0 }],
        refundWay: 'original',
        billAfter: 'owed',
        reason: '多收了',
      },
      me,
    )
  }
  const first = await asked()
  const probe = appCutAt(Infinity)
  const turn = async (w: App): Promise<void> => {
    t.advanceClock(601_000)
    await maintainRefunds(w, neverAborted)
  }
  for (let i = 0; (await t.call(getRefund, { id: first.id }, me)).state !== 'done' && i < 20; i++) {
    await turn(probe)
  }
  const moments = probe.database.moments
  expect(moments).toBeGreaterThan(12)
  for (let moment = 1; moment <= moments; moment++) {
    const f = await asked()
    const w = appCutAt(moment)
    await turn(w).catch((e: unknown) => {
      expect(e).toBeInstanceOf(ConnectionCut)
    })
    for (let i = 0; (await t.call(getRefund, { id: f.id }, me)).state !== 'done' && i < 20; i++) {
      await Promise.all([turn(t.app), maintainRefunds(t.app, neverAborted)])
    }
    expect([
      moment,
      await t.database
        .reader(ownerId)
        .rows(
          sql`select received_amount::text as sum from pay_record where origin_record_id = ${f.recordId}`,
        ),
    ]).toEqual([moment, [{ sum: '-50.00' }]])
  }
  await expectConsistent()
})
