import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { addDays } from '#kit/domain/day.ts'
import { asId } from '#kit/domain/id.ts'
import { dayOfInstant, fromInstant } from '#kit/domain/moment.ts'
import type { DesiredItem, DeviceConfig, ReportedItem } from '#modules/devices/contract/agent-protocol.ts'
import { cleanUp, connectAgent, restartAgent, type AgentProcess } from './fixtures/agent-process.ts'
import { ProtocolServer } from './fixtures/protocol-server.ts'

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

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

const deviceWith = (settings: Record<string, unknown> = {}): DeviceConfig => ({
  id: asId(5),
  devNo: 'D5',
  driver: 'doorwaySimulator',
  address: '',
  settings: { pollMs: '100', ...settings },
  version: 1,
})

const isOnline = (): boolean | undefined =>
  server.messages.findLast(m => m.kind === 'beat')?.devices.find(d => d.id === 5)?.isOnline

async function connectDevice(settings?: Record<string, unknown>): Promise<void> {
  server.devices = [deviceWith(settings)]
  agent = await connectAgent(server)
  await server.until(() => isOnline(), 'the controller')
}

const command = (action: string, data: object = {}, timeoutMs = 10_000) =>
  server.run(++lastTaskId, 'device', { action, data }, { deviceId: 5, timeoutMs })

const put = (key: string, version: number, data: object = { rights: [{}] }): DesiredItem => ({
  key,
  version,
  action: 'put',
  data: { name: '张三', ...data },
})
const remove = (key: string, version: number): DesiredItem => ({ key, version, action: 'remove' })
const desire = (...items: DesiredItem[]): void => server.send({ kind: 'desired', deviceId: asId(5), items })
const reported = (): ReportedItem[] =>
  server.messages.flatMap(message => (message.kind === 'reported' ? message.items : []))
const untilReported = (count: number) => server.until(() => reported().length >= count, `${count} reports`)
const of = (type: string) => server.stored.filter(event => event.type === type)
const findPeople = async (): Promise<unknown> => (await command('listPeople')).data
const swipe = async (card: string): Promise<unknown> => (await command('swipe', { card })).data

const today = dayOfInstant(Date.now())

it('ACS-2 a controller decides by itself from what it was given, and its records become passages', async () => {
  await connectDevice()
  desire(
    put('card:1001', 1),
    put('card:1002', 1, { rights: [{ until: addDays(today, -1) }] }),
    put('card:1003', 1, { rights: [{ from: addDays(today, 1) }] }),
    put('settings', 1, { direction: 10, openSeconds: 5, freeTimes: [] }),
  )
  await untilReported(4)
  expect(reported().every(item => item.outcome === 'done')).toBe(true)
  expect(await findPeople()).toMatchObject({ cards: ['1001', '1003'] })
  expect([await swipe('1001'), await swipe('1002'), await swipe('1003')]).toEqual([
    { isOpen: true },
    { isOpen: false },
    { isOpen: false },
  ])
  await server.until(() => of('doorPassage').length >= 3, 'the passages')
  expect(of('doorPassage').map(event => event.data)).toMatchObject([
    { method: 1, result: 1, direction: 2, item: 'card:1001', card: '1001' },
    { method: 1, result: 0, reason: '卡号未登记', card: '1002' },
    { method: 1, result: 0, reason: '凭证不在有效期', card: '1003' },
  ])
  const keys = of('doorPassage').map(event => event.data.key)
  expect(new Set(keys).size).toBe(3)
})

it('ACS-2 nobody passes a door against its direction: the reader of the other way is off', async () => {
  await connectDevice()
  const at = async (reader: number) => (await command('swipe', { card: '1', reader })).data
  desire(put('card:1', 1), put('settings', 1, { direction: 30, passage: 10 }))
  await untilReported(2)
  expect([await at(1), await at(2)]).toEqual([{ isOpen: false }, { isOpen: true }])
  desire(put('settings', 2, { direction: 30, passage: 20 }))
  await untilReported(3)
  expect([await at(1), await at(2)]).toEqual([{ isOpen: true }, { isOpen: false }])
  // The device is on the side that the door is not for.
  desire(put('settings', 3, { direction: 10, passage: 20 }))
  await untilReported(4)
  expect([await at(1), await at(2)]).toEqual([{ isOpen: false }, { isOpen: false }])
  desire(put('settings', 4, { direction: 30, passage: 30 }))
  await untilReported(5)
  expect([await at(1), await at(2)]).toEqual([{ isOpen: true }, { isOpen: true }])
})

it('ACS-2 windows and free times are the controller’s own', async () => {
  await connectDevice()
  const never = [{ begin: '00:00', end: '00:01', weekDays: [((new Date().getUTCDay() + 3) % 7) + 1] }]
  desire(put('card:1', 1, { rights: [{ windows: never }] }))
  await untilReported(1)
  expect(await swipe('1')).toEqual({ isOpen: false })
  desire(
    put('settings', 1, { freeTimes: [{ begin: '00:00', end: '00:00', weekDays: [1, 2, 3, 4, 5, 6, 7] }] }),
  )
  await untilReported(2)
  expect(await swipe('1')).toEqual({ isOpen: true })
})

it('VIS-2 a code that ends within a day is ended by the controller itself', async () => {
  await connectDevice()
  const minutesFromNow = (minutes: number): string =>
    fromInstant(Date.now() + minutes * 60_000).replace(' ', 'T')
  desire(
    put('qr:5001', 1, { rights: [{}], endTime: minutesFromNow(-1) }),
    put('qr:5002', 1, { rights: [{}], endTime: minutesFromNow(10) }),
  )
  await untilReported(2)
  expect([await swipe('5001'), await swipe('5002')]).toEqual([{ isOpen: false }, { isOpen: true }])
})

it('VIS-2 a code that only leads out opens at the reader within, and nowhere from outside', async () => {
  await connectDevice()
  const at = async (card: string, reader: number) => (await command('swipe', { card, reader })).data
  const over = [{ until: addDays(today, -1) }]
  desire(
    put('settings', 1, { direction: 30, passage: 30 }),
    put('qr:5001', 1, { rights: [{}] }),
    put('qr:5002', 1, { rights: [], exitRights: over }),
  )
  await untilReported(3)
  expect([await at('5001', 1), await at('5002', 2)]).toEqual([{ isOpen: true }, { isOpen: false }])
  desire(put('qr:5001', 2, { rights: [], exitRights: [{}] }))
  await untilReported(4)
  expect(await findPeople()).toMatchObject({ cards: [] })
  expect([await at('5001', 1), await at('5001', 2)]).toEqual([{ isOpen: false }, { isOpen: true }])
  // The opening from afar is the code's, not another passage.
  await command('openDoor')
  await server.until(() => of('doorPassage').length >= 5, 'the passages')
  expect(of('doorPassage').map(event => event.data)).toMatchObject([
    { item: 'qr:5001', method: 4, result: 1, direction: 1 },
    { item: 'qr:5002', method: 4, result: 0, direction: 2 },
    { item: 'qr:5001', method: 4, result: 0, direction: 1, reason: expect.stringContaining('只能用于离开') },
    { item: 'qr:5001', method: 4, result: 1, direction: 2 },
    { method: 5, result: 1 },
  ])
  desire(remove('qr:5001', 3))
  await untilReported(5)
  expect(await at('5001', 2)).toEqual({ isOpen: false })
})

it('ACS-1 the code of a person is read like a card, recorded as a code, and ends with what is withdrawn', async () => {
  await connectDevice()
  const code = '9127642031205858'
  desire(put(`pass:${code}`, 1))
  await untilReported(1)
  expect(await swipe(code)).toEqual({ isOpen: true })
  await server.until(() => of('doorPassage').length > 0, 'the passage')
  expect(of('doorPassage')[0]?.data).toMatchObject({ method: 4, result: 1, item: `pass:${code}` })
  desire(remove(`pass:${code}`, 2))
  await untilReported(2)
  expect(await swipe(code)).toEqual({ isOpen: false })
})

it('ACS-3 a full controller and what it will not take are reported in words; what is removed makes room', async () => {
  await connectDevice({ capacity: '2', refusedKeys: 'card:9' })
  desire(put('card:1', 1), put('card:9', 1), put('card:2', 1), put('card:3', 1), put('plate:A1', 1))
  await untilReported(5)
  expect(reported().map(({ key, reason }) => [key, reason])).toEqual([
    ['card:1', undefined],
    ['card:9', '设备拒绝：badParameters'],
    ['card:2', undefined],
    ['card:3', '设备容量已满'],
    ['plate:A1', '此门禁设备不支持这种凭证'],
  ])
  desire(remove('card:1', 2), put('card:3', 2))
  await untilReported(7)
  expect(await findPeople()).toMatchObject({ cards: ['2', '3'] })
})

it('a face arrives by its link; a link that is over and a picture without a face are refused', async () => {
  server.files.set('/files/face.jpg', Buffer.alloc(5000, 1))
  server.files.set('/files/empty.jpg', Buffer.alloc(10))
  await connectDevice()
  const face = (id: number, link: string) => put(`face:${id}`, 1, { rights: [{}], pictureLink: link })
  desire(
    face(7, '/files/face.jpg'),
    face(8, '/files/gone.jpg'),
    face(9, '/files/empty.jpg'),
    face(10, 'http://other.example/face.jpg'),
  )
  await untilReported(4)
  expect(reported().map(({ key, reason }) => [key, reason])).toEqual([
    ['face:7', undefined],
    ['face:8', '文件链接已过期，将自动重新下发'],
    ['face:9', '照片中未检测到合格的人脸'],
    ['face:10', '文件链接不属于本服务器'],
  ])
  expect((await command('showFace', { face: '7' })).data).toEqual({ isOpen: true })
  await server.until(() => of('doorPassage').length > 0, 'the passage')
  const [passage] = of('doorPassage')
  expect(passage?.data).toMatchObject({ method: 3, item: 'face:7', temperature: 36.5 })
  expect(String(passage?.data.picture)).toMatch(/^\/9j\//)
  expect(await findPeople()).toMatchObject({ people: ['F7'] })
})

it('a controller without a line is offline, keeps its records, and gets the newest afterwards', async () => {
  await connectDevice()
  desire(put('card:1', 1))
  await untilReported(1)
  await command('setLine', { isUp: false })
  await server.until(() => isOnline() === false, 'the lost line')
  desire(remove('card:1', 2), put('card:2', 1))
  await swipe('1')
  await sleep(500)
  expect(reported()).toHaveLength(1)
  await command('setLine', { isUp: true })
  await untilReported(3)
  expect(await findPeople()).toMatchObject({ cards: ['2'] })
  await server.until(() => of('doorPassage').length > 0, 'the record of the time without a line')
  expect(of('deviceReset')).toHaveLength(1)
})

it('another box is emptied and everything is asked for again', async () => {
  await connectDevice()
  desire(put('card:1', 1))
  await untilReported(1)
  await command('replaceBox')
  await server.until(() => of('deviceReset').length === 2, 'the other box')
  expect(await findPeople()).toMatchObject({ people: [] })
})

it('nothing is lost or doubled when agent and drivers are killed among passages', async () => {
  await connectDevice()
  desire(put('card:1', 1))
  await untilReported(1)
  await command('makePassages', { count: 300 })
  agent.killAll()
  await restartAgent(server, agent)
  await server.until(() => isOnline(), 'the controller')
  await command('makePassages', { count: 50 })
  await server.until(() => of('doorPassage').length >= 350, 'all passages')
  await sleep(500)
  const keys = of('doorPassage').map(event => event.data.key)
  expect(keys).toHaveLength(350)
  expect(new Set(keys).size).toBe(350)
  expect(await findPeople()).toMatchObject({ cards: ['1'] })
})

it('a door opens from afar, and one that is kept open closes again', async () => {
  await connectDevice()
  expect(await command('openDoor')).toMatchObject({ outcome: 'done', data: { isOpen: true } })
  await server.until(() => of('doorPassage').length > 0, 'the record')
  expect(of('doorPassage')[0]?.data).toMatchObject({ method: 5, result: 1 })
  await command('openDoor', { seconds: 1 })
  expect(await findPeople()).toMatchObject({ isKeptOpen: true })
  await sleep(1500)
  expect(await findPeople()).toMatchObject({ isKeptOpen: false })
})

it('a card is read at the controller', async () => {
  await connectDevice()
  const reading = command('readCard', {}, 20_000)
  await command('placeCard', { card: '0A1B2C' })
  expect(await reading).toMatchObject({ outcome: 'done', data: { card: '0A1B2C' } })
})

it('doors that are forced or held open are alarms, with their end', async () => {
  await connectDevice()
  await command('forceDoor')
  await command('holdOpen')
  await command('closeDoor')
  await server.until(() => of('doorAlarm').length >= 3, 'the alarms')
  expect(of('doorAlarm').map(event => event.data)).toMatchObject([
    { alarm: 'forced' },
    { alarm: 'heldOpen' },
    { alarm: 'heldOpen', ended: true },
  ])
})
