import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { toInstant } from '#kit/domain/moment.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { clockScope } from '#kit/server/scope.ts'
import type { ReportedItem, ServerMessage } from '../contract/agent-protocol.ts'
import { getDeviceHealth, listDeviceFaults } from '../contract/device-health.ts'
import { listDeviceItems } from '../contract/device-item.ts'
import {
  findDeviceNames,
  findPushTargets,
  listOnlineDevices,
  listOnlineGateways,
} from '../contract/device-lookup.ts'
import { getDevice, replaceDevice, resendDeviceItems, type Device } from '../contract/device.ts'
import { getGateway } from '../contract/gateway.ts'
import { addWatchdog, getWatchdog } from '../contract/watchdog.ts'
import { DeviceServers, type Clerk, type PairedGateway } from './device-servers.fixtures.ts'
import type { AgentClient } from './fixtures/agent-client.ts'
import {
  missingItems,
  onCommandEnd,
  reportedState,
  sendDeviceCommand,
  setDesiredState,
  waitForCommand,
} from './public.ts'

let s: DeviceServers
let me: Clerk
let site: PairedGateway
let device: Device
let agent: AgentClient
const ends: string[] = []

onCommandEnd('test.open', ({ end }) => {
  ends.push(`${end.reference} ${end.outcome}`)
  return Promise.resolve()
})

beforeAll(async () => {
  s = await DeviceServers.open()
})

beforeEach(async () => {
  // Tests turn the clock on: a session of the one before may be over, and a minute's tries are not.
  me = await s.signIn()
  await s.app.database.tx('*', tx => tx.execute(sql`delete from rate_count`))
  site = await s.pairedGateway(me)
  device = await s.addDevice(me, site.gateway, await s.addModel(me))
  agent = await s.connect(site.identity, 1)
})

afterAll(() => s?.close())

const scope = () => clockScope(s.app, s.ownerId)

const beat = async (isOnline: boolean, kernelVersion?: string): Promise<void> => {
  await agent.beatHeard([
    { id: device.id, isOnline, ...(kernelVersion === undefined ? {} : { kernelVersion }) },
  ])
  await s.runIntervals(1, 'gateway-beats')
}

const want = (
  keys: readonly string[],
  data: Readonly<Record<string, unknown>> = { name: '甲' },
): Promise<number> =>
  s.app.database.tx(s.ownerId, tx =>
    setDesiredState(
      tx,
      scope(),
      device.id,
      keys.map(key => ({ key, action: 'put', data })),
    ),
  )

const unwant = (keys: readonly string[]): Promise<number> =>
  s.app.database.tx(s.ownerId, tx =>
    setDesiredState(
      tx,
      scope(),
      device.id,
      keys.map(key => ({ key, action: 'remove' })),
    ),
  )

type Desired = Extract<ServerMessage, { kind: 'desired' }>

const report = (desired: Desired, outcome: ReportedItem['outcome'], reason?: string): void =>
  agent.send({
    kind: 'reported',
    deviceId: desired.deviceId,
    items: desired.items.map(({ key, version }) => ({
      key,
      version,
      outcome,
      ...(reason === undefined ? {} : { reason }),
    })),
  })

const nextDesired = (since: number): Promise<Desired> =>
  agent.waitFor('desired', message => agent.of('desired').indexOf(message) >= since)

const states = async (id: Id = device.id): Promise<string[]> =>
  (await reportedState(s.app.database.reader(s.ownerId), id)).map(item => `${item.key} ${item.state}`)

it('ACS-3 what is wanted is sent to a device that is online, and is 成功 when it says so', async () => {
  await beat(true)
  expect(await want(['card:1', 'card:2'])).toBe(2)
  const desired = await nextDesired(0)
  expect(desired.items.map(item => [item.key, item.version, item.action])).toEqual([
    ['card:1', 1, 'put'],
    ['card:2', 1, 'put'],
  ])
  expect(await states()).toEqual(['card:1 waiting', 'card:2 waiting'])
  report(desired, 'done')
  await expect.poll(() => states()).toEqual(['card:1 done', 'card:2 done'])
  // What it holds already is not sent again; what changed is, under a new version.
  expect(await want(['card:1', 'card:2'])).toBe(0)
  expect(await want(['card:1'], { name: '乙' })).toBe(1)
  expect((await nextDesired(1)).items).toMatchObject([{ key: 'card:1', version: 2, data: { name: '乙' } }])
  report(await nextDesired(1), 'done')
  await unwant(['card:2', 'never'])
  const removing = await nextDesired(2)
  expect(removing.items).toEqual([{ key: 'card:2', version: 2, action: 'remove' }])
  report(removing, 'done')
  await expect.poll(() => states()).toEqual(['card:1 done', 'card:2 removed'])
})

it('ACS-3 a device that was away for a week ends up right', async () => {
  await beat(true)
  await want(['face:1', 'face:2'])
  report(await nextDesired(0), 'done')
  await expect.poll(() => states()).toEqual(['face:1 done', 'face:2 done'])
  agent.close()
  await agent.closed
  s.turn(7 * 86_400_000)
  me = await s.signIn()
  await s.runIntervals(0, 'gateways-offline')
  expect(await s.call(getGateway, { id: site.gateway.id }, me)).toMatchObject({
    isOnline: false,
    healthScore: 50,
  })
  await unwant(['face:1'])
  await want(['face:2', 'face:3'], { name: '丙' })
  expect(await missingItems(s.app.database.reader(s.ownerId), [device.id])).toMatchObject([
    { isOnline: false, waiting: 2, removing: 1, failed: 0 },
  ])
  agent = await s.connect(site.identity, 0)
  await agent.beatHeard([{ id: device.id, isOnline: true }])
  await s.runIntervals(0, 'gateway-beats')
  const desired = await nextDesired(0)
  expect(
    desired.items.map(item => `${item.key} ${item.action}`).toSorted((a, b) => a.localeCompare(b)),
  ).toEqual(['face:1 remove', 'face:2 put', 'face:3 put'])
  report(desired, 'done')
  await expect.poll(() => states()).toEqual(['face:1 removed', 'face:2 done', 'face:3 done'])
  expect(await s.call(getGateway, { id: site.gateway.id }, me)).toMatchObject({
    isOnline: true,
    healthScore: 100,
  })
})

it('ACS-3 a failure is tried again with backoff, is reported with its reason, and becomes a fault', async () => {
  await beat(true)
  await want(['plate:1'])
  for (let i = 0; i < 3; i++) {
    report(await nextDesired(i), 'failed', '存储已满')
    await expect.poll(async () => (await itemsOf())[0]?.attempts).toBe(i + 1)
    await s.runIntervals(1, 'device-items')
    expect(agent.of('desired')).toHaveLength(i + 1)
    s.turn(30_000 * 2 ** i + 1000)
    await s.runIntervals(1, 'device-items')
  }
  expect(await itemsOf()).toMatchObject([{ state: 'failed', reason: '存储已满', attempts: 3 }])
  const faults = await s.call(listDeviceFaults, { deviceId: [String(device.id)], kind: ['sync'] }, me)
  expect(faults.rows).toMatchObject([{ state: 'open', title: `设备「${device.name}」有 1 项下发失败` }])
  report(await nextDesired(3), 'done')
  await expect.poll(() => states()).toEqual(['plate:1 done'])
  const after = await s.call(listDeviceFaults, { deviceId: [String(device.id)], kind: ['sync'] }, me)
  expect(after.rows[0]?.state).toBe('recovered')
})

const itemsOf = async () => (await s.call(listDeviceItems, { deviceId: [String(device.id)] }, me)).rows

it('what a device says of an older version, or of another gateway’s device, counts nothing', async () => {
  await beat(true)
  await want(['card:9'])
  const first = await nextDesired(0)
  await want(['card:9'], { name: '丁' })
  await nextDesired(1)
  report(first, 'done')
  const other = await s.pairedGateway(me)
  const stranger = await s.connect(other.identity, 0)
  stranger.send({
    kind: 'reported',
    deviceId: device.id,
    items: [{ key: 'card:9', version: 2, outcome: 'done' }],
  })
  stranger.beat()
  await stranger.waitFor('beatAck')
  await new Promise(resolve => setTimeout(resolve, 200))
  expect(await states()).toEqual(['card:9 waiting'])
  stranger.close()
})

it('a device that is replaced gets everything, and what is asked for by hand is sent again', async () => {
  await beat(true)
  await want(['a', 'b'])
  report(await nextDesired(0), 'done')
  await expect.poll(() => states()).toEqual(['a done', 'b done'])
  await s.call(replaceDevice, { id: device.id, identity: 'SN-NEW', reason: '主板损坏' }, me)
  expect((await nextDesired(1)).items.map(item => [item.key, item.version])).toEqual([
    ['a', 2],
    ['b', 2],
  ])
  report(await nextDesired(1), 'done')
  await s.call(resendDeviceItems, { id: device.id, keys: ['b'] }, me)
  expect((await nextDesired(2)).items.map(item => item.key)).toEqual(['b'])
  expect(await s.call(getDevice, { id: device.id }, me)).toMatchObject({
    identity: 'SN-NEW',
    unsyncedCount: 1,
  })
})

it('a device that is replaced by one with the same kernel reports it again', async () => {
  await beat(true, '2.0')
  await s.call(replaceDevice, { id: device.id, identity: 'SN-NEW', reason: '主板损坏' }, me)
  await expect.poll(() => agent.of('devices').length).toBe(1)
  expect((await s.call(getDevice, { id: device.id }, me)).kernelVersion).toBeUndefined()
  await beat(true, '2.0')
  expect((await s.call(getDevice, { id: device.id }, me)).kernelVersion).toBe('2.0')
})

it('two transactions that change what one device holds come one after the other', async () => {
  await beat(true)
  await Promise.all(['1', '2', '3', '4'].map(name => want(['card:x'], { name })))
  const [item] = await itemsOf()
  expect(defined(item).itemVersion).toBe(4)
})

it('a module’s command ends once: by result, by time-out, after its retries', async () => {
  ends.length = 0
  const sendIt = (reference: string, retries = 0): Promise<Id> =>
    s.app.database.tx(s.ownerId, tx =>
      sendDeviceCommand(tx, scope(), {
        deviceId: device.id,
        input: { action: 'open' },
        timeoutMs: 5000,
        purpose: 'test.open',
        reference,
        retries,
      }),
    )
  const taskId = await sendIt('one')
  const waiting = waitForCommand(s.servers[0].app, s.ownerId, taskId, 5000)
  await agent.waitFor('command', command => command.taskId === taskId)
  agent.send({ kind: 'result', taskId, outcome: 'done', data: { opened: true } })
  expect(await waiting).toMatchObject({ state: 'done', data: { opened: true } })
  await sendIt('two', 1)
  for (let i = 0; i < 2; i++) {
    s.turn(6000)
    await Promise.all([s.runIntervals(0, 'remote-task-timeouts'), s.runIntervals(1, 'remote-task-timeouts')])
  }
  expect(ends).toEqual(['one done', 'two timedOut'])
})

it('offline after 45 s without a beat, also when its process is gone; then its devices are, too', async () => {
  await beat(true)
  expect(await s.call(getDevice, { id: device.id }, me)).toMatchObject({ isOnline: true })
  s.turn(44_000)
  await s.runIntervals(0, 'gateways-offline')
  expect((await s.call(getGateway, { id: site.gateway.id }, me)).isOnline).toBe(true)
  s.turn(2_000)
  await Promise.all([s.runIntervals(0, 'gateways-offline'), s.runIntervals(1, 'gateways-offline')])
  expect((await s.call(getGateway, { id: site.gateway.id }, me)).isOnline).toBe(false)
  expect((await s.call(getDevice, { id: device.id }, me)).isOnline).toBe(false)
  const faults = await s.call(
    listDeviceFaults,
    { gatewayId: [String(site.gateway.id)], kind: ['offline'] },
    me,
  )
  expect(faults.rows).toMatchObject([{ state: 'open', level: 'critical', deviceId: 0 }])
  // It was only slow: with its next beat all is as it was.
  await beat(true)
  expect((await s.call(getGateway, { id: site.gateway.id }, me)).isOnline).toBe(true)
  expect((await s.call(getDevice, { id: device.id }, me)).isOnline).toBe(true)
})

it('the difference of the clocks is kept; a clock that is far off is a fault', async () => {
  agent.close()
  await agent.closed
  agent = await s.connect(site.identity, 0, { clock: () => s.now() - 600_000 })
  await agent.beatHeard()
  await s.runIntervals(0, 'gateway-beats')
  const { clockOffset = 0 } = await s.call(getGateway, { id: site.gateway.id }, me)
  expect(Math.abs(clockOffset + 600_000)).toBeLessThan(2000)
  const faults = await s.call(listDeviceFaults, { gatewayId: [String(site.gateway.id)], kind: ['clock'] }, me)
  expect(faults.rows).toMatchObject([{ state: 'open', title: '网关时钟与服务器相差 10 分钟' }])
  const health = await s.call(getDeviceHealth, { projectCode: me.projectCode }, me)
  expect(health.openFaultCount).toBeGreaterThan(0)
})

it('a device that is online was heard with its gateway’s last beat, and keeps that when it is away', async () => {
  await beat(true, '2.0')
  const heardAt = async () => toInstant(defined((await s.call(getDevice, { id: device.id }, me)).lastBeat))
  const first = await heardAt()
  s.turn(30_000)
  await beat(true, '2.0')
  expect((await heardAt()) - first).toBeGreaterThanOrEqual(29_000)
  const gateNo = defined(site.gateway.gateNo)
  const [online] = await s.call(listOnlineDevices, { gateNo }, me)
  const listed = await s.call(findPushTargets, { target: 'smart' }, me)
  const last = await heardAt()
  expect(toInstant(defined(online?.lastBeat))).toBe(last)
  expect(toInstant(defined(listed.find(row => row.id === device.id)?.lastBeat))).toBe(last)
  s.turn(60_000)
  await s.runIntervals(0, 'gateways-offline')
  expect(await s.call(getDevice, { id: device.id }, me)).toMatchObject({ isOnline: false })
  expect(await heardAt()).toBe(last)
})

it('0§7 the look-ups of the push dialog', async () => {
  await beat(true, '2.0')
  const gateNo = defined(site.gateway.gateNo)
  expect(await s.call(findDeviceNames, { gateNos: [gateNo] }, me)).toEqual([
    { devNo: device.devNo, name: device.name, gateNo },
  ])
  const online = await s.call(listOnlineGateways, {}, me)
  expect(online.some(row => row.gateNo === gateNo)).toBe(true)
  expect(await s.call(listOnlineDevices, { gateNo }, me)).toMatchObject([
    { id: device.id, devType: 'controller', kernelVersion: '2.0', isOnline: true },
  ])
  const kernel = await s.call(findPushTargets, { target: 'kernel' }, me)
  expect(kernel.some(row => row.id === device.id)).toBe(true)
  const idsOf = async (target: string) => (await s.call(findPushTargets, { target }, me)).map(row => row.id)
  expect(await idsOf('20')).toContain(device.id)
  expect(await idsOf('controller')).toContain(device.id)
  expect(await idsOf('lift')).toEqual([])
  await beat(false)
  expect(await s.call(listOnlineDevices, { gateNo }, me)).toEqual([])
})

it('a gateway that is silent and not offline yet is restarted by the watchdog device, not asked itself', async () => {
  const guard = await s.pairedGateway(me)
  const dog = await s.addDevice(me, guard.gateway, await s.addModel(me, 'watchdog'))
  const guardAgent = await s.connect(guard.identity, 0)
  const { id } = await s.call(
    addWatchdog,
    {
      projectCode: me.projectCode,
      name: '短间隔',
      deviceId: dog.id,
      targetGatewayId: site.gateway.id,
      checkSeconds: 15,
      missLimit: 2,
      action: 'restartMachine',
      state: 'on',
    },
    me,
  )
  await beat(true)
  await s.runIntervals(0, 'watchdogs')
  for (let i = 0; i < 3; i++) {
    s.turn(16_000)
    await guardAgent.beatHeard()
    await s.runIntervals(0, 'gateway-beats', 'watchdogs')
  }
  await guardAgent.waitFor('command', each => each.deviceId === dog.id)
  expect(agent.of('command')).toEqual([])
  expect(await s.call(getWatchdog, { id }, me)).toMatchObject({
    lastMessage: '已通过看门狗设备重启，等待恢复',
    missCount: 2,
  })
  const rescues = () => guardAgent.of('command').filter(each => each.deviceId === dog.id).length
  const pass = async (ms: number): Promise<void> => {
    s.turn(ms)
    await guardAgent.beatHeard()
    await s.runIntervals(0, 'gateway-beats', 'gateways-offline', 'watchdogs')
  }
  await pass(16_000)
  expect(await s.call(getWatchdog, { id }, me)).toMatchObject({
    lastMessage: '已下发重启指令 1 次，等待恢复，连续 3 次未收到心跳',
    missCount: 3,
  })
  // Tried again after a while, a few times: then a person is needed.
  for (let i = 0; i < 5; i++) {
    await pass(301_000)
  }
  await expect.poll(rescues).toBe(3)
  expect(await s.call(getWatchdog, { id }, me)).toMatchObject({
    lastMessage: '已下发重启指令 3 次仍未恢复，请到现场处理',
    restartCount: 3,
  })
  await beat(true)
  await pass(16_000)
  expect(await s.call(getWatchdog, { id }, me)).toMatchObject({ lastMessage: '已恢复', missCount: 0 })
  guardAgent.close()
})

it('a watchdog restarts what misses its beats: over its own gateway, or by the watchdog device', async () => {
  const guard = await s.pairedGateway(me)
  const dog = await s.addDevice(me, guard.gateway, await s.addModel(me, 'watchdog'))
  const guardAgent = await s.connect(guard.identity, 0)
  const common = {
    projectCode: me.projectCode,
    deviceId: dog.id,
    checkSeconds: 60,
    missLimit: 2,
    state: 'on',
  } as const
  const ofDevice = await s.call(
    addWatchdog,
    {
      ...common,
      name: '看护设备',
      targetGatewayId: site.gateway.id,
      targetDeviceId: device.id,
      action: 'restartService',
      serviceName: 'access-driver',
    },
    me,
  )
  const ofGateway = await s.call(
    addWatchdog,
    { ...common, name: '看护网关', targetGatewayId: site.gateway.id, action: 'restartMachine' },
    me,
  )
  await beat(false)
  const beatBoth = async (): Promise<void> => {
    await agent.beatHeard()
    await guardAgent.beatHeard()
    await Promise.all([s.runIntervals(1, 'gateway-beats'), s.runIntervals(0, 'gateway-beats')])
  }
  const checkBoth = async (): Promise<void> => {
    await Promise.all([s.runIntervals(0, 'watchdogs'), s.runIntervals(1, 'watchdogs')])
  }
  await checkBoth()
  s.turn(40_000)
  await beatBoth()
  s.turn(21_000)
  await checkBoth()
  const command = await agent.waitFor('command', each => each.command === 'restartService')
  expect(command.input).toEqual({ name: 'access-driver' })
  expect(await s.call(getWatchdog, { id: ofDevice.id }, me)).toMatchObject({ restartCount: 1, missCount: 2 })
  expect((await s.call(getWatchdog, { id: ofGateway.id }, me)).restartCount).toBe(0)
  agent.close()
  await agent.closed
  for (let i = 0; i < 2; i++) {
    s.turn(61_000)
    await guardAgent.beatHeard()
    await s.runIntervals(0, 'gateway-beats', 'gateways-offline', 'watchdogs')
  }
  const rescue = await guardAgent.waitFor('command', each => each.deviceId === dog.id)
  expect(rescue.input).toMatchObject({ action: 'restartMachine', data: { gateNo: site.gateway.gateNo } })
  expect(await s.call(getWatchdog, { id: ofGateway.id }, me)).toMatchObject({
    restartCount: 1,
    lastMessage: '已通过看门狗设备重启，等待恢复',
  })
  guardAgent.close()
})

it('a code that opens by itself is listed by its last digits, found by all of it, and sent again', async () => {
  await beat(true)
  await want(['qr:76693219', 'card:76693219'])
  report(await nextDesired(0), 'done')
  const keysFor = async (keyword?: string) => {
    const found = { deviceId: [String(device.id)], ...(keyword ? { keyword } : {}) }
    return (await s.call(listDeviceItems, found, me)).rows.map(row => row.itemKey)
  }
  const [card, code] = await keysFor()
  expect(card).toBe('card:76693219')
  expect(code).toMatch(/^qr:\*{6}19#\d+$/)
  expect(await keysFor('7669')).toEqual([card])
  expect(await keysFor('76693219')).toEqual([card, code])
  await s.call(resendDeviceItems, { id: device.id, keys: [defined(code)] }, me)
  expect((await nextDesired(1)).items.map(item => item.key)).toEqual(['qr:76693219'])
})
