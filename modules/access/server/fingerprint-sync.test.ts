import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import {
  DeviceServers,
  type Clerk,
  type PairedGateway,
} from '#modules/devices/server/device-servers.fixtures.ts'
import type { AgentClient } from '#modules/devices/server/fixtures/agent-client.ts'
import {
  deleteResidentFingerprints,
  saveResidentFingerprint,
} from '#modules/residents/contract/fingerprint.ts'
import { doorwayDevices } from '../contract/doorway-device.ts'
import { doorways, type Doorway } from '../contract/doorway.ts'
import { listPassages } from '../contract/passage.ts'
import { projectCode } from './access.fixtures.ts'
import { secondsAgo } from './passage.fixtures.ts'
import { selectNeighbours, type Neighbour } from './people.fixtures.ts'
import { planChanged } from './sync/jobs.ts'

let s: DeviceServers
let me: Clerk
let site: PairedGateway
let agent: AgentClient
let doorway: Doorway
let deviceId: Id
let person: Neighbour
const template = Buffer.from('a fingerprint template of one finger').toString('base64')

beforeAll(async () => {
  s = await DeviceServers.open()
  me = await s.signIn()
  person = defined((await selectNeighbours(s.app.database.reader(s.ownerId), s.ownerId))[0])
  site = await s.pairedGateway(me)
  deviceId = (await s.addDevice(me, site.gateway, await s.addModel(me, 'doorwaySimulator'))).id
  doorway = await s.call(
    doorways.add,
    {
      projectCode,
      doorwayName: '南门',
      direction: 'both',
      passageType: 'pedestrian',
      isPublic: true,
      openSeconds: 5,
      state: 'on',
    },
    me,
  )
  await s.call(doorwayDevices.add, { projectCode, doorwayId: doorway.id, deviceId, direction: 'both' }, me)
  agent = await s.connect(site.identity)
  await agent.beatHeard([{ id: deviceId, isOnline: true }])
  await s.runIntervals(0, 'gateway-beats')
})

afterAll(() => s?.close())

const sentItem = (key: string, action: 'put' | 'remove') =>
  agent
    .of('desired')
    .flatMap(message => message.items)
    .findLast(item => item.key === key && item.action === action)

it('a finger is sent as a link to its template, and its passages are its person’s after it is deleted (ACS-3, ACS-5)', async () => {
  const print = await s.call(
    saveResidentFingerprint,
    { userId: person.userId, fingerNo: 'rightIndex', template, isConsented: true },
    me,
  )
  const key = `fingerprint:u${print.id}`
  await planChanged(s.app)
  await agent.waitFor('desired', () => sentItem(key, 'put') !== undefined)
  const { data = {} } = defined(sentItem(key, 'put'))
  expect(JSON.stringify(agent.of('desired'))).not.toContain(template)
  expect(data.picture).toBeUndefined()
  const fetched = await fetch(new URL(String(data.templateLink), s.origin()))
  expect([await fetched.text(), fetched.headers.get('content-type')]).toEqual([
    template,
    'application/octet-stream',
  ])
  await s.call(deleteResidentFingerprints, { ids: [String(print.id)], reason: '录错手指' }, me)
  await planChanged(s.app)
  await agent.waitFor('desired', () => sentItem(key, 'remove') !== undefined)
  const refused = await fetch(new URL(String(data.templateLink), s.origin()))
  expect([refused.status, refused.headers.get('content-type')]).toEqual([
    404,
    'application/json; charset=utf-8',
  ])
  const record = { key: '1', at: secondsAgo(30), method: 8, result: 1, direction: 1, item: key }
  agent.events([{ type: 'doorPassage', deviceId, data: record }], 1)
  await agent.waitFor('eventsAck', ack => ack.seq === 1)
  const input = { projectCode, doorwayId: [String(doorway.id)] }
  expect((await s.call(listPassages, input, me)).rows).toMatchObject([
    { openMethod: 'fingerprint', openStatus: 'opened', personKind: 'resident', personName: person.name },
  ])
})
