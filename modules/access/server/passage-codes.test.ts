import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import { listDeviceEvents } from '#modules/devices/contract/device-event.ts'
import { DeviceServers, type Clerk } from '#modules/devices/server/device-servers.fixtures.ts'
import { changeCardStates, saveCard } from '#modules/residents/contract/card.ts'
import { doorways } from '../contract/doorway.ts'
import { listOwnLinks, showOwnCode } from '../contract/own-access.ts'
import { listPassages } from '../contract/passage.ts'
import { checkRight } from '../contract/reach.ts'
import { projectCode } from './access.fixtures.ts'
import { DoorwaySite, secondsAgo } from './passage.fixtures.ts'
import { selectNeighbours, type Neighbour } from './people.fixtures.ts'

let s: DeviceServers
let me: Clerk
/** A public door, and one to which nobody has a right. */
let lobby: DoorwaySite
let plant: DoorwaySite
let people: Neighbour[]

beforeAll(async () => {
  s = await DeviceServers.open()
  me = await s.signIn()
  lobby = await DoorwaySite.open(s, me)
  plant = await DoorwaySite.open(s, me)
  await s.call(doorways.edit, { ...plant.doorway, isPublic: false }, me)
  people = await selectNeighbours(s.app.database.reader(s.ownerId), s.ownerId)
})

afterAll(async () => {
  lobby?.close()
  plant?.close()
  await s?.close()
})

async function showCode({ userId }: Neighbour): Promise<string> {
  const [link] = await s.call(listOwnLinks, { userId }, me)
  const token = defined(new URL(defined(defined(link).url), 'http://here').searchParams.get('t'))
  return (await s.call(showOwnCode, { token })).code
}

const masked = (code: string): string => `${'*'.repeat(code.length - 2)}${code.slice(-2)}`
const unknown = { method: 1, result: 0, direction: 1, reason: '卡号未登记' } as const

it('a code that a device takes for a card is a record of its holder, with the true reason (ACS-1, ACS-5)', async () => {
  const person = defined(people[0])
  const code = await showCode(person)
  const record = { ...unknown, key: 'c1', at: secondsAgo(10), card: code, item: `card:${code}` }
  await plant.report([record])
  const passages = await plant.passages()
  expect(passages).toMatchObject([
    {
      openMethod: 'qr',
      personName: person.name,
      personKind: 'resident',
      reason: '无此门的权限',
      itemKey: `pass:${masked(code)}`,
      cardNo: masked(code),
    },
  ])
  const events = await s.call(listDeviceEvents, { projectCode, size: 100 }, me)
  const parts = await s.call(listDeviceEvents, { projectCode, keyword: code.slice(0, 9), size: 100 }, me)
  const stored = await s.app.database
    .reader(s.ownerId)
    .rows(sql`select card_no from access_record where owner_id = ${s.ownerId} and record_key = 'c1'`)
  expect(JSON.stringify([passages, events.rows, stored])).not.toContain(code)
  expect(parts.rows).toEqual([])
  const found = await s.call(listPassages, { projectCode, cardNo: code }, me)
  expect(found.rows).toHaveLength(1)
  await plant.report([record])
  expect(await plant.passages()).toHaveLength(1)
  const refused = await s.call(listDeviceEvents, { projectCode, state: ['failed'], size: 100 }, me)
  expect(refused.rows).toEqual([])
})

it('before a code has arrived the record says so', async () => {
  const code = await showCode(defined(people[1]))
  await lobby.report([{ ...unknown, key: 'c2', at: secondsAgo(5), card: code }])
  expect((await lobby.passages()).map(row => row.reason)).toEqual(['凭证尚未下发到设备'])
})

it('a number that nobody has and that may be a code is shown by its last digits', async () => {
  const [code, invitation, card] = ['9127642031205858', '76693219', '0012345678']
  await lobby.report(
    [code, invitation, card].map((number, i) => ({
      ...unknown,
      key: `n${i}`,
      at: secondsAgo(40 - i * 10),
      card: number,
    })),
  )
  const rows = (await lobby.passages()).filter(row => row.recordKey.startsWith('n'))
  expect(rows.map(row => row.cardNo).toReversed()).toEqual([masked(code), masked(invitation), card])
  const stored = await s.app.database.reader(s.ownerId).rows(sql`
    select card_no from access_record where owner_id = ${s.ownerId} and record_key = 'n0'
  `)
  expect(JSON.stringify([rows, stored])).not.toContain(code)
  const found = await s.call(listPassages, { projectCode, cardNo: code }, me)
  expect(found.rows.map(row => row.recordKey)).toEqual(['n0'])
})

it('of a cancelled card and a code with one number the code counts (ACS-1)', async () => {
  const holder = defined(people[2])
  const person = defined(people[3])
  const code = await showCode(person)
  const card = await s.call(
    saveCard,
    { projectCode, cardNo: '7777777777777777', cardType: 'ic', userId: holder.userId, roomId: holder.roomId },
    me,
  )
  await s.call(changeCardStates, { ids: [String(card.id)], state: 'ended', reason: '丢失' }, me)
  await s.app.database.tx(s.ownerId, tx =>
    tx.execute(
      sql`update identity_card set card_no = ${code} where owner_id = ${s.ownerId} and id = ${card.id}`,
    ),
  )
  const asked = { doorwayId: lobby.doorway.id, cardNo: code }
  expect(await s.call(checkRight, asked, me)).toMatchObject({ isAllowed: true, holderName: person.name })
  await plant.report([{ ...unknown, key: 'c4', at: secondsAgo(2), card: code }])
  const [row] = await plant.passages()
  expect(row).toMatchObject({ personName: person.name, reason: '无此门的权限' })
})
