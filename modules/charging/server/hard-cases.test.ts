import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { refusalMessageOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { processHubException } from '../contract/exception.ts'
import { chargerHubs } from '../contract/hub.ts'
import { getChargerOrderOfBill, listChargerOrders, stopChargerOrder } from '../contract/order.ts'
import { openChargerOrder, openPort, placeChargerOrder } from '../contract/payer.ts'
import { openChargingFixture, type ChargingFixture } from './charging.fixtures.ts'
import { portTokenOf } from './payer-link.ts'
import { endOverlong, reportUnknown, settleKeptPlaces, stopOverdue } from './sweeps.ts'

/** What piles, clocks and channels do wrong: nobody pays for it, and every order ends. */
let f: ChargingFixture

beforeAll(async () => {
  f = await openChargingFixture()
})

afterAll(() => f?.close())

const minute = 60_000
const hour = 60 * minute
const available = { connectorId: 1, status: 'Available', errorCode: 'NoError' }

const samplesOf = (id: Id) =>
  f.t.database.reader(f.ownerId).rows<{ wattHours: number; isBelieved: boolean }>(sql`
    select watt_hours, is_believed
    from charger_sample
    where owner_id = ${f.ownerId} and order_id = ${id}
    order by id
  `)

it('a place that was seen free before the stop came owes no idle fee (C20)', async () => {
  const { id: standardId } = await f.addStandard({ idlePrice: '6', graceMinutes: 30 })
  const hub = await f.addHub({ standardId })
  const pile = await f.connect(hub)
  const { id, transactionId } = await f.begin(hub, pile, { amount: asFen(5000) })
  f.t.advanceClock(30 * minute)
  await f.loseLine(hub, pile)
  f.t.advanceClock(5 * minute)
  const back = await f.connect(hub)
  await back.request('StatusNotification', available)
  await back.request('StopTransaction', f.stopOf(transactionId, 2000, 'Local', -300))
  f.t.advanceClock(hour)
  await settleKeptPlaces(f.app)
  expect(await f.readOrder(id)).toMatchObject({ idleFee: 0, realAmount: 200, refundAmount: 4800 })
})

it('a reading that the port cannot have delivered is kept, not charged, and looked at (C20)', async () => {
  const hub = await f.addHub()
  const pile = await f.connect(hub)
  const { id, transactionId } = await f.begin(hub, pile)
  for (const wattHours of [500, 2_000_000_000, 1000]) {
    f.t.advanceClock(10 * minute)
    await pile.request('MeterValues', f.readings(transactionId, wattHours))
  }
  expect((await f.readOrder(id)).state).toBe('charging')
  await pile.request('StopTransaction', f.stopOf(transactionId, 1100))
  expect(await f.readOrder(id)).toMatchObject({ energyKwh: '1.1', realAmount: 111, stopReason: 'user' })
  expect(await samplesOf(id)).toContainEqual({ wattHours: 2_000_000_000, isBelieved: false })
  expect(await f.exceptionsOf(hub)).toMatchObject([{ exceptionType: 'reading', state: 'open', orderId: id }])
})

it('the meter counts at the end: readings above it are not charged, a stop below its start neither', async () => {
  const hub = await f.addHub()
  const pile = await f.connect(hub)
  const lower = await f.begin(hub, pile)
  f.t.advanceClock(30 * minute)
  await pile.request('MeterValues', f.readings(lower.transactionId, 3000))
  await pile.request('StopTransaction', f.stopOf(lower.transactionId, 2000))
  expect(await f.readOrder(lower.id)).toMatchObject({ energyKwh: '2', realAmount: 200 })
  expect(await f.exceptionsOf(hub)).toMatchObject([{ exceptionType: 'reading', orderId: lower.id }])
  const reset = await f.begin(hub, pile)
  f.t.advanceClock(30 * minute)
  await pile.request('MeterValues', f.readings(reset.transactionId, 3000))
  await pile.request('StopTransaction', f.stopOf(reset.transactionId, -900))
  expect(await f.readOrder(reset.id)).toMatchObject({ energyKwh: '3', realAmount: 300 })
})

it('a pile that begins again without the charge: the port is free, a person settles the order', async () => {
  const hub = await f.addHub({ portCount: 1 })
  const pile = await f.connect(hub)
  const { id, transactionId } = await f.begin(hub, pile)
  f.t.advanceClock(30 * minute)
  await pile.request('MeterValues', f.readings(transactionId, 2000))
  pile.drop()
  const back = await f.connect(hub)
  await back.request('StatusNotification', available)
  expect(await refusalMessageOf(f.t.call(stopChargerOrder, { id, reason: '无法停止' }, f.me))).toContain(
    '充电桩已无该次充电',
  )
  await reportUnknown(f.app)
  expect((await f.readOrder(id)).state).toBe('charging')
  f.t.advanceClock(61_000)
  await reportUnknown(f.app)
  expect((await f.readOrder(id)).state).toBe('abnormal')
  const token = await portTokenOf(f.app, f.ownerId, await f.portIdOf(hub))
  expect((await f.t.call(openPort, { token })).refusal).toBeUndefined()
  const [exception] = await f.exceptionsOf(hub)
  expect(exception).toMatchObject({ exceptionType: 'lost', orderId: id })
  const input = { id: defined(exception).id, handleNote: '桩已重启', settlesOrder: true }
  await f.t.call(processHubException, input, f.me)
  expect(await f.readOrder(id)).toMatchObject({ realAmount: 200, refundAmount: 300 })
})

it('a pile that refuses to stop and reports nothing is abnormal; the stop says so', async () => {
  const hub = await f.addHub()
  const pile = await f.connect(hub)
  const { id } = await f.begin(hub, pile)
  pile.answers = { RemoteStopTransaction: { status: 'Rejected' } }
  await f.t.call(stopChargerOrder, { id, reason: '现场要求' }, f.me)
  await pile.waitForCommand('RemoteStopTransaction')
  await expect
    .poll(() => refusalMessageOf(f.t.call(stopChargerOrder, { id, reason: '现场要求' }, f.me)))
    .toContain('充电桩拒绝停止')
  f.t.advanceClock(61_000)
  await reportUnknown(f.app)
  expect((await f.readOrder(id)).state).toBe('abnormal')
})

it('an order ends at its longest, whatever the pile does (C20)', async () => {
  const { id: standardId } = await f.addStandard({ maxHours: 1 })
  const hub = await f.addHub({ standardId })
  const pile = await f.connect(hub)
  pile.answers = { RemoteStopTransaction: { status: 'Rejected' } }
  const { id, transactionId } = await f.begin(hub, pile)
  f.t.advanceClock(hour)
  await pile.request('MeterValues', f.readings(transactionId, 1000))
  await stopOverdue(f.app)
  await endOverlong(f.app)
  expect((await f.readOrder(id)).state).toBe('charging')
  f.t.advanceClock(10 * minute)
  await endOverlong(f.app)
  expect(await f.readOrder(id)).toMatchObject({
    state: 'settling',
    stopReason: 'overtime',
    minutes: 60,
    realAmount: 100,
    refundAmount: 400,
  })
  expect(await f.exceptionsOf(hub)).toMatchObject([{ exceptionType: 'lost', state: 'open' }])
})

it('a pile whose clock is five hours behind: 4 hours at 1250 W cost 4 × 2.50 = 10.00 by our clock', async () => {
  const { id: standardId } = await f.addStandard({
    chargeMode: 'duration',
    powerBands: [
      { maxWatts: 1000, price: '1' },
      { maxWatts: 3000, price: '2.5' },
    ],
  })
  const hub = await f.addHub({ standardId })
  const pile = await f.connect(hub)
  const behind = -5 * 3600
  const { id, transactionId } = await f.begin(hub, pile, { amount: asFen(2000) }, 1, behind)
  for (const wattHours of [1250, 2500, 3750]) {
    f.t.advanceClock(hour)
    await pile.request('MeterValues', f.readings(transactionId, wattHours, behind))
  }
  f.t.advanceClock(hour)
  await pile.request('StopTransaction', f.stopOf(transactionId, 5000, 'Local', behind))
  expect(await f.readOrder(id)).toMatchObject({ minutes: 240, elecFee: 1000, refundAmount: 1000 })
})

it('a package is no longer than the longest charge', async () => {
  const draft = { chargeMode: 'package', packages: [{ hours: 24, price: asFen(600) }], maxHours: 12 }
  expect(await refusalTextOf(f.addStandard(draft))).toContain('套餐不能超过最长小时（12 小时）')
})

it('another amount than was asked for goes back whole, and the payer reads so', async () => {
  const hub = await f.addHub()
  await f.connect(hub)
  const order = await f.place(hub)
  await f.confirm(order.id, asFen(501))
  expect(await f.readOrder(order.id)).toMatchObject({ state: 'failed', paidAmount: 501, refundAmount: 501 })
  expect(await f.t.call(openChargerOrder, { token: order.orderToken })).toMatchObject({
    stateText: '付款金额与订单不符，预付款全额原路退回',
  })
  expect((await f.refundsOf(order.id)).map(({ amount }) => amount)).toEqual(['5.01'])
  const unpaid = await f.place(hub, { amount: asFen(2000) }, 2)
  const found = await f.t.call(listChargerOrders, { hubId: [String(hub.id)] }, f.me)
  expect(found.rows.map(({ id }) => id)).toEqual([unpaid.id, order.id])
  // What was paid and what went back are found again, whether it began or not.
  expect(found.sum).toMatchObject({ paidAmount: 501, refundAmount: 501, realAmount: 0 })
  expect(await f.violations()).toEqual([])
})

it('one press of the button places one order', async () => {
  const hub = await f.addHub()
  await f.connect(hub)
  const token = await portTokenOf(f.app, f.ownerId, await f.portIdOf(hub))
  const input = { token, amount: asFen(500), requestKey: 'press-0001' }
  const placed = await Promise.all([1, 2, 3].map(() => f.t.call(placeChargerOrder, input)))
  expect(new Set(placed.map(({ payUrl }) => payUrl)).size).toBe(1)
  await f.t.call(placeChargerOrder, { ...input, requestKey: 'press-0002' })
  expect((await f.t.call(listChargerOrders, { hubId: [String(hub.id)] }, f.me)).total).toBe(2)
})

it('values that are none stop no charge from ending', async () => {
  const hub = await f.addHub()
  const pile = await f.connect(hub)
  const { id, transactionId } = await f.begin(hub, pile)
  f.t.advanceClock(30 * minute)
  const readingAt = (timestamp: string, value: string, unit?: string) => ({
    timestamp,
    sampledValue: [{ value, ...(unit === undefined ? {} : { unit }) }],
  })
  const hostile = [
    readingAt(f.iso(), '1e300'),
    readingAt(f.iso(), '9223372036854775807'),
    readingAt('9999-12-31T23:59:59Z', '1500'),
    readingAt('-271821-04-20T00:00:00Z', '1500'),
    readingAt('', '1600'),
    readingAt(f.iso(), '1\u0000700'),
    readingAt(f.iso(), '9000', 'varh'),
    readingAt(f.iso(), ''),
  ]
  for (const meterValue of hostile) {
    const answer = await pile.request('MeterValues', {
      connectorId: 1,
      transactionId,
      meterValue: [meterValue],
    })
    expect(answer).toEqual({})
  }
  await pile.request('StatusNotification', { ...available, status: 'Charging', info: '\u0000x' })
  await pile.request('BootNotification', { chargePointVendor: 'a\u0000b', chargePointModel: 'P' })
  expect(await pile.request('Authorize', { idTag: '\u0000' })).toEqual({ idTagInfo: { status: 'Invalid' } })
  expect(await pile.request('StopTransaction', { ...f.stopOf(1e300, 0), transactionId: 1e300 })).toBe(
    'FormationViolation',
  )
  await pile.request('StopTransaction', {
    ...f.stopOf(transactionId, 1000),
    timestamp: '9999-12-31T23:59:59Z',
    transactionData: hostile,
  })
  expect(await f.readOrder(id)).toMatchObject({ state: 'settling', realAmount: 100, minutes: 30 })
})

it('a charge begins at the port that was paid, and at no other', async () => {
  const hub = await f.addHub()
  const pile = await f.connect(hub)
  const order = await f.place(hub, undefined, 2)
  await f.confirm(order.id)
  const { idTag } = await pile.waitForCommand('RemoteStartTransaction')
  const start = { idTag, meterStart: 1000, timestamp: f.iso() }
  const wrong = await pile.request('StartTransaction', { ...start, connectorId: 1 })
  expect(wrong.idTagInfo).toEqual({ status: 'Invalid' })
  expect((await f.readOrder(order.id)).state).toBe('starting')
  await pile.waitForCommand('RemoteStopTransaction')
  const right = await pile.request('StartTransaction', { ...start, connectorId: 2 })
  expect(right).toEqual({ transactionId: order.id, idTagInfo: { status: 'Accepted' } })
  const late = await pile.request('StartTransaction', { ...start, connectorId: 1 })
  expect(late).toEqual({ transactionId: 0, idTagInfo: { status: 'Invalid' } })
})

it('a pile that charges is not switched off; the charge of a bill is found by the bill', async () => {
  const hub = await f.addHub()
  const pile = await f.connect(hub)
  const { id } = await f.begin(hub, pile)
  const { billId } = await f.readOrder(id)
  expect(await f.t.call(getChargerOrderOfBill, { id: defined(billId) }, f.me)).toMatchObject({ id })
  const { version, hubName, hubType, portCount, standardId } = await f.t.call(
    chargerHubs.get,
    { id: hub.id },
    f.me,
  )
  const draft = {
    id: hub.id,
    version,
    projectCode: 'GOLD0001',
    hubName,
    hubType,
    portCount,
    standardId,
  } as const
  const off = f.t.call(chargerHubs.edit, { ...draft, state: 'off' }, f.me)
  expect(await refusalMessageOf(off)).toContain('有未完成的充电订单，请在订单完成后停用')
})
