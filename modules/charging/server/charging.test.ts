import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { refusalMessageOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { sql } from '#kit/server/db.ts'
import { cutAt, ConnectionCut } from '#kit/server/fixtures/fault-injection.ts'
import { getBill } from '#modules/bills/contract/bill-detail.ts'
import { cancelRefund, requestRefund } from '#modules/payments/contract/refund.ts'
import { processHubException } from '../contract/exception.ts'
import { chargerHubs, exportHubCodes, resetHubKey, sendHubCommand } from '../contract/hub.ts'
import { stopChargerOrder } from '../contract/order.ts'
import { openChargerOrder, openPort, placeChargerOrder, stopOwnCharge } from '../contract/payer.ts'
import { openChargingFixture, type ChargingFixture } from './charging.fixtures.ts'
import { connectionsOf } from './ocpp/connections.ts'
import { stopTransaction } from './ocpp/transactions.ts'
import { portTokenOf } from './payer-link.ts'
import { failStart } from './starting.ts'
import { closeUnpaid, failLateStarts, reportLost, settleKeptPlaces, stopOverdue } from './sweeps.ts'

let f: ChargingFixture

beforeAll(async () => {
  f = await openChargingFixture()
})

afterAll(() => f?.close())

const minute = 60_000

it('T-CHG-02: prepaid 5.00, used 3.27, refunded 1.73 to where it came from', async () => {
  const hub = await f.addHub()
  const pile = await f.connect(hub)
  const order = await f.place(hub)
  expect(await f.readOrder(order.id)).toMatchObject({ state: 'waiting', prepaidAmount: 500 })
  await f.payByPhone(order)
  await f.waitForState(order.id, 'starting')
  const { idTag, connectorId } = await pile.waitForCommand('RemoteStartTransaction')
  expect(connectorId).toBe(1)
  const { transactionId, idTagInfo } = await pile.request('StartTransaction', {
    connectorId: 1,
    idTag,
    meterStart: 1000,
    timestamp: f.iso(),
  })
  expect(idTagInfo).toEqual({ status: 'Accepted' })
  f.t.advanceClock(30 * minute)
  await pile.request('MeterValues', f.readings(transactionId, 1500))
  expect(await f.t.call(openChargerOrder, { token: order.orderToken })).toMatchObject({
    state: 'charging',
    fee: 151,
    minutes: 30,
    canStop: true,
  })
  f.t.advanceClock(30 * minute)
  await pile.request('StopTransaction', f.stopOf(transactionId, 3270))
  const stopped = await f.readOrder(order.id)
  expect(stopped).toMatchObject({
    state: 'settling',
    energyKwh: '3.27',
    minutes: 60,
    elecFee: 213,
    serviceFee: 114,
    realAmount: 327,
    refundAmount: 173,
    stopReason: 'user',
  })
  await f.refundAll()
  const done = await f.waitForState(order.id, 'done')
  expect(done).toMatchObject({ realAmount: 327, refundAmount: 173 })
  await pile.request('StopTransaction', f.stopOf(transactionId, 5000, 'Remote', 60))
  expect(await f.readOrder(order.id)).toEqual(done)
  expect(await f.refundsOf(order.id)).toEqual([{ amount: '1.73', state: 30 }])
  // What was used is income of the fee item, and nothing is owed.
  expect(await f.t.call(getBill, { id: defined(stopped.billId) }, f.me)).toMatchObject({
    feeItemName: '充电费',
    billSource: 'otherIncome',
    paidPrincipal: 327,
    unpaid: 0,
  })
  expect(await f.violations()).toEqual([])
})

it('messages that come again, late, or together settle an order once (C20)', async () => {
  const hub = await f.addHub()
  const pile = await f.connect(hub)
  const { id, transactionId, idTag } = await f.begin(hub, pile)
  const start = { connectorId: 1, idTag, meterStart: 1000, timestamp: f.iso() }
  expect(await pile.request('StartTransaction', start)).toMatchObject({ transactionId })
  f.t.advanceClock(20 * minute)
  const reading = f.readings(transactionId, 1000)
  await pile.request('MeterValues', reading)
  await pile.request('MeterValues', reading)
  const stop = f.stopOf(transactionId, 2000)
  const connection = defined(connectionsOf(f.app).find(f.ownerId, hub.id))
  await Promise.all([
    ...Array.from({ length: 5 }, () => stopTransaction(f.app, connection, stop)),
    reportLost(f.app),
    failStart(f.app, f.ownerId, id, '超时'),
    failLateStarts(f.app),
    stopOverdue(f.app),
  ])
  await pile.request('MeterValues', f.readings(transactionId, 4000))
  await pile.request('StopTransaction', f.stopOf(transactionId, 4500))
  expect(await f.readOrder(id)).toMatchObject({ realAmount: 200, refundAmount: 300, state: 'settling' })
  expect((await f.refundsOf(id)).map(({ amount }) => amount)).toEqual(['3.00'])
  const samples = await f.t.database.reader(f.ownerId).rows(sql`
    select watt_hours from charger_sample where owner_id = ${f.ownerId} and order_id = ${id} order by at
  `)
  expect(samples).toEqual([{ wattHours: 0 }, { wattHours: 1000 }, { wattHours: 2000 }])
})

it('a pile that refuses to start, or does not in time, gives all of it back (C20)', async () => {
  const hub = await f.addHub()
  const pile = await f.connect(hub)
  pile.answers = { RemoteStartTransaction: { status: 'Rejected' } }
  const refused = await f.place(hub)
  await f.confirm(refused.id)
  expect(await f.waitForState(refused.id, 'failed')).toMatchObject({
    failReason: '充电桩拒绝启动',
    refundAmount: 500,
    realAmount: 0,
  })
  expect((await f.refundsOf(refused.id)).map(({ amount }) => amount)).toEqual(['5.00'])

  pile.answers = { RemoteStartTransaction: undefined }
  const silent = await f.place(hub)
  await f.confirm(silent.id)
  await f.waitForState(silent.id, 'starting')
  const { idTag } = defined(pile.commands.at(-1)).payload
  await failLateStarts(f.app)
  expect((await f.readOrder(silent.id)).state).toBe('starting')
  f.t.advanceClock(91_000)
  await failLateStarts(f.app)
  expect(await f.readOrder(silent.id)).toMatchObject({ state: 'failed', refundAmount: 500 })
  expect(await f.t.call(openChargerOrder, { token: silent.orderToken })).toMatchObject({
    stateText: '充电桩未在规定时间内启动，预付款全额原路退回',
  })
  // It begins after all: it gets a stop, and nothing is charged for it.
  const late = await pile.request('StartTransaction', {
    connectorId: 1,
    idTag,
    meterStart: 0,
    timestamp: f.iso(),
  })
  expect(late.idTagInfo).toEqual({ status: 'Invalid' })
  expect(await pile.waitForCommand('RemoteStopTransaction')).toEqual({ transactionId: late.transactionId })
  await pile.request('StopTransaction', f.stopOf(late.transactionId, 100))
  expect(await f.readOrder(silent.id)).toMatchObject({ state: 'failed', realAmount: 0 })
  expect((await f.refundsOf(silent.id)).map(({ amount }) => amount)).toEqual(['5.00'])
  expect((await f.exceptionsOf(hub)).map(({ exceptionType, orderId }) => [exceptionType, orderId])).toEqual([
    ['startFailed', silent.id],
    ['startFailed', refused.id],
  ])
})

it('a pile that is lost while it charges is abnormal, and settles when it reports (C20)', async () => {
  const hub = await f.addHub()
  const pile = await f.connect(hub)
  const { id, transactionId } = await f.begin(hub, pile)
  await f.loseLine(hub, pile)
  f.t.advanceClock(5 * minute)
  await reportLost(f.app)
  expect((await f.readOrder(id)).state).toBe('charging')
  f.t.advanceClock(6 * minute)
  await reportLost(f.app)
  await reportLost(f.app)
  expect((await f.readOrder(id)).state).toBe('abnormal')
  expect(await f.exceptionsOf(hub)).toMatchObject([{ exceptionType: 'offline', state: 'open', orderId: id }])
  const back = await f.connect(hub)
  await back.request('StopTransaction', f.stopOf(transactionId, 1000, 'Local', -300))
  expect(await f.readOrder(id)).toMatchObject({ state: 'settling', realAmount: 100, refundAmount: 400 })
  expect(await f.exceptionsOf(hub)).toMatchObject([{ state: 'recovered' }])
})

it('a person settles by the last reading what a pile does not report any more', async () => {
  const hub = await f.addHub()
  const pile = await f.connect(hub)
  const { id, transactionId } = await f.begin(hub, pile)
  f.t.advanceClock(10 * minute)
  await pile.request('MeterValues', f.readings(transactionId, 2000))
  await f.loseLine(hub, pile)
  f.t.advanceClock(11 * minute)
  await reportLost(f.app)
  const [exception] = await f.exceptionsOf(hub)
  const input = { id: defined(exception).id, handleNote: '现场断电，已更换', settlesOrder: true }
  await f.t.call(processHubException, input, f.me)
  expect(await f.readOrder(id)).toMatchObject({
    state: 'settling',
    realAmount: 200,
    refundAmount: 300,
    minutes: 10,
  })
  expect(await f.exceptionsOf(hub)).toMatchObject([{ state: 'handled', handleNote: '现场断电，已更换' }])
  expect(await refusalMessageOf(f.t.call(processHubException, input, f.me))).toContain('已处理')
  const back = await f.connect(hub)
  await back.request('StopTransaction', f.stopOf(transactionId, 4000))
  expect((await f.refundsOf(id)).map(({ amount }) => amount)).toEqual(['3.00'])
})

it('a charge is stopped when what was paid is used, when it is full, or by who paid', async () => {
  const hub = await f.addHub()
  const pile = await f.connect(hub)
  const spent = await f.begin(hub, pile)
  f.t.advanceClock(30 * minute)
  await pile.request('MeterValues', f.readings(spent.transactionId, 5001))
  expect(await pile.waitForCommand('RemoteStopTransaction')).toEqual({ transactionId: spent.transactionId })
  await pile.request('StopTransaction', f.stopOf(spent.transactionId, 5050, 'Remote'))
  expect(await f.readOrder(spent.id)).toMatchObject({
    state: 'done',
    stopReason: 'spent',
    realAmount: 500,
    refundAmount: 0,
  })
  pile.commands.length = 0
  const full = await f.begin(hub, pile)
  const suspended = { connectorId: 1, status: 'SuspendedEV', errorCode: 'NoError' }
  // A vehicle that prepares, or waits for its time, has taken nothing yet.
  await pile.request('StatusNotification', suspended)
  expect((await f.readOrder(full.id)).state).toBe('charging')
  expect(pile.commands.map(({ action }) => action)).not.toContain('RemoteStopTransaction')
  await pile.request('MeterValues', f.readings(full.transactionId, 100))
  await pile.request('StatusNotification', suspended)
  await pile.waitForCommand('RemoteStopTransaction')
  await pile.request('StopTransaction', f.stopOf(full.transactionId, 100, 'Remote'))
  expect(await f.readOrder(full.id)).toMatchObject({ stopReason: 'full', realAmount: 11 })
  await pile.request('StatusNotification', { connectorId: 1, status: 'Available', errorCode: 'NoError' })
  pile.commands.length = 0
  const own = await f.begin(hub, pile)
  expect(await f.t.call(stopOwnCharge, { token: own.orderToken })).toMatchObject({ canStop: false })
  await pile.waitForCommand('RemoteStopTransaction')
  await pile.request('StopTransaction', f.stopOf(own.transactionId, 0, 'Remote'))
  expect(await f.readOrder(own.id)).toMatchObject({ stopReason: 'user', realAmount: 0, refundAmount: 500 })
})

it('a place that is kept is charged until it is left, or nothing is left of what was paid', async () => {
  const { id: standardId } = await f.addStandard({ idlePrice: '6', graceMinutes: 10 })
  const hub = await f.addHub({ standardId })
  const pile = await f.connect(hub)
  const { id, transactionId } = await f.begin(hub, pile)
  f.t.advanceClock(10 * minute)
  await pile.request('StopTransaction', f.stopOf(transactionId, 1000))
  expect(await f.readOrder(id)).toMatchObject({ state: 'settling', realAmount: 0 })
  await settleKeptPlaces(f.app)
  expect(await f.refundsOf(id)).toEqual([])
  f.t.advanceClock(25 * minute)
  await pile.request('StatusNotification', { connectorId: 1, status: 'Available', errorCode: 'NoError' })
  expect(await f.readOrder(id)).toMatchObject({ idleFee: 150, realAmount: 250, refundAmount: 250 })
  const kept = await f.begin(hub, pile)
  f.t.advanceClock(10 * minute)
  await pile.request('StopTransaction', f.stopOf(kept.transactionId, 1000))
  f.t.advanceClock(60 * minute)
  await settleKeptPlaces(f.app)
  expect(await f.readOrder(kept.id)).toMatchObject({ state: 'done', realAmount: 500, refundAmount: 0 })
})

it('who pays for a port that another has got, or too late, gets all of it back', async () => {
  const hub = await f.addHub()
  const pile = await f.connect(hub)
  const orders = [await f.place(hub), await f.place(hub)]
  await Promise.all(orders.map(({ id }) => f.confirm(id)))
  const states = await Promise.all(orders.map(async ({ id }) => (await f.readOrder(id)).state))
  expect(states.toSorted()).toEqual(['failed', 'starting'])
  const loser = defined(orders[states.indexOf('failed')])
  expect(await f.readOrder(loser.id)).toMatchObject({ failReason: '端口已被其他订单使用', refundAmount: 500 })
  const late = await f.place(hub, { amount: asFen(1000) }, 2)
  f.t.advanceClock(21 * minute)
  await closeUnpaid(f.app)
  expect((await f.readOrder(late.id)).state).toBe('closed')
  await f.loseLine(hub, pile)
  await f.confirm(late.id)
  expect(await f.readOrder(late.id)).toMatchObject({ state: 'failed', refundAmount: 1000 })
  // A second payment is booked and named, and starts nothing.
  await f.confirm(late.id, undefined, '4200000000000000000000000777')
  expect((await f.refundsOf(late.id)).map(({ amount }) => amount)).toEqual(['10.00'])
  expect(await f.violations()).toEqual([])
})

it('the page of a port says what it costs, or why nobody can charge there', async () => {
  const { id: standardId } = await f.addStandard({
    chargeMode: 'package',
    packages: [{ hours: 4, price: asFen(200) }],
    prepaidAmounts: ['5'],
  })
  const hub = await f.addHub({ standardId })
  const token = await portTokenOf(f.app, f.ownerId, await f.portIdOf(hub, 2))
  expect(await f.t.call(openPort, { token })).toMatchObject({
    hubName: hub.hubName,
    portNo: 2,
    portState: 'offline',
    refusal: '该充电桩离线，请更换充电桩',
  })
  expect(await refusalMessageOf(f.t.call(placeChargerOrder, { token, hours: 4 }))).toContain('离线')
  const pile = await f.connect(hub)
  const page = await f.t.call(openPort, { token })
  expect(page).toMatchObject({ mode: 'package', packages: [{ hours: 4, price: 200 }], amounts: [] })
  expect(page.refusal).toBeUndefined()
  expect(page.prices).toContain('4 小时 2.00 元')
  expect(await refusalMessageOf(f.t.call(placeChargerOrder, { token, hours: 3 }))).toContain('套餐已变化')
  expect(await refusalMessageOf(f.t.call(openPort, { token: `${token}x` }))).toContain('二维码无效')
  await pile.request('StatusNotification', {
    connectorId: 2,
    status: 'Faulted',
    errorCode: 'GroundFailure',
    info: '30 mA',
  })
  expect(await f.t.call(openPort, { token })).toMatchObject({ refusal: '该端口故障，请更换端口' })
  expect(await f.exceptionsOf(hub)).toMatchObject([
    { exceptionType: 'leakage', portNo: 2, state: 'open', content: '漏电：30 mA' },
  ])
  await pile.request('StatusNotification', { connectorId: 2, status: 'Available', errorCode: 'NoError' })
  expect(await f.exceptionsOf(hub)).toMatchObject([{ state: 'recovered' }])
  const { id } = await f.begin(hub, pile, { hours: 4 }, 2)
  expect(await f.readOrder(id)).toMatchObject({
    state: 'charging',
    prepaidAmount: 200,
    chargeMode: 'package',
  })
})

it('a pile whose clock is ten minutes behind, or ahead, loses no energy and gains no time', async () => {
  const hub = await f.addHub()
  const pile = await f.connect(hub)
  for (const offset of [-600, 600]) {
    const { id, transactionId } = await f.begin(hub, pile, undefined, 1, offset)
    f.t.advanceClock(5 * minute)
    await pile.request('MeterValues', f.readings(transactionId, 1000, offset))
    f.t.advanceClock(5 * minute)
    await pile.request('StopTransaction', f.stopOf(transactionId, 2000, 'Local', offset))
    const { realAmount, minutes } = await f.readOrder(id)
    expect([realAmount, Number(minutes) <= 10]).toEqual([200, true])
  }
})

it('a stop that a pile did not obey is sent again', async () => {
  const hub = await f.addHub()
  const pile = await f.connect(hub)
  const { transactionId } = await f.begin(hub, pile)
  pile.answers = { RemoteStopTransaction: { status: 'Rejected' } }
  f.t.advanceClock(60 * minute)
  await pile.request('MeterValues', f.readings(transactionId, 6000))
  await pile.waitForCommand('RemoteStopTransaction')
  pile.commands.length = 0
  await stopOverdue(f.app)
  expect(await pile.waitForCommand('RemoteStopTransaction')).toEqual({ transactionId })
  await pile.request('StopTransaction', f.stopOf(transactionId, 6100))
  pile.commands.length = 0
  await stopOverdue(f.app)
  expect(pile.commands.filter(({ payload }) => payload.transactionId === transactionId)).toEqual([])
})

it('what cannot go back waits for a person, and nothing of the charge is lost', async () => {
  const hub = await f.addHub()
  const pile = await f.connect(hub)
  const { id, transactionId } = await f.begin(hub, pile)
  const { billId } = await f.readOrder(id)
  const paid = defined(
    await f.t.database.reader(f.ownerId).one<{ recordId: Id; detailId: Id }>(sql`
      select record_id, id as detail_id
      from pay_detail
      where owner_id = ${f.ownerId} and bill_id = ${billId}
    `),
  )
  // Somebody refunds most of it by hand while it charges.
  const byHand = await f.t.call(
    requestRefund,
    {
      recordId: paid.recordId,
      lines: [{ detailId: paid.detailId, principal: asFen(400), late: 0 }],
      refundWay: 'original',
      billAfter: 'kept',
      reason: '误退',
    },
    f.me,
  )
  f.t.advanceClock(10 * minute)
  await pile.request('StopTransaction', f.stopOf(transactionId, 1000))
  expect(await f.readOrder(id)).toMatchObject({ state: 'settling', stopReason: 'user', refundAmount: 0 })
  const [exception] = await f.exceptionsOf(hub)
  expect(exception).toMatchObject({ exceptionType: 'settlement', state: 'open', orderId: id })
  await f.t.call(cancelRefund, { id: byHand.id, reason: '误操作' }, f.me)
  const input = { id: defined(exception).id, handleNote: '已取消误退', settlesOrder: true }
  await f.t.call(processHubException, input, f.me)
  expect(await f.readOrder(id)).toMatchObject({ state: 'settling', realAmount: 100, refundAmount: 400 })
})

it('standards, piles and their signs are kept in order', async () => {
  expect(await refusalTextOf(f.addStandard({ periods: [] }))).toContain(
    '分时电价应从 00:00 到 24:00 首尾相接，不重叠、不间断',
  )
  const cyclic = await f.t.addFeeItem('CYCLIC')
  expect(await refusalTextOf(f.addStandard({ feeItemId: cyclic }))).toContain(
    '收费项目应为启用的临时或其他类项目，请重新选择',
  )
  const hub = await f.addHub({ portCount: 3 })
  expect(await refusalMessageOf(f.addHub({ hubNo: hub.hubNo }))).toContain('该桩号已被其他充电桩使用')
  const { id, version, hubName, hubType, standardId } = hub
  const draft = { id, version, projectCode: 'GOLD0001', hubName, hubType, standardId, state: 'on' } as const
  expect(await refusalTextOf(f.t.call(chargerHubs.edit, { ...draft, portCount: 2 }, f.me))).toContain(
    '端口数不能减少，应不少于 3',
  )
  const pile = await f.connect(hub)
  await f.begin(hub, pile)
  const removal = { ids: [String(id)], reason: '录入有误' }
  expect(await refusalMessageOf(f.t.call(chargerHubs.delete, removal, f.me))).toContain('未完成的充电订单')
  const sheet = await f.t.call(exportHubCodes, { ids: [String(id)], address: 'https://anju.example' }, f.me)
  expect(sheet).toMatchObject({ name: '充电桩二维码_20261121.pdf' })
  const answer = JSON.stringify(await f.t.call(chargerHubs.get, { id }, f.me))
  expect(answer).not.toMatch(/hash|connectionKey/i)
})

it('who may only look neither stops a charge nor commands a pile', async () => {
  const hub = await f.addHub()
  const pile = await f.connect(hub)
  const { id } = await f.begin(hub, pile)
  const { as } = await f.t.addClerk(['charging.order.view', 'charging.hub.view', 'charging.exception.view'])
  for (const attempt of [
    () => f.t.call(stopChargerOrder, { id, reason: '试一试' }, as),
    () => f.t.call(sendHubCommand, { id: hub.id, kind: 'hardReset' }, as),
    () => f.t.call(resetHubKey, { id: hub.id }, as),
  ]) {
    expect(await refusalMessageOf(attempt())).toContain('无权执行此操作')
  }
})

/** Cuts the work before each statement and commit in turn, until it goes through whole. */
async function cutEverywhere(
  work: (app: ChargingFixture['app']) => Promise<unknown>,
  check: () => Promise<void>,
): Promise<number> {
  for (let n = 1; ; n++) {
    const database = cutAt(f.t.database, n)
    const wasCut = await work({ ...f.app, database }).then(
      () => false,
      error => {
        if (!(error instanceof ConnectionCut)) throw error
        return true
      },
    )
    await check()
    if (!wasCut) return n
  }
}

it('killed between any two statements: nothing is charged or refunded twice', async () => {
  const hub = await f.addHub({ portCount: 1 })
  const pile = await f.connect(hub)
  const order = await f.place(hub)
  const paidMoments = await cutEverywhere(
    app => f.confirm(order.id, undefined, undefined, app),
    async () => expect(['waiting', 'starting']).toContain((await f.readOrder(order.id)).state),
  )
  const { idTag } = await pile.waitForCommand('RemoteStartTransaction')
  const { transactionId } = await pile.request('StartTransaction', {
    connectorId: 1,
    idTag,
    meterStart: 1000,
    timestamp: f.iso(),
  })
  f.t.advanceClock(60 * minute)
  const stop = f.stopOf(transactionId, 3270)
  const connection = defined(connectionsOf(f.app).find(f.ownerId, hub.id))
  const stopMoments = await cutEverywhere(
    app => stopTransaction(app, connection, stop),
    async () => expect((await f.refundsOf(order.id)).length).toBeLessThan(2),
  )
  expect(Math.min(paidMoments, stopMoments)).toBeGreaterThan(10)
  expect(await f.readOrder(order.id)).toMatchObject({ realAmount: 327, refundAmount: 173 })
  expect((await f.refundsOf(order.id)).map(({ amount }) => amount)).toEqual(['1.73'])

  pile.answers = { RemoteStartTransaction: undefined }
  const failing = await f.place(hub)
  await f.confirm(failing.id)
  await f.waitForState(failing.id, 'starting')
  await cutEverywhere(
    app => failStart(app, f.ownerId, failing.id, '充电桩未响应'),
    async () => expect((await f.refundsOf(failing.id)).length).toBeLessThan(2),
  )
  expect((await f.refundsOf(failing.id)).map(({ amount }) => amount)).toEqual(['5.00'])
  const records = await f.t.database.reader(f.ownerId).rows(sql`
    select count(*)::int as n
    from pay_record
    where owner_id = ${f.ownerId}
      and pay_order_id = (
        select pay_order_id from charger_order where owner_id = ${f.ownerId} and id = ${order.id}
      )
  `)
  expect(records).toEqual([{ n: 1 }])
  expect(await f.violations()).toEqual([])
})
