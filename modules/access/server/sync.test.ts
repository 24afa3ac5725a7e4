import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { changeCardStates, listCards } from '#modules/residents/contract/card.ts'
import { checkOut } from '#modules/residents/contract/move.ts'
import { deleteResidentBlocks, addResidentBlock } from '#modules/residents/contract/block.ts'
import { itemAction } from '#modules/devices/contract/choices.ts'
import { code } from '#kit/server/sql.ts'
import { doorwayDevices } from '../contract/doorway-device.ts'
import { doorways } from '../contract/doorway.ts'
import { doorwayGroups } from '../contract/group.ts'
import { vipDoorways } from '../contract/vip-doorway.ts'
import { publicTimes } from '../contract/public-time.ts'
import { addDoorway, addDoorwayDevice, addGroup, bindDevice, projectCode } from './access.fixtures.ts'
import { findNeighbours, inBuilding, issueCard, type Neighbour } from './people.fixtures.ts'
import { planChanged, planDays } from './sync/jobs.ts'

let t: GoldenApp
let me: CallOptions
let people: Neighbour[]
let today: Day
const reason = '录入有误'

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.signedInAs(golden.first.owner)
  people = await findNeighbours(t)
  today = dayOfMoment(fromInstant(t.app.clock()))
})

afterAll(() => t?.close())

interface Wanted {
  readonly itemKey: string
  readonly runData: Readonly<Record<string, unknown>>
}

/** What a device is to hold now, once everything that is marked has been computed. */
async function wantedOf(deviceId: Id): Promise<Map<string, Wanted['runData']>> {
  await planChanged(t.app)
  const rows = await t.database.reader(t.ownerId).rows<Wanted>(sql`
    select item_key, run_data
    from device_item
    where owner_id = ${t.ownerId} and device_id = ${deviceId} and action = ${code(itemAction, 'put')}
  `)
  return new Map(rows.map(row => [row.itemKey, row.runData]))
}

const keysOf = async (deviceId: Id): Promise<string[]> =>
  [...(await wantedOf(deviceId)).keys()].filter(key => key !== 'settings').toSorted()

async function boundDoorway(values: Parameters<typeof addDoorway>[2] = {}) {
  const doorway = await addDoorway(t, me, values)
  const device = await addDoorwayDevice(t, me)
  const link = await bindDevice(t, me, doorway, device.id)
  return { doorway, device, link }
}

it('a device that is bound gets everybody of its door, one that is unbound loses them (ACS-3)', async () => {
  const home = inBuilding(people, 'B1', '1')
  const { cardNo } = await issueCard(t, me, home)
  const { device, link } = await boundDoorway({ isPublic: true, buildCode: 'B1' })
  const wanted = await wantedOf(device.id)
  expect(wanted.get(`card:${cardNo}`)).toEqual({
    kind: 'card',
    number: cardNo,
    name: home.name,
    rights: [expect.anything()],
  })
  expect(wanted.get('settings')).toEqual({ direction: 30, passage: 30, openSeconds: 5, freeTimes: [] })
  await t.call(doorwayDevices.delete, { ids: [String(link.id)], reason: '更换设备' }, me)
  expect([...(await wantedOf(device.id)).keys()]).toEqual([])
})

it('each change reaches the devices that it concerns: cards, groups, doors, free times (ACS-3)', async () => {
  const { doorway, device } = await boundDoorway()
  const person = inBuilding(people, 'B2')
  expect(await keysOf(device.id)).toEqual([])
  const group = await addGroup(t, me, [doorway])
  const card = await issueCard(t, me, person, { doorwayGroupIds: [String(group.id)] })
  const key = `card:${card.cardNo}`
  expect(await keysOf(device.id)).toEqual([key])
  const change = (state: 'lost' | 'normal') => t.call(changeCardStates, { ids: [String(card.id)], state }, me)
  await change('lost')
  expect(await keysOf(device.id)).toEqual([])
  await change('normal')
  expect(await keysOf(device.id)).toEqual([key])
  const windows = [{ begin: '08:00', end: '18:00' }]
  const changed = await t.call(doorwayGroups.edit, { ...group, windows }, me)
  expect((await wantedOf(device.id)).get(key)).toMatchObject({ rights: [{ windows }] })
  await t.call(doorwayGroups.edit, { ...changed, state: 'off' }, me)
  expect(await keysOf(device.id)).toEqual([])
  const vip = {
    projectCode,
    userId: person.userId,
    doorwayIds: [String(doorway.id)],
    state: 'valid',
  } as const
  const { id } = await t.call(vipDoorways.add, { ...vip, endDate: addDays(today, 5) }, me)
  expect((await wantedOf(device.id)).get(key)).toMatchObject({ rights: [{ until: addDays(today, 5) }] })
  const free = { projectCode, doorwayId: doorway.id, beginTime: '07:00', endTime: '08:00' } as const
  await t.call(publicTimes.add, { ...free, weekDays: ['monday'] }, me)
  expect((await wantedOf(device.id)).get('settings')).toMatchObject({
    freeTimes: [{ weekDays: [1], begin: '07:00', end: '08:00' }],
  })
  await t.call(doorways.edit, { ...doorway, state: 'off' }, me)
  expect([...(await wantedOf(device.id)).keys()]).toEqual([])
  await t.call(vipDoorways.delete, { ids: [String(id)], reason }, me)
})

it('a move out and a block withdraw; the end of a block gives back (BASE-11, BASE-15)', async () => {
  const { device } = await boundDoorway({ isPublic: true, buildCode: 'B2' })
  const [leaving, blocked] = people.filter(({ buildCode }) => buildCode === 'B2').slice(1)
  const cards = [await issueCard(t, me, defined(leaving)), await issueCard(t, me, defined(blocked))]
  const [first, second] = cards.map(({ cardNo }) => `card:${cardNo}`)
  expect(await keysOf(device.id)).toEqual(expect.arrayContaining([first, second]))
  const ids = [String(defined(leaving).residencyId)]
  await t.call(checkOut, { ids, outDate: today, reason: '退租', answers: [] }, me)
  expect(await keysOf(device.id)).not.toContain(first)
  const { userId, name } = defined(blocked)
  const block = await t.call(addResidentBlock, { projectCode, userId, name, scope: ['access'], reason }, me)
  expect(await keysOf(device.id)).not.toContain(second)
  await t.call(deleteResidentBlocks, { ids: [String(block.id)], reason }, me)
  expect(await keysOf(device.id)).toContain(second)
})

it('cards that end within seven days are listed for renewal (ACS-4, 1§7)', async () => {
  const person = inBuilding(people, 'B1')
  const soon = await issueCard(t, me, person, { endDate: addDays(today, 7) })
  const later = await issueCard(t, me, person, { endDate: addDays(today, 8) })
  const { rows } = await t.call(listCards, { endsSoon: true, size: 100 }, me)
  const numbers = rows.map(({ cardNo }) => cardNo)
  expect([numbers.includes(soon.cardNo), numbers.includes(later.cardNo)]).toEqual([true, false])
})

it('what ends with a day is withdrawn on the next, also after a day without a server (ACS-4)', async () => {
  const { device } = await boundDoorway({ isPublic: true })
  const card = await issueCard(t, me, inBuilding(people, 'B1'), { endDate: today })
  const key = `card:${card.cardNo}`
  await planDays(t.app)
  expect(await keysOf(device.id)).toContain(key)
  const clock = t.app.clock
  const app = { ...t.app, clock: () => clock() + 2 * 86_400_000 }
  await planDays(app)
  await planChanged(app)
  expect(await keysOf(device.id)).not.toContain(key)
})

it('a move out ends the VIP doors of those who have no other home in the project (BASE-11)', async () => {
  const { doorway, device } = await boundDoorway()
  const person = defined(people.filter(({ buildCode }) => buildCode === 'B2').at(-1))
  // A card for no room is not ended by a move: the right must fall by itself.
  const { cardNo } = await issueCard(t, me, { userId: person.userId })
  const vip = {
    projectCode,
    userId: person.userId,
    doorwayIds: [String(doorway.id)],
    state: 'valid',
  } as const
  const { id } = await t.call(vipDoorways.add, vip, me)
  expect(await keysOf(device.id)).toEqual([`card:${cardNo}`])
  const move = { ids: [String(person.residencyId)], outDate: today, reason: '退租', answers: [] }
  await t.call(checkOut, move, me)
  expect((await t.call(vipDoorways.get, { id }, me)).state).toBe('disabled')
  expect(await keysOf(device.id)).toEqual([])
})

it('what does not change is not sent again (ACS-3)', async () => {
  const { device } = await boundDoorway({ isPublic: true })
  await wantedOf(device.id)
  const versions = () =>
    t.database.reader(t.ownerId).rows(sql`
      select item_key, item_version
      from device_item
      where owner_id = ${t.ownerId} and device_id = ${device.id}
      order by item_key
    `)
  const before = await versions()
  expect(before.length).toBeGreaterThan(1)
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`delete from access_plan_day where owner_id = ${t.ownerId}`),
  )
  await planDays(t.app)
  await planChanged(t.app)
  expect(await versions()).toEqual(before)
})
