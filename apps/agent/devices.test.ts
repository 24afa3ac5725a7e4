import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { asId } from '#kit/domain/id.ts'
import type { DesiredItem, DeviceConfig, ReportedItem } from '#modules/devices/contract/agent-protocol.ts'
import { cleanUp, connectAgent, kill, restartAgent, type AgentProcess } from './fixtures/agent-process.ts'
import { ProtocolServer } from './fixtures/protocol-server.ts'

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

let server: ProtocolServer
let agent: AgentProcess
let lastTaskId = 0
beforeEach(async () => {
  server = await new ProtocolServer().listen()
})
afterEach(async () => {
  await cleanUp()
  await server.close()
})

const device = (id: number, settings: Record<string, unknown> = {}, driver = 'simulator'): DeviceConfig => ({
  id: asId(id),
  devNo: `D${id}`,
  driver,
  address: 'sim',
  settings,
  version: 1,
})

async function connectWith(...devices: DeviceConfig[]): Promise<void> {
  server.devices = devices
  agent = await connectAgent(server)
}

const command = (action: string, data: object = {}, timeoutMs = 10_000) =>
  server.run(++lastTaskId, 'device', { action, data }, { deviceId: 5, timeoutMs })

const isOnline = (id: number): boolean | undefined =>
  server.messages.findLast(m => m.kind === 'beat')?.devices.find(d => d.id === id)?.isOnline

const put = (key: string, version: number): DesiredItem => ({ key, version, action: 'put', data: { key } })
const desire = (...items: DesiredItem[]): void => server.send({ kind: 'desired', deviceId: asId(5), items })
const reported = (): ReportedItem[] =>
  server.messages.flatMap(message => (message.kind === 'reported' ? message.items : []))
const untilReported = (count: number) => server.until(() => reported().length >= count, `${count} reports`)

it('a door opens on command, and its record is an event', async () => {
  await connectWith(device(5))
  await server.until(() => isOnline(5), 'the door')
  expect(await command('open')).toMatchObject({ outcome: 'done', data: { isOpen: true } })
  const event = await server.until(() => server.stored[0], 'the record')
  expect(event).toMatchObject({ seq: 1, deviceId: 5, type: 'opened', data: { by: 'remote', no: 1 } })
  expect((await command('fly')).reason).toBe('此设备不支持 fly')
})

const signalAll = (pids: readonly (number | undefined)[], signal: NodeJS.Signals): void =>
  pids.forEach(pid => pid !== undefined && process.kill(pid, signal))

const opened = () => server.stored.filter(event => event.type === 'opened')

it('RMT-1 a command that was held up longer than it may take is not carried out, and says so', async () => {
  await connectWith(device(5))
  await server.until(() => isOnline(5), 'the door')
  const pids = agent.pids()
  signalAll(pids, 'SIGSTOP')
  server.command(++lastTaskId, 'device', { action: 'open' }, { deviceId: 5, timeoutMs: 1500 })
  await sleep(2500)
  signalAll(pids, 'SIGCONT')
  expect(await server.result(lastTaskId)).toMatchObject({
    outcome: 'timedOut',
    isRefused: true,
    reason: '已过期未执行',
  })
  expect((await command('status')).outcome).toBe('done')
  expect(opened()).toEqual([])
  // One that comes again is as little carried out.
  server.command(lastTaskId - 1, 'device', { action: 'open' }, { deviceId: 5, timeoutMs: 60_000 })
  expect((await command('open')).outcome).toBe('done')
  await server.until(() => opened().length > 0, 'the record')
  expect(opened()).toHaveLength(1)
})

it('RMT-1 a command that a driver gets too late is not carried out', async () => {
  await connectWith(device(5))
  await server.until(() => isOnline(5), 'the door')
  const drivers = agent.pids().slice(2)
  signalAll(drivers, 'SIGSTOP')
  expect((await command('open', {}, 1000)).outcome).toBe('timedOut')
  await sleep(200)
  signalAll(drivers, 'SIGCONT')
  expect((await command('status')).outcome).toBe('done')
  await sleep(300)
  expect(opened()).toEqual([])
})

it('a command of a server that does not tell when it sent is carried out', async () => {
  server.tellsSentMs = false
  await connectWith(device(5))
  await server.until(() => isOnline(5), 'the door')
  expect((await command('open')).outcome).toBe('done')
})

it('what a driver does not know is no failure of its device', async () => {
  await connectWith(device(5))
  await server.until(() => isOnline(5), 'the door')
  expect(await command('fly')).toMatchObject({ outcome: 'failed', isRefused: true })
})

it('a device is brought to hold what it has to, up to its capacity, and tells what it refuses (ACS-3)', async () => {
  await connectWith(device(5, { capacity: '2', refusedKeys: 'bad,worse' }))
  desire(put('a', 1), put('bad', 1), put('b', 1), put('c', 1))
  await untilReported(4)
  expect(reported()).toEqual([
    { key: 'a', version: 1, outcome: 'done' },
    { key: 'bad', version: 1, outcome: 'failed', reason: '设备拒绝此项' },
    { key: 'b', version: 1, outcome: 'done' },
    { key: 'c', version: 1, outcome: 'failed', reason: '设备容量已满' },
  ])
  desire({ key: 'a', version: 2, action: 'remove' }, put('c', 2))
  await untilReported(6)
  // The same again does no harm and is reported again.
  desire(put('c', 2))
  await untilReported(7)
  expect(
    reported()
      .slice(4)
      .map(item => item.outcome),
  ).toEqual(['done', 'done', 'done'])
  expect((await command('listItems')).data).toEqual([
    { key: 'b', version: 1 },
    { key: 'c', version: 2 },
  ])
})

it('a device that was away gets the newest of each when it is back', async () => {
  await connectWith(device(5))
  await server.until(() => isOnline(5), 'the door')
  await command('setLine', { isUp: false })
  await server.until(() => isOnline(5) === false, 'the lost line')
  expect(await command('open')).toMatchObject({ outcome: 'failed', reason: '设备未连接' })
  desire(put('a', 1), put('b', 1))
  desire(put('a', 3))
  desire(put('a', 2))
  await sleep(400)
  expect(reported()).toEqual([])
  await command('setLine', { isUp: true })
  await untilReported(2)
  expect(reported()).toEqual([
    { key: 'a', version: 3, outcome: 'done' },
    { key: 'b', version: 1, outcome: 'done' },
  ])
})

it('a device that answers late is waited for until the time-out; one that never does is reported', async () => {
  await connectWith(device(5, { delayMs: '700' }))
  await server.until(() => isOnline(5), 'the door')
  expect((await command('open')).outcome).toBe('done')
  expect((await command('hang', {}, 1200)).reason).toContain('执行超时')
  desire(put('a', 1))
  await untilReported(1)
})

it('a driver that dies is started again; what it was doing is reported, and what it holds stays', async () => {
  await connectWith(device(5), device(6))
  await server.until(() => isOnline(5), 'the door')
  desire(put('a', 1))
  await untilReported(1)
  expect((await command('crash')).reason).toBe('驱动程序中断，结果未知')
  await server.until(() => server.stored.some(event => event.type === 'driverStopped'), 'the event')
  server.messages.length = 0
  await server.until(() => isOnline(5) && isOnline(6), 'both doors again')
  expect((await command('listItems')).data).toEqual([{ key: 'a', version: 1 }])
  await server.until(() => server.stored.some(event => event.type === 'driverStarted'), 'the second event')
  kill(agent.pids()[2])
  await server.until(() => server.stored.filter(e => e.type === 'driverStopped').length === 2, 'the event')
  server.messages.length = 0
  await server.until(() => isOnline(5), 'the door once more')
  expect(server.connections).toBe(1)
})

it('what is asked while the agent or the driver starts waits for the device', async () => {
  await connectWith(device(5))
  await server.until(() => isOnline(5), 'the door')
  agent.killAll()
  await restartAgent(server, agent)
  expect(await command('open')).toMatchObject({ outcome: 'done', data: { isOpen: true } })
  kill(agent.pids()[2])
  await server.until(() => server.stored.some(event => event.type === 'driverStopped'), 'the event')
  expect(await command('open')).toMatchObject({ outcome: 'done', data: { isOpen: true } })
})

it('devices come, change and go with the list of the server; a missing driver is reported', async () => {
  await connectWith(device(5, { eventEveryMs: '50' }))
  await server.until(() => server.stored.length > 2, 'records')
  server.send({ kind: 'devices', devices: [device(6), device(7, {}, 'unknown')] })
  await server.until(() => isOnline(6) && isOnline(5) === undefined && isOnline(7) === false, 'the new list')
  expect((await command('open')).reason).toContain('设备不属于此网关')
  const unknown = await server.run(++lastTaskId, 'device', { action: 'open' }, { deviceId: 7 })
  expect(unknown.reason).toContain('没有驱动 unknown')
  server.send({ kind: 'devices', devices: [] })
  await server.until(() => agent.pids().length === 2, 'the end of the driver')
})

it('no process of a driver outlives its agent', async () => {
  await connectWith(device(5))
  await server.until(() => isOnline(5), 'the door')
  const driver = agent.pids()[2] ?? 0
  kill(agent.pids()[0])
  kill(agent.pids()[1])
  await server.until(() => !isRunning(driver), 'the end of the driver')
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const pushKernel = (name: string, content: Buffer) =>
  server.run(
    ++lastTaskId,
    'pushFile',
    {
      action: 'kernel',
      name,
      directory: join(agent.dataDir, 'files'),
      ...server.offer(`/files/${name}`, content),
    },
    { deviceId: 5, timeoutMs: 20_000 },
  )

it('RMT-4 a kernel that is pushed for a device is brought to it by its driver', async () => {
  await connectWith(device(5))
  await server.until(() => isOnline(5), 'the door')
  expect(await pushKernel('simulator-2.0.kernel', Buffer.from('kernel'))).toMatchObject({
    outcome: 'done',
    data: { kernelVersion: 'simulator-2.0' },
  })
  const reportedVersion = () =>
    server.messages.findLast(m => m.kind === 'beat')?.devices.find(d => d.id === 5)?.kernelVersion
  await server.until(() => reportedVersion() === 'simulator-2.0', 'the new version in a beat')
  expect(await pushKernel('simulator-3.0.kernel', Buffer.alloc(0))).toMatchObject({
    outcome: 'failed',
    reason: '内核文件为空',
  })
  // The device remembers what it runs, whatever becomes of its driver.
  kill(agent.pids()[2])
  await server.until(() => server.stored.some(event => event.type === 'driverStopped'), 'the loss')
  server.messages.length = 0
  await server.until(() => reportedVersion() === 'simulator-2.0', 'the same version again')
})

it('RMT-4 a kernel that comes while the agent or the driver starts waits for the device', async () => {
  await connectWith(device(5))
  await server.until(() => isOnline(5), 'the door')
  kill(agent.pids()[2])
  await server.until(() => server.stored.some(event => event.type === 'driverStopped'), 'the loss')
  expect(await pushKernel('simulator-2.0.kernel', Buffer.from('kernel'))).toMatchObject({
    outcome: 'done',
    data: { kernelVersion: 'simulator-2.0' },
  })
  agent.killAll()
  await restartAgent(server, agent)
  expect(await pushKernel('simulator-3.0.kernel', Buffer.from('kernel 3'))).toMatchObject({
    outcome: 'done',
    data: { kernelVersion: 'simulator-3.0' },
  })
})

it('a watchdog device restarts what it is asked to, and reports it by an event', async () => {
  await connectWith(device(5, {}, 'watchdog'))
  await server.until(() => isOnline(5), 'the watchdog')
  const data = { gateNo: 'GW1', hostName: 'site-1', serviceName: '' }
  expect(await command('restartMachine', data)).toMatchObject({ outcome: 'done', data: { gateNo: 'GW1' } })
  expect(await server.until(() => server.stored[0], 'the event')).toMatchObject({
    deviceId: 5,
    devNo: 'D5',
    type: 'watchdogRestarted',
    data: { action: 'restartMachine', gateNo: 'GW1', hostName: 'site-1' },
  })
  expect((await command('open')).reason).toBe('此设备不支持 open')
})
