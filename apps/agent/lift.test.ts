import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import type { DesiredItem, DeviceConfig } from '#modules/devices/contract/agent-protocol.ts'
import { cleanUp, connectAgent, restartAgent, type AgentProcess } from './fixtures/agent-process.ts'
import { ProtocolServer } from './fixtures/protocol-server.ts'

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

let server: ProtocolServer
let agent: AgentProcess
let lastTaskId = 0

const lift: DeviceConfig = {
  id: asId(5),
  devNo: 'L5',
  driver: 'lift',
  address: 'sim',
  settings: { capacity: '2' },
  version: 1,
}

beforeEach(async () => {
  server = await new ProtocolServer().listen()
  server.devices = [lift]
  agent = await connectAgent(server)
})
afterEach(async () => {
  await cleanUp()
  await server.close()
})

const command = (action: string, data: object = {}) =>
  server.run(++lastTaskId, 'device', { action, data }, { deviceId: 5, timeoutMs: 10_000 })

const put = (key: string, data: object): DesiredItem => ({
  key,
  version: 1,
  action: 'put',
  data: { ...data },
})
const settings = put('lift:settings', {
  floors: ['1', '2', '3'],
  publicFloors: ['1'],
  closedFloors: [],
  busyTimes: [],
  isRunning: true,
})
const card = (no: number) =>
  put(`lift:card:${no}`, { kind: 'card', rights: [{ floors: ['2'], isHome: true }] })

async function desire(...items: DesiredItem[]) {
  server.send({ kind: 'desired', deviceId: asId(5), items })
  const reported = () =>
    server.messages.flatMap(message => (message.kind === 'reported' ? message.items : []))
  await server.until(() => reported().length >= items.length, 'reports')
  return reported()
}

const calls = () => server.stored.filter(({ type }) => type === 'liftCall').map(({ data }) => data)

it('a lift decides by what it holds, also after its program was started again (ELV-2, ACS-3)', async () => {
  expect(await desire(settings, card(1), card(2))).toMatchObject([
    { outcome: 'done' },
    { outcome: 'done' },
    { outcome: 'failed', reason: '设备容量已满' },
  ])
  expect((await command('press', { card: '1', floor: '2' })).data).toEqual({ isAllowed: true })
  agent.killAll()
  await restartAgent(server, agent)
  await command('press', { card: '1', floor: '3' })
  await command('press', { card: '2', floor: '1' })
  await server.until(() => calls().length === 3, 'the calls')
  expect(calls()).toMatchObject([
    { key: '1', card: '1', from: '1', to: '2', result: 1 },
    { key: '2', card: '1', from: '2', to: '3', result: 0, reason: '无此楼层的权限' },
    { key: '3', card: '2', to: '1', result: 0, reason: '无此电梯的权限' },
  ])
})

it('a lift reads the code of a visitor as a number (ELV-2, VIS-2)', async () => {
  const rights = [{ floors: ['3'], isHome: true }]
  await desire(settings, put('lift:qr:76693219', { kind: 'qr', rights, endTime: '2999-01-01T00:00:00' }))
  expect((await command('press', { card: '76693219', floor: '3' })).data).toEqual({ isAllowed: true })
  await command('press', { card: '76693219', floor: '2' })
  await server.until(() => calls().length === 2, 'the calls')
  expect(calls()).toMatchObject([
    { item: 'qr:76693219', method: 4, to: '3', result: 1 },
    { item: 'qr:76693219', method: 4, to: '2', result: 0, reason: '无此楼层的权限' },
  ])
})

it('a lift is called from afar, releases a floor for a time, and reports the trapped (ELV-1, ELV-2)', async () => {
  await desire(settings, card(1))
  expect(await command('callLift', { floor: '9' })).toMatchObject({
    outcome: 'failed',
    reason: '电梯不停靠 9 层',
  })
  expect((await command('callLift', { floor: '3' })).outcome).toBe('done')
  await command('releaseFloor', { floor: '3', seconds: 60 })
  expect((await command('press', { card: 'visitor', floor: '3' })).data).toEqual({ isAllowed: true })
  await command('trap')
  await command('endTrap')
  const alarms = () => server.stored.filter(({ type }) => type === 'liftAlarm').map(({ data }) => data)
  await server.until(() => alarms().length === 2, 'the alarm and its end')
  expect(alarms()).toMatchObject([
    { alarm: 'trapped', floor: '3' },
    { alarm: 'trapped', ended: true },
  ])
})
