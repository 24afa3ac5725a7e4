import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { listDeviceEvents } from '#modules/devices/contract/device-event.ts'
import { DeviceServers, type Clerk } from '#modules/devices/server/device-servers.fixtures.ts'
import { DoorwaySite, secondsAgo } from './passage.fixtures.ts'
import { onPassage, type StoredPassage } from './public.ts'

let s: DeviceServers
let me: Clerk
let site: DoorwaySite
const batches: (readonly StoredPassage[])[] = []

onPassage((_tx, _scope, passages) => {
  if (passages.some(({ itemKey }) => itemKey === 'card:USED')) {
    throw new Refused(resultCode.refused, '访客码已用完')
  }
  batches.push(passages)
})

beforeAll(async () => {
  s = await DeviceServers.open()
  me = await s.signIn()
  site = await DoorwaySite.open(s, me)
})

beforeEach(() => batches.splice(0))

afterAll(async () => {
  site?.close()
  await s?.close()
})

const record = { method: 1, result: 1, direction: 1 } as const

it('another module gets what is new, together and once; what repeats is no passing', async () => {
  const both = [
    { ...record, key: '1', at: secondsAgo(60), card: 'a' },
    { ...record, key: '2', at: secondsAgo(40), card: 'b' },
  ]
  await site.report(both)
  await site.report([...both, { ...record, key: '3', at: secondsAgo(39), card: 'b' }])
  expect(batches.map(batch => batch.map(({ itemKey }) => itemKey))).toEqual([['card:A', 'card:B']])
  const { id, projectCode } = site.doorway
  expect(batches[0]?.[0]).toMatchObject({
    doorwayId: id,
    deviceId: site.deviceId,
    projectCode,
    openStatus: 'opened',
    direction: 'entrance',
  })
})

it('what another module refuses is kept as failed with its reason; the others of the batch go on', async () => {
  const before = (await site.passages()).length
  await site.report([
    { ...record, key: '4', at: secondsAgo(30), card: 'c' },
    { ...record, key: '5', at: secondsAgo(20), card: 'used' },
    { ...record, key: '6', at: secondsAgo(10), card: 'd' },
  ])
  expect(batches.flat().map(({ itemKey }) => itemKey)).toEqual(['card:C', 'card:D'])
  expect(await site.passages()).toHaveLength(before + 2)
  const gatewayId = [String(site.gateway.gateway.id)]
  const { rows } = await s.call(listDeviceEvents, { gatewayId, state: ['failed'] }, me)
  expect(rows.map(({ reason }) => reason)).toEqual(['访客码已用完'])
})
