import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import {
  DeviceServers,
  type Clerk,
  type PairedGateway,
} from '#modules/devices/server/device-servers.fixtures.ts'
import type { AgentClient } from '#modules/devices/server/fixtures/agent-client.ts'
import { saveCard } from '#modules/residents/contract/card.ts'
import { getCardRead, listCardReaders, startCardReading } from '../contract/card-reader.ts'
import {
  doorwayDevices,
  editDeviceParameters,
  getDeviceParameters,
  type DoorwayDevice,
} from '../contract/doorway-device.ts'
import { doorways, type Doorway } from '../contract/doorway.ts'
import { projectCode } from './access.fixtures.ts'
import { selectNeighbours, type Neighbour } from './people.fixtures.ts'
import { canOpen } from './reach/decision.ts'
import { planChanged } from './sync/jobs.ts'

let s: DeviceServers
let me: Clerk
let site: PairedGateway
let agent: AgentClient
let doorway: Doorway
let bound: DoorwayDevice
let person: Neighbour

beforeAll(async () => {
  s = await DeviceServers.open()
  me = await s.signIn()
  person = defined((await selectNeighbours(s.app.database.reader(s.ownerId), s.ownerId))[0])
  site = await s.pairedGateway(me)
  const model = await s.addModel(me, 'doorwaySimulator')
  const device = await s.addDevice(me, site.gateway, model)
  doorway = await s.call(
    doorways.add,
    {
      projectCode,
      doorwayName: '北门',
      direction: 'both',
      passageType: 'pedestrian',
      isPublic: true,
      openSeconds: 5,
      state: 'on',
    },
    me,
  )
  bound = await s.call(
    doorwayDevices.add,
    { projectCode, doorwayId: doorway.id, deviceId: device.id, direction: 'both' },
    me,
  )
  await s.call(
    saveCard,
    { projectCode, cardNo: 'P1', cardType: 'ic', userId: person.userId, roomId: person.roomId },
    me,
  )
  agent = await s.connect(site.identity)
  await agent.beatHeard([{ id: device.id, isOnline: true }])
  await s.runIntervals(0, 'gateway-beats')
})

afterAll(() => s?.close())

type Data = Readonly<Record<string, unknown>>

/** The newest that the device was sent of an item. */
async function sentItem(itemKey: string, isRight: (data: Data, action: string) => boolean): Promise<Data> {
  await planChanged(s.app)
  const find = () =>
    agent
      .of('desired')
      .flatMap(message => message.items)
      .findLast(item => item.key === itemKey && isRight(item.data ?? {}, item.action))
  await agent.waitFor('desired', () => find() !== undefined)
  return defined(find()).data ?? {}
}

const edit = async (values: Partial<DoorwayDevice>): Promise<DoorwayDevice> => {
  const { id, version } = await s.call(getDeviceParameters, { deviceId: bound.deviceId }, me)
  return s.call(editDeviceParameters, { id, version: defined(version), ...values }, me)
}

const isOpening = async (): Promise<boolean> =>
  (
    await canOpen(s.app.database.reader(s.ownerId), s.ownerId, {
      doorwayId: doorway.id,
      key: 'card:P1',
      at: fromInstant(s.now()),
    })
  ).isAllowed

it('parameters of a device reach it with the settings of its doorway (EccOpenDoor)', async () => {
  await edit({ antennaNo: 2, volume: 0, threshold: 85 })
  const data = await sentItem('settings', settings => settings.antennaNo === 2)
  expect(data).toMatchObject({
    antennaNo: 2,
    volume: 0,
    threshold: 85,
    openSeconds: 5,
    direction: 30,
    passage: 30,
  })
  const shown = await s.call(getDeviceParameters, { deviceId: bound.deviceId }, me)
  expect(shown).toMatchObject({ antennaNo: 2, volume: 0, threshold: 85, doorwayName: '北门', isOnline: true })
})

it('parameters beyond what a device takes, and those of a stale form, are refused', async () => {
  const { id, version } = await s.call(getDeviceParameters, { deviceId: bound.deviceId }, me)
  await expect(
    s.call(editDeviceParameters, { id, version: defined(version), volume: 11 }, me),
  ).rejects.toThrow('音量')
  await expect(
    s.call(editDeviceParameters, { id, version: defined(version), antennaNo: 5 }, me),
  ).rejects.toThrow('天线号')
  await expect(
    s.call(editDeviceParameters, { id, version: defined(version) - 1, volume: 3 }, me),
  ).rejects.toThrow()
  await expect(s.call(getDeviceParameters, { deviceId: asId(999_999) }, me)).rejects.toThrow('设备未绑定到门')
})

it('ACS-2 a device that takes the credentials of staff only holds and opens nothing for residents', async () => {
  await sentItem('card:P1', (_, action) => action === 'put')
  expect(await isOpening()).toBe(true)
  await edit({ openRoles: ['staff'] })
  await sentItem('card:P1', (_, action) => action === 'remove')
  expect(await isOpening()).toBe(false)
  await edit({ openRoles: ['staff', 'resident'] })
  await sentItem('card:P1', (_, action) => action === 'put')
  expect(await isOpening()).toBe(true)
})

it('a photo goes to the site as a link of this server that opens without a sign-in', async () => {
  const picture = randomBytes(3000)
  const key = await s.app.files.save(s.ownerId, 0, {
    name: 'face.jpg',
    type: 'image/jpeg',
    bytes: picture,
  })
  const faceId = await s.app.database.tx(s.ownerId, async tx => {
    const row = await tx.one<{ id: Id }>(sql`
      insert into face_key (owner_id, project_code, user_id, face, state)
      values (${s.ownerId}, ${projectCode}, ${person.userId}, ${key}, 10)
      returning id
    `)
    tx.defer(sql`
      insert into access_dirty (owner_id, subject, record_id)
      values (${s.ownerId}, 'faceKey', ${defined(row).id})
      returning id
    `)
    return defined(row).id
  })
  const data = await sentItem(`face:${faceId}`, () => true)
  expect(data.picture).toBeUndefined()
  const answer = await fetch(new URL(String(data.pictureLink), s.origin()))
  expect(Buffer.from(await answer.arrayBuffer()).equals(picture)).toBe(true)
})

it('ACS-3 a device that was reset is sent everything again', async () => {
  const versionOf = async () =>
    (
      await s.app.database.reader(s.ownerId).one<{ version: number }>(sql`
        select item_version as version
        from device_item
        where owner_id = ${s.ownerId} and device_id = ${bound.deviceId} and item_key = 'card:P1'
      `)
    )?.version
  const before = defined(await versionOf())
  agent.events([{ type: 'deviceReset', deviceId: bound.deviceId, data: { serial: 'SIM2' } }], 1)
  await agent.waitFor('eventsAck', ack => ack.seq === 1)
  await agent.waitFor('desired', () =>
    agent
      .of('desired')
      .flatMap(message => message.items)
      .some(item => item.key === 'card:P1' && item.version > before),
  )
  expect(await versionOf()).toBeGreaterThan(before)
})

it('a card is read at a device of a doorway, for the one who asked alone', async () => {
  // Those that can be reached stand first.
  const readers = await s.call(listCardReaders, { projectCode }, me)
  expect(readers[0]).toMatchObject({ deviceId: bound.deviceId, isOnline: true })
  expect(readers.slice(1).every(({ isOnline }) => !isOnline)).toBe(true)
  const { taskId } = await s.call(startCardReading, { projectCode, deviceId: bound.deviceId }, me)
  const command = await agent.waitFor('command', sent => sent.taskId === taskId)
  expect(command.input).toMatchObject({ action: 'readCard' })
  agent.send({ kind: 'result', taskId, outcome: 'done', data: { card: '0A1B' } })
  expect(await s.call(getCardRead, { taskId }, me)).toEqual({ isEnded: true, cardNo: '0A1B' })
  await expect(s.call(getCardRead, { taskId: asId(taskId + 1) }, me)).rejects.toThrow()
  await expect(s.call(startCardReading, { projectCode, deviceId: asId(999_999) }, me)).rejects.toThrow(
    '此设备不能读卡',
  )
})

it('a reading that finds no card says so', async () => {
  const { taskId } = await s.call(startCardReading, { projectCode, deviceId: bound.deviceId }, me)
  await agent.waitFor('command', sent => sent.taskId === taskId)
  agent.send({ kind: 'result', taskId, outcome: 'failed', reason: '设备等待超时' })
  expect(await s.call(getCardRead, { taskId }, me)).toEqual({ isEnded: true, reason: '设备等待超时' })
})
