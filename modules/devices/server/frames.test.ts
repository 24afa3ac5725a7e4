import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { toInstant } from '#kit/domain/moment.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { clockScope } from '#kit/server/scope.ts'
import type { Device } from '../contract/device.ts'
import { listDeviceEvents } from '../contract/device-event.ts'
import { getRemoteTask, sendRemoteTask } from '../contract/remote-task.ts'
import { DeviceServers, type Clerk, type PairedGateway } from './device-servers.fixtures.ts'
import type { AgentClient } from './fixtures/agent-client.ts'
import { onCommandEnd, onDeviceEvent, sendDeviceCommand, waitForCommand } from './public.ts'

let s: DeviceServers
let me: Clerk
let site: PairedGateway
let device: Device
let agent: AgentClient

const heard: { readonly at: string; readonly isTimeDoubtful: boolean }[] = []
onDeviceEvent('timed', async ({ event }) => {
  heard.push(event)
})

onCommandEnd('test-defect', () => Promise.reject(new Error('a defect of the module')))

beforeAll(async () => {
  s = await DeviceServers.open()
  me = await s.signIn()
})

beforeEach(async () => {
  await s.app.database.tx('*', tx => tx.execute(sql`delete from rate_count`))
  site = await s.pairedGateway(me)
  device = await s.addDevice(me, site.gateway, await s.addModel(me))
  agent = await s.connect(site.identity)
})

afterAll(() => s?.close())

const storedEvents = async () =>
  (await s.call(listDeviceEvents, { gatewayId: [String(site.gateway.id)], order: 'seq', size: 100 }, me)).rows

const send = async (input: {
  readonly cmdType: 'killProcess' | 'listProcesses'
  readonly cmdData?: string
}): Promise<Id> => {
  const tasks = await s.call(
    sendRemoteTask,
    { gatewayIds: [String(site.gateway.id)], confirm: true, ...input },
    me,
  )
  return defined(tasks[0]).id
}

/** Messages as text, so that tests can send what `JSON.stringify` never writes. */
const sayResult = (taskId: Id, members: string): void =>
  agent.sendText(`{"kind":"result","taskId":${taskId},${members}}`)

const acknowledged = (taskId: Id) => agent.waitFor('resultAck', ack => ack.taskId === taskId, 3000)

it('RMT-2 half characters and NUL in the result of a dangerous command are replaced, and it is stored', async () => {
  const taskId = await send({ cmdType: 'killProcess', cmdData: '12' })
  await agent.waitFor('command')
  sayResult(
    taskId,
    String.raw`"outcome":"failed","reason":"a\ud800b\u0000c","output":"\udfff","data":{"k\u0000":["\ud83d"]}`,
  )
  await acknowledged(taskId)
  expect(await s.call(getRemoteTask, { id: taskId }, me)).toMatchObject({
    state: 'failed',
    reason: 'a\ufffdbc',
    output: '\ufffd',
    rows: '{"k":["\ufffd"]}',
  })
})

it('a result that is nested without end, or none at all, ends its task and is acknowledged', async () => {
  const deep = await send({ cmdType: 'listProcesses' })
  sayResult(deep, `"outcome":"done","data":${'['.repeat(50_000)}${']'.repeat(50_000)}`)
  await acknowledged(deep)
  expect(await s.call(getRemoteTask, { id: deep }, me)).toMatchObject({ state: 'done' })
  const wrong = await send({ cmdType: 'listProcesses' })
  sayResult(wrong, `"outcome":"done","output":{"no":"text"}`)
  await acknowledged(wrong)
  expect(await s.call(getRemoteTask, { id: wrong }, me)).toMatchObject({
    state: 'failed',
    reason: '结果格式不正确，未保存',
  })
})

it('a result whose module fails over it ends as failed, and those behind it come through', async () => {
  const { app } = s
  const input = { action: 'status' }
  const purpose = 'test-defect'
  const [bad, good] = await app.database.tx(s.ownerId, async tx => [
    await sendDeviceCommand(tx, clockScope(app, s.ownerId), { deviceId: device.id, input, purpose }),
    await sendDeviceCommand(tx, clockScope(app, s.ownerId), { deviceId: device.id, input }),
  ])
  sayResult(defined(bad), `"outcome":"done"`)
  sayResult(defined(good), `"outcome":"done"`)
  await acknowledged(defined(good))
  await acknowledged(defined(bad))
  expect(await waitForCommand(app, s.ownerId, defined(bad), 1000)).toMatchObject({
    state: 'failed',
    reason: '结果无法保存',
  })
  expect(await waitForCommand(app, s.ownerId, defined(good), 1000)).toMatchObject({ state: 'done' })
})

it.each([-3, 40, -40])(
  'events of a gateway whose clock is %i days ahead are corrected and marked',
  async days => {
    agent.close()
    await agent.closed
    const clock = (): number => s.now() + days * 86_400_000
    agent = await s.connect(site.identity, 0, { clock })
    const at = new Date(clock() - 3_600_000).toISOString()
    agent.events([{ type: 'timed', deviceId: device.id, at }], 1)
    await agent.waitFor('eventsAck')
    await agent.beatHeard()
    agent.events([{ type: 'timed', deviceId: device.id, at }], 2)
    await agent.waitFor('eventsAck', ack => ack.seq === 2)
    const rows = await storedEvents()
    expect(rows).toMatchObject([
      { isTimeDoubtful: true, deviceTime: at },
      { isTimeDoubtful: true, deviceTime: at },
    ])
    for (const { eventTime } of rows) {
      expect(Math.abs(toInstant(eventTime) - (s.now() - 3_600_000))).toBeLessThan(60_000)
    }
  },
)

it('events of a gateway whose clock was set right before they were sent have the time when they happened', async () => {
  const hour = 3_600_000
  const wrong = new Date(s.now() - 2 * hour - 20_000 * 86_400_000).toISOString()
  agent.events([{ type: 'timed', deviceId: device.id, at: wrong, recordedAt: wrong, ageMs: 2 * hour }], 1)
  await agent.waitFor('eventsAck')
  // The clock is set while the line stays: no beat has come since.
  const early = new Date(s.now() - 86_400_000).toISOString()
  agent.events([{ type: 'timed', deviceId: device.id, at: early, recordedAt: early, ageMs: 5000 }], 2)
  await agent.waitFor('eventsAck', ack => ack.seq === 2)
  const rows = await storedEvents()
  expect(rows).toMatchObject([
    { isTimeDoubtful: true, deviceTime: wrong },
    { isTimeDoubtful: true, deviceTime: early },
  ])
  const agoMs = rows.map(({ eventTime }) => s.now() - toInstant(eventTime))
  expect(Math.abs(defined(agoMs[0]) - 2 * hour)).toBeLessThan(60_000)
  expect(Math.abs(defined(agoMs[1]) - 5000)).toBeLessThan(60_000)
})

it('an event of an impossible time is kept with the time it came in, and what the device sent', async () => {
  heard.length = 0
  const times = [
    '1970-01-01T00:00:00Z',
    '2099-01-01T00:00:00Z',
    '+012345-01-01T00:00:00Z',
    '-000044-03-15T00:00:00Z',
    'yesterday',
    '1',
    '2024-02-30T25:00:00Z',
    '',
  ]
  const before = Date.now()
  agent.events(
    [...times, new Date(s.now() - 86_400_000).toISOString()].map(at => ({
      type: 'timed',
      deviceId: device.id,
      at,
    })),
    1,
  )
  await agent.waitFor('eventsAck', ack => ack.seq === times.length + 1, 3000)
  const rows = await storedEvents()
  expect(rows.slice(0, -1).map(row => [row.isTimeDoubtful, row.deviceTime ?? ''])).toEqual(
    times.map(text => [true, text]),
  )
  expect(rows.at(-1)).toMatchObject({ isTimeDoubtful: false })
  expect(heard.map(event => event.isTimeDoubtful)).toEqual([...times.map(() => true), false])
  expect(heard.slice(0, -1).every(event => Date.parse(event.at) >= before - 1000)).toBe(true)
})

it('an event that is not as the protocol says is kept as refused; those around it are handled', async () => {
  heard.length = 0
  const now = new Date(s.now()).toISOString()
  const events = [
    { seq: 1, deviceId: device.id, at: now, type: 'timed', data: {} },
    { seq: 2, deviceId: 'x', at: 7, type: null, data: ['text'] },
    { seq: 3, deviceId: device.id, at: now, type: 't'.repeat(60), data: {} },
    { seq: 4, deviceId: device.id, at: now, type: 'timed' },
  ]
  agent.sendText(JSON.stringify({ kind: 'events', events }))
  await agent.waitFor('eventsAck', ack => ack.seq === 4, 3000)
  expect(
    (await storedEvents()).map(row => [row.state, row.type.length, row.reason ?? '', row.content]),
  ).toEqual([
    ['handled', 5, '', '{}'],
    ['failed', 7, '事件格式不正确', '{"data":["text"]}'],
    ['handled', 40, '', '{}'],
    ['handled', 5, '', '{}'],
  ])
  expect(heard).toHaveLength(2)
})

it('an event of a device that the gateway does not have keeps its data and the name that the site gave', async () => {
  agent.events([{ type: 'swipe', deviceId: asId(987_654), devNo: 'DOOR-7', data: { card: '77' } }], 1)
  await agent.waitFor('eventsAck')
  expect(await storedEvents()).toMatchObject([
    {
      deviceId: 0,
      reportedDevice: 'DOOR-7',
      content: '{"card":"77"}',
      state: 'failed',
      reason: '设备 DOOR-7 不属于该网关',
    },
  ])
})

it('texts that are too long for their column are cut, and the gateway stays', async () => {
  agent.sendText(
    JSON.stringify({
      kind: 'beat',
      clock: new Date(s.now()).toISOString(),
      devices: [{ id: device.id, isOnline: true, kernelVersion: 'v'.repeat(300) }],
      bufferedEvents: 2 ** 60,
      freeBytes: 2 ** 60,
    }),
  )
  await agent.waitFor('beatAck')
  await s.runIntervals(0, 'gateway-beats')
  const row = await s.app.database
    .reader(s.ownerId)
    .one<{ kernelVersion: string }>(
      sql`select kernel_version from device where owner_id = ${s.ownerId} and id = ${device.id}`,
    )
  expect(row?.kernelVersion).toBe('v'.repeat(20))
})
