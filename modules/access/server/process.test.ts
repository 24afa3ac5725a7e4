import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { getPassageProcess } from '../contract/process.ts'
import { publicTimes } from '../contract/public-time.ts'
import { vipDoorways } from '../contract/vip-doorway.ts'
import { addDoorway, addDoorwayDevice, addGroup, bindDevice, projectCode } from './access.fixtures.ts'
import { findNeighbours, issueCard } from './people.fixtures.ts'
import { planChanged } from './sync/jobs.ts'

let t: GoldenApp
let me: CallOptions

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.signedInAs(golden.first.owner)
})

afterAll(() => t?.close())

it('shows of a door why people pass, when, and whether its devices have them (ACS-2, ACS-3, 1§2)', async () => {
  const today = dayOfMoment(fromInstant(t.app.clock()))
  const people = await findNeighbours(t)
  const [first, second, third] = [defined(people[0]), defined(people[1]), defined(people[2])]
  const doorway = await addDoorway(t, me, { direction: 'entrance', openSeconds: 8 })
  const doorwayId = doorway.id
  const ask = () => t.call(getPassageProcess, { doorwayId }, me)
  expect(await ask()).toMatchObject({ direction: 'entrance', openSeconds: 8, rights: [], devices: [] })
  const device = await addDoorwayDevice(t, me)
  await bindDevice(t, me, doorway, device.id)
  const windows = [{ begin: '08:00', end: '18:00' }]
  const group = await addGroup(t, me, [doorway], { groupName: '泳池', windows })
  const doorwayGroupIds = [String(group.id)]
  await issueCard(t, me, { userId: first.userId }, { doorwayGroupIds })
  await issueCard(t, me, { userId: first.userId }, { doorwayGroupIds })
  await issueCard(t, me, { userId: second.userId }, { doorwayGroupIds })
  // Of a later day: planned to the device, but no way to pass today.
  await issueCard(t, me, { userId: third.userId }, { doorwayGroupIds, beginDate: addDays(today, 3) })
  const free = { projectCode, doorwayId, weekDays: ['monday'], beginTime: '07:00', endTime: '08:30' } as const
  await t.call(publicTimes.add, free, me)
  await t.call(
    publicTimes.add,
    { ...free, beginTime: '09:00', endTime: '10:00', effectiveTo: addDays(today, -1) },
    me,
  )
  await planChanged(t.app)
  expect(await ask()).toMatchObject({
    isInUse: true,
    credentials: [{ kind: 'card', count: 3 }],
    rights: [{ source: 'group', name: '泳池', windows: '每天 08:00 ~ 18:00', people: 2, credentials: 3 }],
    freeTimes: [{ windows: '周一 07:00 ~ 08:30' }],
    devices: [{ deviceName: device.name, isOnline: false, waitingCount: 5, missingReason: '设备离线' }],
  })
  const vip = { projectCode, userId: first.userId, doorwayIds: [String(doorwayId)], state: 'valid' } as const
  await t.call(vipDoorways.add, vip, me)
  expect((await ask()).rights).toMatchObject([{ source: 'group' }, { source: 'vip', people: 1 }])
})

it('is not there for another company', async () => {
  const doorway = await addDoorway(t, me)
  const other = await t.signedInAs(golden.second.owner)
  const asked = t.call(getPassageProcess, { doorwayId: doorway.id }, other)
  expect(await refusalMessageOf(asked)).toContain('不存在')
})
