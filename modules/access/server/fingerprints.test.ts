import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { faultTextsOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { code } from '#kit/server/sql.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { itemAction } from '#modules/devices/contract/choices.ts'
import { linkedData } from '#modules/devices/server/item-link.ts'
import { addResidentBlock, deleteResidentBlocks } from '#modules/residents/contract/block.ts'
import { changeCardStates } from '#modules/residents/contract/card.ts'
import {
  deleteResidentFingerprints,
  listResidentFingerprints,
  saveResidentFingerprint,
  type ResidentFingerprint,
} from '#modules/residents/contract/fingerprint.ts'
import { mergeResidents } from '#modules/residents/contract/maintenance.ts'
import { checkOut } from '#modules/residents/contract/move.ts'
import { saveStaffFingerprint } from '#modules/staff/contract/fingerprint.ts'
import { resignStaff, staffs } from '#modules/staff/contract/staff.ts'
import { listRights } from '../contract/reach.ts'
import { listUnsynced } from '../contract/unsynced.ts'
import { addDoorway, addDoorwayDevice, addGroup, bindDevice, projectCode } from './access.fixtures.ts'
import { fingerprintEndpoint } from './fingerprint-link.ts'
import { findNeighbours, inBuilding, issueCard, type Neighbour } from './people.fixtures.ts'
import { canOpen } from './reach/decision.ts'
import { planChanged } from './sync/jobs.ts'

let t: GoldenApp
let me: CallOptions
let people: Neighbour[]
let today: Day
const reason = '录入有误'
const template = Buffer.from('a fingerprint template of one finger').toString('base64')

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.signedInAs(golden.first.owner)
  people = await findNeighbours(t)
  today = dayOfMoment(fromInstant(t.app.clock()))
})

afterAll(() => t?.close())

async function boundDoorway(values: Parameters<typeof addDoorway>[2] = {}) {
  const doorway = await addDoorway(t, me, values)
  const device = await addDoorwayDevice(t, me)
  await bindDevice(t, me, doorway, device.id)
  return { doorway, deviceId: device.id }
}

interface Item {
  readonly itemKey: string
  readonly runData: Readonly<Record<string, unknown>>
}

/** Fingers that a device is to hold now. */
async function itemsOn(deviceId: Id): Promise<Item[]> {
  await planChanged(t.app)
  return t.database.reader(t.ownerId).rows<Item>(sql`
    select item_key, run_data
    from device_item
    where owner_id = ${t.ownerId} and device_id = ${deviceId} and action = ${code(itemAction, 'put')}
      and item_key like 'fingerprint:%'
    order by 1
  `)
}

const keysOn = async (deviceId: Id): Promise<string[]> =>
  (await itemsOn(deviceId)).map(({ itemKey }) => itemKey)

const enrol = (
  userId: Id,
  fingerNo: ResidentFingerprint['fingerNo'],
  overrides: object = {},
): Promise<ResidentFingerprint> =>
  t.call(
    saveResidentFingerprint,
    { userId, fingerNo, deviceSn: 'ZK-1', template, isConsented: true, ...overrides },
    me,
  )

const fetchTemplate = async ({ runData }: Item) => {
  const { templateLink, picture } = linkedData(t.app, t.ownerId, runData)
  expect(picture).toBeUndefined()
  const { searchParams: query } = new URL(String(templateLink), 'http://here')
  const ask = (asked: URLSearchParams) =>
    fingerprintEndpoint.run(
      {
        params: {},
        query: asked,
        headers: {},
        body: '',
        bytes: Buffer.alloc(0),
        ip: '::1',
        agent: '',
        origin: '',
      },
      t.app,
    )
  return { ask, query, answer: await ask(query) }
}

const canOpenNow = (doorwayId: Id, key: string) =>
  canOpen(t.database.reader(t.ownerId), t.ownerId, { doorwayId, key, at: fromInstant(t.app.clock()) })

it('a finger opens the doors of its person and stands in no item, list, log or answer (ACS-1, ACS-2)', async () => {
  const { doorway, deviceId } = await boundDoorway({ isPublic: true })
  const other = await boundDoorway()
  const person = defined(people[0])
  const print = await enrol(person.userId, 'rightIndex')
  const key = `fingerprint:u${print.id}`
  const [item] = await itemsOn(deviceId)
  expect(item).toMatchObject({ itemKey: key, runData: { kind: 'fingerprint', name: person.name } })
  expect(await keysOn(other.deviceId)).toEqual([])
  expect(await canOpenNow(doorway.id, key)).toMatchObject({ isAllowed: true })
  expect(await canOpenNow(other.doorway.id, key)).toMatchObject({ isAllowed: false })
  const { rows } = await t.call(listRights, { userId: person.userId, size: 500 }, me)
  expect(rows).toContainEqual(
    expect.objectContaining({ kind: 'fingerprint', number: '右手食指', doorwayName: doorway.doorwayName }),
  )
  const unsynced = await t.call(listUnsynced, { userId: person.userId }, me)
  expect(unsynced).toContainEqual(expect.objectContaining({ kind: 'fingerprint', reason: '设备离线' }))
  const logged = await t.database.reader(t.ownerId).rows<{ text: string }>(sql`
    select concat_ws(' ', before::text, after::text) as text
    from audit_log
    where owner_id = ${t.ownerId} and entity = 'residentFingerprint' and entity_id = ${print.id}
  `)
  expect(logged).toHaveLength(1)
  const shown = JSON.stringify([print, item, rows, unsynced, logged])
  expect(shown).not.toContain(template)
})

it('a template is fetched by a signed link alone, as long as the finger is enrolled', async () => {
  const { deviceId } = await boundDoorway({ isPublic: true })
  const person = defined(people[1])
  const first = await enrol(person.userId, 'leftThumb')
  const find = async () => defined((await itemsOn(deviceId)).find(i => i.itemKey.endsWith(`u${first.id}`)))
  const item = await find()
  const { ask, query, answer } = await fetchTemplate(item)
  expect(answer).toMatchObject({ body: template, type: 'application/octet-stream' })
  const forged = new URLSearchParams(query)
  forged.set('Finger', `u${first.id + 1}.1`)
  expect(await ask(forged)).toMatchObject({ status: 403 })
  // Captured again it is another version of the item, and of the same record.
  const again = Buffer.from('another template of the same finger').toString('base64')
  expect((await enrol(person.userId, 'leftThumb', { template: again })).id).toBe(first.id)
  const renewed = await find()
  expect(renewed.runData).not.toEqual(item.runData)
  expect((await fetchTemplate(renewed)).answer).toMatchObject({ body: again })
  await t.call(deleteResidentFingerprints, { ids: [String(first.id)], reason }, me)
  expect(await ask(query)).toMatchObject({ status: 404 })
  expect(await keysOn(deviceId)).not.toContain(item.itemKey)
})

it('asks for consent, and keeps when it was asked; what is no template is refused', async () => {
  const person = defined(people[2])
  expect(await faultTextsOf(enrol(person.userId, 'leftLittle', { isConsented: false }))).toEqual({
    Consented: '请先征得本人同意，再采集指纹',
  })
  expect(await faultTextsOf(enrol(person.userId, 'leftLittle', { template: '<b>none</b> at all' }))).toEqual({
    template: '指纹模板格式错误，请重新采集',
  })
  const print = await enrol(person.userId, 'leftLittle')
  expect(dayOfMoment(print.consentTime)).toBe(today)
  await Promise.all([enrol(person.userId, 'rightRing'), enrol(person.userId, 'rightRing')])
  const prints = await t.call(listResidentFingerprints, { userId: person.userId }, me)
  expect(prints.map(({ fingerNo }) => fingerNo)).toEqual(['leftLittle', 'rightRing'])
})

it('follows the person: a block keeps it out, moving out deletes it (BASE-11, BASE-12, BASE-15)', async () => {
  const { deviceId } = await boundDoorway({ isPublic: true })
  const person = defined(people[3])
  const { id } = await enrol(person.userId, 'rightThumb')
  const key = `fingerprint:u${id}`
  expect(await keysOn(deviceId)).toContain(key)
  const block = await t.call(
    addResidentBlock,
    { projectCode, userId: person.userId, name: person.name, scope: ['access'], reason },
    me,
  )
  expect(await keysOn(deviceId)).not.toContain(key)
  expect(await refusalMessageOf(enrol(person.userId, 'rightRing'))).toContain('黑名单')
  await t.call(deleteResidentBlocks, { ids: [String(block.id)], reason }, me)
  expect(await keysOn(deviceId)).toContain(key)
  const move = { ids: [String(person.residencyId)], outDate: today, reason: '退租', answers: [] }
  await t.call(checkOut, move, me)
  expect(await keysOn(deviceId)).not.toContain(key)
  const left = await t.database.reader(t.ownerId).one(sql`
    select 1 as found
    from resident_fingerprint_template
    where owner_id = ${t.ownerId} and fingerprint_id = ${id}
  `)
  expect(left).toBeUndefined()
  expect(await refusalMessageOf(enrol(person.userId, 'rightRing'))).toContain('没有住处和任职')
})

it('of merged records one finger of each kind stays, and its template is still read', async () => {
  const { deviceId } = await boundDoorway({ isPublic: true })
  const [kept, other] = [defined(people[5]), defined(people[6])]
  const own = await enrol(kept.userId, 'leftIndex')
  const repeated = await enrol(other.userId, 'leftIndex')
  const brought = await enrol(other.userId, 'leftThumb')
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`
      update resident set cert_no = null where owner_id = ${t.ownerId} and id = ${other.userId}
    `),
  )
  await t.call(mergeResidents, { id: kept.userId, others: [String(other.userId)], reason }, me)
  const prints = await t.call(listResidentFingerprints, { userId: kept.userId }, me)
  expect(prints.map(({ id }) => id)).toEqual([own.id, brought.id])
  const items = await itemsOn(deviceId)
  const keys = items.map(({ itemKey }) => itemKey)
  expect(keys).toContain(`fingerprint:u${brought.id}`)
  expect(keys).not.toContain(`fingerprint:u${repeated.id}`)
  const item = defined(items.find(({ itemKey }) => itemKey.endsWith(`u${brought.id}`)))
  expect((await fetchTemplate(item)).answer).toMatchObject({ body: template })
})

it('the groups of a valid card count for the fingers of its holder', async () => {
  const { doorway, deviceId } = await boundDoorway()
  const group = await addGroup(t, me, [doorway])
  const person = defined(people[4])
  const { id } = await enrol(person.userId, 'rightThumb')
  expect(await keysOn(deviceId)).toEqual([])
  const card = await issueCard(t, me, { userId: person.userId }, { doorwayGroupIds: [String(group.id)] })
  expect(await keysOn(deviceId)).toEqual([`fingerprint:u${id}`])
  await t.call(changeCardStates, { ids: [String(card.id)], state: 'lost' }, me)
  expect(await keysOn(deviceId)).toEqual([])
})

it('fingers of the staff open the doors of the staff where a card lets them in, until resigning', async () => {
  const { doorway, deviceId } = await boundDoorway()
  await addGroup(t, me, [doorway], { scopeType: 'staff' })
  const { id: staffId } = await t.call(
    staffs.add,
    { name: '指纹门卫', state: 'active', isTicketSeller: false },
    me,
  )
  const save = (of: string) =>
    t.call(saveStaffFingerprint, { staffId, fingerNo: 'leftIndex', deviceSn: 'ZK-1', template: of }, me)
  const print = await save(template)
  const key = `fingerprint:s${print.id}`
  expect(await keysOn(deviceId)).toEqual([])
  expect(await canOpenNow(doorway.id, key)).toMatchObject({
    isAllowed: false,
    reason: '员工在本项目没有有效的卡、人脸或 VIP 门',
  })
  await issueCard(t, me, { staffId })
  const [item] = await itemsOn(deviceId)
  expect(item?.itemKey).toBe(key)
  expect((await fetchTemplate(defined(item))).answer).toMatchObject({ body: template })
  // Captured again at the same reader.
  await save(Buffer.from('another template of one finger').toString('base64'))
  expect((await itemsOn(deviceId))[0]?.runData).not.toEqual(item?.runData)
  await t.call(resignStaff, { ids: [String(staffId)], leaveDate: today, reason }, me)
  expect(await keysOn(deviceId)).toEqual([])
  expect((await fetchTemplate(defined(item))).answer).toMatchObject({ status: 404 })
})

it('somebody with one building sees and takes the fingers of its residents alone (PERM-6)', async () => {
  const limited = await t.signedInAs(golden.first.buildingOnly)
  const [seen, other] = [inBuilding(people.slice(7), 'B1'), inBuilding(people.slice(7), 'B2')]
  const [own, foreign] = [await enrol(seen.userId, 'leftRing'), await enrol(other.userId, 'leftRing')]
  expect(await t.call(listResidentFingerprints, { userId: seen.userId }, limited)).toHaveLength(1)
  await refusalMessageOf(t.call(listResidentFingerprints, { userId: other.userId }, limited))
  await refusalMessageOf(
    t.call(deleteResidentFingerprints, { ids: [String(own.id), String(foreign.id)], reason }, limited),
  )
  expect(await t.call(listResidentFingerprints, { userId: other.userId }, me)).toHaveLength(1)
})
