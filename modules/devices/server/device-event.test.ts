import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { golden } from '#db/golden/golden-data.ts'
import { agentClose } from '../contract/agent-protocol.ts'
import { closeDeviceFaults, listDeviceFaults } from '../contract/device-health.ts'
import { exportDeviceEvents, listDeviceEvents, retryDeviceEvent } from '../contract/device-event.ts'
import { getDevice, type Device } from '../contract/device.ts'
import { revokeGateway } from '../contract/gateway.ts'
import { DeviceServers, type Clerk, type PairedGateway } from './device-servers.fixtures.ts'
import { onDeviceEvent } from './public.ts'

let s: DeviceServers
let me: Clerk
let site: PairedGateway
let device: Device
let failing = false

/** What a module makes of the events: a row for each, in its own table, here the audit log. */
const handled = async (): Promise<string[]> =>
  (
    await s.app.database.reader(s.ownerId).rows<{ reason: string }>(sql`
      select reason from audit_log where owner_id = ${s.ownerId} and entity = 'testEvent' order by id
    `)
  ).map(row => row.reason)

onDeviceEvent('swipe', async ({ tx, scope, event }) => {
  await tx.execute(sql`
    insert into audit_log (owner_id, create_time, operator_id, operator_name, action, entity, reason)
    values (${scope.ownerId}, ${scope.time}, 0, '', 'insert', 'testEvent', ${String(event.data.card)})
  `)
  if (failing && event.data.card === 'bad') throw new Refused(resultCode.refused, '卡号无效')
})

beforeAll(async () => {
  s = await DeviceServers.open()
  me = await s.signIn()
})

beforeEach(async () => {
  site = await s.pairedGateway(me)
  device = await s.addDevice(me, site.gateway, await s.addModel(me))
  await s.app.database.tx(s.ownerId, tx =>
    tx.execute(sql`delete from audit_log where owner_id = ${s.ownerId} and entity = 'testEvent'`),
  )
  await s.app.database.tx('*', tx => tx.execute(sql`delete from rate_count`))
})

afterAll(() => s?.close())

const swipes = (cards: readonly string[]) =>
  cards.map(card => ({ type: 'swipe', deviceId: device.id, data: { card } }))

const eventsOf = async (gatewayId: Id) =>
  (await s.call(listDeviceEvents, { gatewayId: [String(gatewayId)], order: 'seq', size: 2000 }, me)).rows

it('events are stored and handled once and in order, however often and wherever they are sent again', async () => {
  const agent = await s.connect(site.identity, 0)
  agent.events(swipes(['a', 'b', 'c']), 1)
  agent.events(swipes(['b', 'c', 'd']), 2)
  await agent.waitFor('eventsAck', ack => ack.seq === 4)
  const again = await s.connect(site.identity, 1)
  expect(again.of('welcome')[0]?.ackedSeq).toBe(4)
  again.events(swipes(['a', 'b', 'c', 'd', 'e']), 1)
  await again.waitFor('eventsAck', ack => ack.seq === 5)
  expect(await handled()).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect((await eventsOf(site.gateway.id)).map(event => event.seq)).toEqual([1, 2, 3, 4, 5])
  again.close()
})

it('two connections of one agent that send the same at once store it once', async () => {
  const cards = Array.from({ length: 200 }, (_, i) => `c${i}`)
  const first = await s.connect(site.identity, 0)
  first.events(swipes(cards), 1)
  const second = await s.connect(site.identity, 1)
  second.events(swipes(cards), 1)
  await second.waitFor('eventsAck', ack => ack.seq === 200)
  expect(await handled()).toEqual(cards)
  second.close()
})

it('an event whose handling fails is kept as failed and undone; those behind it go on; by hand once more', async () => {
  failing = true
  const agent = await s.connect(site.identity, 0)
  agent.events(swipes(['ok', 'bad', 'fine']), 1)
  await agent.waitFor('eventsAck', ack => ack.seq === 3)
  expect(await handled()).toEqual(['ok', 'fine'])
  const stored = await eventsOf(site.gateway.id)
  expect(stored.map(event => [event.state, event.reason ?? ''])).toEqual([
    ['handled', ''],
    ['failed', '卡号无效'],
    ['handled', ''],
  ])
  failing = false
  const { id } = defined(stored[1])
  const answers = await Promise.all([0, 1].map(i => s.callRaw(retryDeviceEvent, { id }, me, i === 0 ? 0 : 1)))
  expect(answers.map(answer => answer.Code).toSorted((a, b) => a - b)).toEqual([10000, 10002])
  expect(await handled()).toEqual(['ok', 'fine', 'bad'])
  agent.close()
})

it('an event of another gateway’s device is nobody’s', async () => {
  const other = await s.pairedGateway(me)
  const agent = await s.connect(other.identity, 0)
  agent.events(swipes(['stolen']), 1)
  await agent.waitFor('eventsAck')
  expect(await handled()).toEqual([])
  expect(await eventsOf(other.gateway.id)).toMatchObject([
    { deviceId: 0, state: 'failed', reason: `设备 ${device.id} 不属于该网关` },
  ])
  agent.close()
})

it('an agent whose key is revoked while it sends stores nothing more', async () => {
  const agent = await s.connect(site.identity, 1)
  await s.call(revokeGateway, { id: site.gateway.id, reason: '吊销测试' }, me, 0)
  agent.events(swipes(['late']), 1)
  expect((await agent.closed).code).toBe(agentClose.refused)
  expect(await handled()).toEqual([])
})

it('events of another company are not listed, nor handled again by it', async () => {
  failing = true
  const agent = await s.connect(site.identity, 0)
  agent.events(swipes(['bad']), 1)
  await agent.waitFor('eventsAck')
  const { id } = defined((await eventsOf(site.gateway.id))[0])
  const stranger = await s.signIn(golden.second.owner)
  expect((await s.callRaw(retryDeviceEvent, { id }, stranger)).Code).toBe(resultCode.notFound)
  expect((await s.call(listDeviceEvents, { size: 2000 }, stranger)).rows.some(row => row.id === id)).toBe(
    false,
  )
  failing = false
  agent.close()
})

it('DEV-1 a device that reports a fault is 故障 with less health, until it reports its end', async () => {
  const agent = await s.connect(site.identity, 0)
  agent.events([{ type: 'fault', deviceId: device.id, data: { title: '门未关', level: 3 } }], 1)
  await agent.waitFor('eventsAck', ack => ack.seq === 1)
  expect(await s.call(getDevice, { id: device.id }, me)).toMatchObject({ state: 'faulty', healthScore: 90 })
  agent.events([{ type: 'fault', deviceId: device.id, data: { title: '门未关', level: 3 } }], 2)
  await agent.waitFor('eventsAck', ack => ack.seq === 2)
  const open = await s.call(listDeviceFaults, { deviceId: [String(device.id)] }, me)
  expect(open.rows).toMatchObject([{ title: '门未关', count: 2, state: 'open', level: 'minor' }])
  agent.events([{ type: 'faultCleared', deviceId: device.id }], 3)
  await agent.waitFor('eventsAck', ack => ack.seq === 3)
  expect(await s.call(getDevice, { id: device.id }, me)).toMatchObject({ state: 'normal', healthScore: 100 })
  agent.close()
})

type FaultEvent = readonly [type: 'fault' | 'faultCleared', data: Record<string, unknown>]

/** Sends them in order over one connection, numbered from 1. */
async function tellFaults(events: readonly FaultEvent[]): Promise<void> {
  const agent = await s.connect(site.identity, 0)
  agent.events(
    events.map(([type, data]) => ({ type, deviceId: device.id, data })),
    1,
  )
  await agent.waitFor('eventsAck', ack => ack.seq === events.length)
  agent.close()
}

const openOf = async (deviceId: number) =>
  (await s.call(listDeviceFaults, { deviceId: [String(deviceId)], state: ['open'], order: 'id' }, me)).rows

it('DEV-2 a critical fault is beside a slight one of the same device, and lowers its health', async () => {
  await tellFaults([
    ['fault', { title: '道闸杆松动', level: 4 }],
    ['fault', { title: '道闸夹人', level: 1 }],
  ])
  expect(await openOf(device.id)).toMatchObject([
    { title: '道闸杆松动', level: 'warning', count: 1 },
    { title: '道闸夹人', level: 'critical', count: 1 },
  ])
  expect(await s.call(getDevice, { id: device.id }, me)).toMatchObject({ state: 'faulty', healthScore: 46 })
})

it('DEV-2 the end of a fault ends the one that it names; without a name, all of the device', async () => {
  await tellFaults([
    ['fault', { title: '门未关', level: 3 }],
    ['fault', { title: '主板温度高', level: 2 }],
    ['fault', { code: 'E7', title: '读头无响应', level: 4 }],
    ['faultCleared', { title: '主板温度高' }],
  ])
  expect((await openOf(device.id)).map(row => row.title)).toEqual(['门未关', '读头无响应'])
  expect(await s.call(getDevice, { id: device.id }, me)).toMatchObject({ state: 'faulty', healthScore: 86 })
  const agent = await s.connect(site.identity, 0)
  agent.events([{ type: 'faultCleared', deviceId: device.id, data: { code: 'E7' } }], 5)
  await agent.waitFor('eventsAck', ack => ack.seq === 5)
  expect((await openOf(device.id)).map(row => row.title)).toEqual(['门未关'])
  agent.events([{ type: 'faultCleared', deviceId: device.id }], 6)
  await agent.waitFor('eventsAck', ack => ack.seq === 6)
  expect(await openOf(device.id)).toEqual([])
  expect(await s.call(getDevice, { id: device.id }, me)).toMatchObject({ state: 'normal', healthScore: 100 })
  agent.close()
})

it('DEV-2 the same fault, reported again, has the worst of its levels and the newest of its titles', async () => {
  await tellFaults([
    ['fault', { code: 'T1', title: '主板 60 度', level: 4 }],
    ['fault', { code: 'T1', title: '主板 95 度', level: 1 }],
    ['fault', { code: 'T1', title: '主板 80 度', level: 3 }],
  ])
  expect(await openOf(device.id)).toMatchObject([{ title: '主板 80 度', level: 'critical', count: 3 }])
  expect((await openOf(device.id))[0]?.lastTime).toBeDefined()
  expect(await s.call(getDevice, { id: device.id }, me)).toMatchObject({ healthScore: 50 })
})

it('DEV-2 of two drivers that stopped, the one that runs again ends its own fault alone', async () => {
  const agent = await s.connect(site.identity, 0)
  const tell = (type: string, driver: string) => ({ type, data: { driver, reason: '异常退出' } })
  agent.events(
    [tell('driverStopped', 'gate'), tell('driverStopped', 'lift'), tell('driverStarted', 'gate')],
    1,
  )
  await agent.waitFor('eventsAck', ack => ack.seq === 3)
  agent.close()
  const { rows } = await s.call(
    listDeviceFaults,
    { gatewayId: [String(site.gateway.id)], kind: ['driver'], state: ['open'] },
    me,
  )
  expect(rows.map(row => row.title)).toEqual(['驱动「lift」停止：异常退出'])
})

it('events that a site had to drop stay a fault of their own when its backlog is gone (DEV-2)', async () => {
  const agent = await s.connect(site.identity, 0)
  agent.events([{ type: 'eventsDropped', data: { count: 7 } }], 1)
  await agent.waitFor('eventsAck', ack => ack.seq === 1)
  agent.close()
  const { rows } = await s.call(
    listDeviceFaults,
    { gatewayId: [String(site.gateway.id)], state: ['open'] },
    me,
  )
  expect(rows).toMatchObject([{ kind: 'dropped', level: 'major', title: '网关缓存已满，丢弃 7 条事件' }])
})

it('a device whose last fault is closed by hand is 正常 again (DEV-1)', async () => {
  await tellFaults([
    ['fault', { title: '门未关', level: 3 }],
    ['fault', { title: '主板温度高', level: 2 }],
  ])
  const [first, second] = await openOf(device.id)
  const close = (row: typeof first) =>
    s.call(closeDeviceFaults, { ids: [String(row?.id)], reason: '现场已修复' }, me)
  await close(first)
  expect(await s.call(getDevice, { id: device.id }, me)).toMatchObject({ state: 'faulty' })
  await close(second)
  expect(await s.call(getDevice, { id: device.id }, me)).toMatchObject({ state: 'normal', healthScore: 100 })
})

it('events are found and exported by the words in which the list shows them', async () => {
  const agent = await s.connect(site.identity, 0)
  agent.events(
    [
      { type: 'fault', deviceId: device.id, data: { title: '门未关', level: 3 } },
      { type: 'opened', deviceId: device.id, data: { by: 'remote', no: 1 } },
      { type: 'liftCalled', deviceId: device.id, data: { floor: -2 } },
    ],
    1,
  )
  await agent.waitFor('eventsAck', ack => ack.seq === 3)
  agent.close()
  const gatewayId = [String(site.gateway.id)]
  const found = async (q: { keyword?: string; type?: string }): Promise<string[]> =>
    (await s.call(listDeviceEvents, { gatewayId, order: 'seq', ...q }, me)).rows.map(row => row.type)
  expect(await found({ keyword: '故障' })).toEqual(['fault'])
  expect(await found({ keyword: '门未关' })).toEqual(['fault'])
  expect(await found({ keyword: '远程' })).toEqual(['opened'])
  expect(await found({ keyword: 'liftCalled' })).toEqual(['liftCalled'])
  expect(await found({ keyword: device.name })).toEqual(['fault', 'opened', 'liftCalled'])
  expect(await found({ keyword: '没有这个词' })).toEqual([])
  expect(await found({ type: '开门' })).toEqual(['opened'])
  expect(await found({ type: 'opened' })).toEqual(['opened'])
  const input = { gatewayId, order: 'seq', columns: ['type', 'content'] }
  const cells = await s.exportedCells(exportDeviceEvents.get, input, me)
  expect(cells.slice(0, 3)).toEqual([
    ['设备故障', '故障：门未关；等级：一般'],
    ['开门', '开门方式：远程；记录号：1'],
    ['liftCalled', 'floor：-2'],
  ])
})
