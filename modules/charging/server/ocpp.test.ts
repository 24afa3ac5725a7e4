import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { seedFeeItem } from '#db/golden/seed-fee-item.ts'
import { waitUntil } from '#db/golden/payment-harness.ts'
import { DeviceServers, type Clerk } from '#modules/devices/server/device-servers.fixtures.ts'
import { confirmPayment } from '#modules/payments/server/public.ts'
import {
  chargerHubs,
  listHubCommands,
  resetHubKey,
  sendHubCommand,
  type ChargerHub,
} from '../contract/hub.ts'
import { getChargerOrder, stopChargerOrder } from '../contract/order.ts'
import { placeChargerOrder } from '../contract/payer.ts'
import { chargerStandards } from '../contract/standard.ts'
import { portTokenOf, readOrderLink } from './payer-link.ts'
import { SimulatedPile } from './simulator/pile.ts'

const projectCode = 'GOLD0001'
const piles: SimulatedPile[] = []
let s: DeviceServers
let clerk: Clerk
let hub: ChargerHub
let key = ''

beforeAll(async () => {
  s = await DeviceServers.open()
  clerk = await s.signIn()
  const feeItemId = await s.app.database.tx(s.ownerId, tx =>
    seedFeeItem(tx, s.ownerId, 'CHARGE', { name: '充电费', feeType: 'temporary', multi: true }),
  )
  await s.app.database.tx(s.ownerId, tx =>
    tx.execute(sql`
      insert into pay_channel (owner_id, channel, simulated, enabled)
      values (${s.ownerId}, 10, true, true)
      on conflict do nothing
    `),
  )
  const { id: standardId } = await s.call(
    chargerStandards.add,
    {
      projectCode,
      standardName: '汽车充电',
      chargeMode: 'energy',
      feeItemId,
      periods: [{ begin: '00:00', end: '24:00', price: '1' }],
      minFee: asFen(0),
      maxHours: 12,
      graceMinutes: 30,
      state: 'on',
    },
    clerk,
  )
  hub = await s.call(
    chargerHubs.add,
    {
      projectCode,
      hubNo: 'OC1',
      hubName: '一号桩',
      hubType: 'carSlow',
      portCount: 2,
      maxKw: 1000,
      standardId,
      state: 'on',
    },
    clerk,
  )
  key = (await s.call(resetHubKey, { id: hub.id }, clerk)).key
})

afterEach(() => piles.splice(0).forEach(pile => pile.stop()))

afterAll(() => s?.close())

const pileOf = (index: 0 | 1, overrides: { readonly key?: string; readonly hubNo?: string } = {}) => {
  const pile = new SimulatedPile({
    url: `${s.origin(index).replace('http', 'ws')}/api/ocpp/${s.ownerId}/OC1`,
    hubNo: overrides.hubNo ?? 'OC1',
    key: overrides.key ?? key,
    ports: 2,
    watts: 7000,
    speed: 60,
  })
  piles.push(pile)
  return pile
}

const readHub = () => s.call(chargerHubs.get, { id: hub.id }, clerk)
const readOrder = (id: Id) => s.call(getChargerOrder, { id }, clerk)

/** Paid at the first process, whatever process has the pile. */
async function buy(portNo = 1): Promise<Id> {
  const port = await s.app.database.reader(s.ownerId).one<{ id: Id }>(sql`
    select id
    from charger_port
    where owner_id = ${s.ownerId} and hub_id = ${hub.id} and port_no = ${portNo}
  `)
  const token = await portTokenOf(s.app, s.ownerId, defined(port).id)
  const { orderToken } = await s.call(placeChargerOrder, { token, amount: asFen(1000) })
  const { id } = await readOrderLink(s.app, orderToken)
  await confirmPayment(s.app, s.ownerId, defined((await readOrder(id)).payOrderId), {
    transactionId: `42${String(id).padStart(26, '0')}`,
    amount: asFen(1000),
    channel: 'wechat',
    source: 'notified',
  })
  return id
}

const waitForState = (id: Id, state: string) =>
  waitUntil(
    () => readOrder(id),
    order => order.state === state,
  )

it('a pile connects by its own key and the protocol, and by nothing else', async () => {
  expect(await pileOf(0, { key: `${key}x` }).connect()).toBe(false)
  expect(await pileOf(0, { hubNo: 'OC2' }).connect()).toBe(false)
  const url = `${s.origin().replace('http', 'ws')}/api/ocpp/${s.ownerId}/OC1`
  const authorization = `Basic ${Buffer.from(`OC1:${key}`).toString('base64')}`
  const withoutProtocol = new WebSocket(url, { headers: { authorization } })
  expect(
    await new Promise(resolve => {
      withoutProtocol.addEventListener('open', () => resolve('open'))
      withoutProtocol.addEventListener('error', () => resolve('refused'))
    }),
  ).toBe('refused')
  const pile = pileOf(0)
  expect(await pile.connect()).toBe(true)
  expect(await readHub()).toMatchObject({ isOnline: true, vendor: 'Anju', model: 'Simulator', hasKey: true })
  key = (await s.call(resetHubKey, { id: hub.id }, clerk, 1)).key
  await waitUntil(
    async () => pile.isConnected,
    isConnected => !isConnected,
  )
  expect(pile.isConnected).toBe(false)
  const stored = await s.app.database
    .reader(s.ownerId)
    .one<{ hash: string }>(sql`select run_key_hash as hash from charger_hub where id = ${hub.id}`)
  expect(defined(stored).hash).not.toContain(key)
})

it('what one process has sold starts at the pile of another, and stops from a screen', async () => {
  const pile = pileOf(1)
  await pile.connect()
  const id = await buy()
  await waitForState(id, 'charging')
  expect((await readHub()).ports).toMatchObject([
    { portNo: 1, state: 'charging' },
    { portNo: 2, state: 'free' },
  ])
  pile.tick(30)
  pile.reportReadings()
  await s.call(stopChargerOrder, { id, reason: '现场要求停止' }, clerk, 0)
  expect(await waitForState(id, 'settling')).toMatchObject({
    energyKwh: '3.5',
    realAmount: 350,
    refundAmount: 650,
    stopReason: 'user',
  })
})

it('a pile that was cut off reports later what it did, once', async () => {
  const pile = pileOf(0)
  await pile.connect()
  const id = await buy(2)
  await waitForState(id, 'charging')
  pile.dropLine()
  pile.tick(30)
  pile.unplug(2)
  await waitUntil(readHub, ({ isOnline }) => !isOnline)
  expect((await readOrder(id)).state).toBe('charging')
  await pile.connect()
  expect(await waitForState(id, 'settling')).toMatchObject({ realAmount: 350, stopReason: 'unplugged' })
})

it('a pile carries out commands of those who may give them, and its answer is kept', async () => {
  const pile = pileOf(1)
  await pile.connect()
  await s.call(sendHubCommand, { id: hub.id, kind: 'unlock', portNo: 2 }, clerk)
  const input = { hubId: [String(hub.id)] }
  const list = await waitUntil(
    async () => (await s.call(listHubCommands, input, clerk)).rows,
    ([command]) => command?.state === 'accepted',
  )
  expect(list[0]).toMatchObject({ kind: 'unlock', portNo: 2, state: 'accepted' })
  pile.fault = 'refusesStart'
  const id = await buy()
  expect(await waitForState(id, 'failed')).toMatchObject({ refundAmount: 1000 })
})
