import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { getDeviceHealth, listDeviceFaults } from '../contract/device-health.ts'
import { listOnlineDevices } from '../contract/device-lookup.ts'
import { deleteDevices, editDevice, getDevice, type Device } from '../contract/device.ts'
import { DeviceServers, type Clerk, type PairedGateway } from './device-servers.fixtures.ts'
import type { AgentClient } from './fixtures/agent-client.ts'

let s: DeviceServers
let me: Clerk
let first: PairedGateway
let second: PairedGateway
let device: Device
let agents: readonly [AgentClient, AgentClient]
const sent = new Map<AgentClient, number>()

beforeAll(async () => {
  s = await DeviceServers.open()
})

beforeEach(async () => {
  me = await s.signIn()
  await s.app.database.tx('*', tx => tx.execute(sql`delete from rate_count`))
  first = await s.pairedGateway(me)
  second = await s.pairedGateway(me)
  device = await s.addDevice(me, first.gateway, await s.addModel(me))
  agents = [await s.connect(first.identity, 0), await s.connect(second.identity, 1)]
})

afterAll(() => s?.close())

const beat = async (agent: AgentClient, isOnline: boolean): Promise<void> => {
  await agent.beatHeard([{ id: device.id, isOnline }])
  await Promise.all([s.runIntervals(0, 'gateway-beats'), s.runIntervals(1, 'gateway-beats')])
}

const now = (): Promise<Device> => s.call(getDevice, { id: device.id }, me)

const change = async (values: Partial<Device>): Promise<void> => {
  await s.call(editDevice, { ...(await now()), ...values }, me)
}

/** Until the agent of the new gateway has it. */
async function move(agent: AgentClient, gatewayId: Id): Promise<void> {
  await change({ gatewayId })
  const { version } = await now()
  const known = () =>
    agent
      .of('devices')
      .at(-1)
      ?.devices.find(({ id }) => id === device.id)?.version
  await expect.poll(known).toBe(version)
}

const report = async (agent: AgentClient, type: string, data: Record<string, unknown>): Promise<void> => {
  const seq = (sent.get(agent) ?? 0) + 1
  sent.set(agent, seq)
  agent.events([{ deviceId: device.id, type, data }], seq)
  await agent.waitFor('eventsAck', ack => ack.seq === seq)
}

const faults = async () =>
  (await s.call(listDeviceFaults, { deviceId: [String(device.id)], size: 50 }, me)).rows.map(
    row => `${row.kind} ${row.state} ${row.count} ${row.gatewayId === first.gateway.id ? 'first' : 'second'}`,
  )

it('a device on another gateway is online when that one has heard it, not before', async () => {
  await beat(agents[0], true)
  expect(await now()).toMatchObject({ isOnline: true })
  const unpaired = await s.addGateway(me)
  await change({ gatewayId: unpaired.id })
  const moved = await now()
  expect(moved).toMatchObject({ isOnline: false })
  expect(moved.lastBeat).toBeDefined()
  expect(await s.call(listOnlineDevices, { gateNo: defined(unpaired.gateNo) }, me)).toEqual([])
  // What the former gateway still says of it counts no more.
  await beat(agents[0], true)
  expect(await now()).toMatchObject({ isOnline: false })
  await move(agents[1], second.gateway.id)
  await beat(agents[1], true)
  expect(await now()).toMatchObject({ isOnline: true })
})

it('a device that comes back between two beats is heard again', async () => {
  await beat(agents[0], true)
  await change({ gatewayId: second.gateway.id })
  await move(agents[0], first.gateway.id)
  await beat(agents[0], true)
  expect(await now()).toMatchObject({ isOnline: true })
})

it('DEV-1 an open fault goes with its device to another gateway, and ends there', async () => {
  await beat(agents[0], true)
  await report(agents[0], 'fault', { title: '门未关', level: 3 })
  await move(agents[1], second.gateway.id)
  expect(await now()).toMatchObject({ healthScore: 90, state: 'faulty' })
  await beat(agents[1], true)
  await report(agents[1], 'fault', { title: '门未关', level: 3 })
  expect(await now()).toMatchObject({ healthScore: 90 })
  expect(await faults()).toEqual(['reported open 2 second'])
  await report(agents[1], 'faultCleared', { title: '门未关' })
  expect(await now()).toMatchObject({ healthScore: 100, state: 'normal' })
  expect(await faults()).toEqual(['reported recovered 2 second'])
})

it('DEV-1 a device that was offline is well when its new gateway hears it', async () => {
  await beat(agents[0], false)
  expect(await now()).toMatchObject({ healthScore: 75 })
  await move(agents[1], second.gateway.id)
  await beat(agents[1], true)
  expect(await now()).toMatchObject({ healthScore: 100, isOnline: true })
  expect(await faults()).toEqual(['offline recovered 1 second'])
})

it('DEV-1 a device that its new gateway, or its gateway that is back, does not hear is offline', async () => {
  await beat(agents[0], true)
  await move(agents[1], second.gateway.id)
  await beat(agents[1], false)
  expect(await faults()).toEqual(['offline open 1 second'])
  await beat(agents[1], true)
  s.turn(60_000)
  await s.runIntervals(0, 'gateways-offline')
  await beat(agents[1], false)
  expect((await faults()).toSorted()).toEqual(['offline open 1 second', 'offline recovered 1 second'])
  expect(await now()).toMatchObject({ healthScore: 75, isOnline: false })
})

it('a device out of use is not online, and that it is silent is no fault; one that is deleted has none', async () => {
  await beat(agents[0], false)
  await change({ state: 'disabled' })
  expect(await faults()).toEqual(['offline recovered 1 first'])
  await change({ state: 'normal' })
  await expect.poll(() => agents[0].of('devices').length).toBe(2)
  await beat(agents[0], true)
  await change({ state: 'disabled' })
  expect(await now()).toMatchObject({ isOnline: false })
  await report(agents[0], 'fault', { title: '门未关', level: 1 })
  const before = await s.call(getDeviceHealth, {}, me)
  await s.call(deleteDevices, { ids: [String(device.id)], reason: '设备报废' }, me)
  const after = await s.call(getDeviceHealth, {}, me)
  expect(after.openFaultCount).toBe(before.openFaultCount - 1)
})

it('DEV-1 the migration makes one of the faults that a move has doubled', async () => {
  await beat(agents[0], true)
  const { ownerId } = s
  const [a, b] = [first.gateway.id, second.gateway.id]
  await s.app.database.tx('*', async tx => {
    await tx.execute(sql`drop index device_fault_open`)
    const insert = (gatewayId: Id, kind: number, level: number, day: number) =>
      tx.execute(sql`
        insert into device_fault (owner_id, project_code, gateway_id, device_id, kind, level, title, count, open_time)
        values (
          ${ownerId}, ${me.projectCode}, ${gatewayId}, ${device.id}, ${kind}, ${level}, '故障', 2,
          ${`2026-11-0${day}T00:00:00Z`}
        )
      `)
    await insert(a, 20, 3, 1)
    await insert(b, 20, 2, 2)
    await insert(a, 10, 2, 3)
    await tx.execute(sql`
      create unique index device_fault_open on device_fault (owner_id, gateway_id, device_id, kind) where state = 10
    `)
    await tx.execute(sql`
      update device set gateway_id = ${b}, health_score = 100 where owner_id = ${ownerId} and id = ${device.id}
    `)
    const migration = readFileSync('db/migrations/20261128-1710-device-fault-owner.sql', 'utf8')
    for (const statement of migration.split(/;\n/).filter(each => each.trim())) {
      await tx.execute(sql.raw(statement))
    }
  })
  expect((await faults()).toSorted()).toEqual([
    'offline recovered 2 second',
    'reported closed 2 first',
    'reported open 4 second',
  ])
  expect(await now()).toMatchObject({ healthScore: 75 })
})
