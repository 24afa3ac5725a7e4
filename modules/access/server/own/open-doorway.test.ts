import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import { golden } from '#db/golden/golden-data.ts'
import { DeviceServers, type Clerk } from '#modules/devices/server/device-servers.fixtures.ts'
import { addResidentBlock } from '#modules/residents/contract/block.ts'
import { keysOf } from '#kit/contract/field.ts'
import { weekDay } from '../../contract/choices.ts'
import { publicTimes } from '../../contract/public-time.ts'
import { doorways, type Doorway } from '../../contract/doorway.ts'
import { openDoorway } from '../../contract/remote-open.ts'
import {
  getOwnOpening,
  getStaffAccess,
  listOwnLinks,
  openOwnAccess,
  openOwnDoorway,
  openStaffDoorway,
} from '../../contract/own-access.ts'
import { projectCode } from '../access.fixtures.ts'
import { DoorwaySite, secondsAgo } from '../passage.fixtures.ts'
import { selectNeighbours, type Neighbour } from '../people.fixtures.ts'

let s: DeviceServers
let me: Clerk
let site: DoorwaySite
let people: Neighbour[]
let isRefusing = false

beforeAll(async () => {
  s = await DeviceServers.open()
  me = await s.signIn()
  site = await DoorwaySite.open(s, me, {
    onCommand: ({ taskId }) =>
      isRefusing ? { taskId, outcome: 'failed', reason: '锁舌卡住' } : { taskId, outcome: 'done' },
  })
  people = await selectNeighbours(s.app.database.reader(s.ownerId), s.ownerId)
})

afterAll(async () => {
  site?.close()
  await s?.close()
})

async function tokenOf({ userId, place }: Neighbour): Promise<string> {
  const links = await s.call(listOwnLinks, { userId }, me)
  const { url } = defined(links.find(({ placeName }) => placeName === place))
  return defined(new URL(defined(url), 'http://here').searchParams.get('t'))
}

const open = async (person: Neighbour, { id }: Pick<Doorway, 'id'> = site.doorway) =>
  s.call(openOwnDoorway, { token: await tokenOf(person), doorwayId: id })

const refusalOf = async (person: Neighbour, { id }: Pick<Doorway, 'id'> = site.doorway): Promise<string> =>
  JSON.stringify(await s.callRaw(openOwnDoorway, { token: await tokenOf(person), doorwayId: id }))

it('a resident sees the doors that open now, and opens one; the result is the device’s (ACS-2, ACS-6)', async () => {
  const person = defined(people[0])
  const page = await s.call(openOwnAccess, { token: await tokenOf(person) })
  expect(page).toMatchObject({ personName: person.name, placeName: person.place })
  expect(page.doorways).toContainEqual(
    expect.objectContaining({ doorwayName: site.doorway.doorwayName, isOnline: true }),
  )
  const { ticket } = await open(person)
  expect(await s.call(getOwnOpening, { ticket })).toMatchObject({ state: 'done', hasEnded: true })
  const [row, ...more] = await site.passages()
  expect(more).toEqual([])
  expect(row).toMatchObject({
    openMethod: 'mobile',
    openStatus: 'opened',
    personKind: 'resident',
    personName: person.name,
    userId: person.userId,
    roomId: person.roomId,
  })
  const forged = ticket.replace(/\.[^.]+$/, '.AAAAAAAAAAAAAAAAAAAAAAAA')
  expect((await s.callRaw(getOwnOpening, { ticket: forged })).Code).toBe(10004)
})

it('the device’s own record is the same opening; two people within a minute are two records (ACS-5)', async () => {
  await site.report([{ key: 'own1', at: secondsAgo(1), method: 5, result: 1, direction: 1 }])
  expect(await site.passages()).toHaveLength(1)
  const second = defined(people[1])
  await s.call(getOwnOpening, { ticket: (await open(second)).ticket })
  const rows = await site.passages()
  expect(new Set(rows.map(row => row.personName))).toEqual(new Set([people[0]?.name, second.name]))
  expect(rows).toHaveLength(2)
})

it('an opening that the device refuses says why, and is a record too', async () => {
  isRefusing = true
  const { ticket } = await open(defined(people[0]))
  const result = await s.call(getOwnOpening, { ticket })
  isRefusing = false
  expect(result).toMatchObject({ state: 'failed', reason: '锁舌卡住', hasEnded: true })
  const failed = (await site.passages()).filter(row => row.openStatus === 'refused')
  expect(failed).toMatchObject([{ openMethod: 'mobile', reason: '锁舌卡住', userId: people[0]?.userId }])
})

it('a door without a right, another way, a block: refused in words, and nothing is sent (ACS-2)', async () => {
  const own = await s.call(
    doorways.add,
    { ...site.doorway, doorwayCode: undefined, doorwayName: '配电间', isPublic: false },
    me,
  )
  const person = defined(people[2])
  expect(await refusalOf(person, own)).toContain('无此门的权限')
  const { userId, name } = person
  await s.call(addResidentBlock, { projectCode, userId, name, scope: ['access'], reason: '恶意破坏' }, me)
  expect(await refusalOf(person)).toContain('黑名单')
  const page = await s.call(openOwnAccess, { token: await tokenOf(person) })
  expect(page.doorways).toEqual([])
  expect(page.refusal).toContain('黑名单')
  const always = { projectCode, weekDays: keysOf(weekDay), beginTime: '00:00', endTime: '23:59' } as const
  for (const { id } of [site.doorway, own]) {
    await s.call(publicTimes.add, { ...always, doorwayId: id }, me)
  }
  // A free time is for who stands at the door.
  expect(await refusalOf(person)).toContain('黑名单')
  expect(await refusalOf(defined(people[1]), own)).toContain('无此门的权限')
})

it('one person opens ten times a minute; another is not kept waiting', async () => {
  const person = defined(people[3])
  for (let i = 0; i < 10; i++) {
    await open(person)
  }
  expect(await refusalOf(person)).toContain('过于频繁')
  await open(defined(people[4]))
})

it('somebody with two homes opens ten times a minute too, whichever link is used', async () => {
  const person = defined(people[5])
  const other = defined(people[6])
  await s.app.database.tx(s.ownerId, tx =>
    tx.execute(sql`
      update user_room
      set user_id = ${person.userId}
      where owner_id = ${s.ownerId} and id = ${other.residencyId}
    `),
  )
  const homes = [person, { ...person, place: other.place }]
  for (let i = 0; i < 10; i++) {
    await open(defined(homes[i % 2]))
  }
  expect(await refusalOf(defined(homes[0]))).toContain('过于频繁')
  expect(await refusalOf(defined(homes[1]))).toContain('过于频繁')
})

it('one of the staff opens by the own rights, not by those of the account (ACS-2)', async () => {
  const { doorway } = site
  expect(JSON.stringify(await s.callRaw(openStaffDoorway, { doorwayId: doorway.id }, me))).toContain(
    '未关联在职员工',
  )
  await s.app.database.tx(s.ownerId, tx =>
    tx.execute(sql`
      update staff
      set manager_id = (
        select m.id from manager m where m.owner_id = ${s.ownerId} and m.login_code = ${golden.first.owner}
      )
      where owner_id = ${s.ownerId} and id = (
        select t.id from staff t where t.owner_id = ${s.ownerId} and t.state <> 30 and t.delete_tag = 0
          and t.manager_id is null order by t.id limit 1
      )
    `),
  )
  const refused = JSON.stringify(await s.callRaw(openStaffDoorway, { doorwayId: doorway.id }, me))
  expect(refused).toContain('无此门的权限')
  const [lobby] = (await s.call(getStaffAccess, { projectCode }, me)).doorways
  expect(lobby?.isOnline).toBe(false)
  const offline = JSON.stringify(await s.callRaw(openStaffDoorway, { doorwayId: defined(lobby).id }, me))
  expect(offline).toContain('离线')
})

it('an operator’s opening is a record beside a resident’s of the same minute (ACS-6)', async () => {
  const before = (await site.passages()).length
  await s.call(openDoorway, { id: site.doorway.id }, me)
  await expect.poll(async () => (await site.passages()).length).toBe(before + 1)
})
