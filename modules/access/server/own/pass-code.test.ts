import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { code } from '#kit/server/sql.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { getDataDomain, saveDataDomain } from '#modules/accounts/contract/data-domain.ts'
import { itemAction } from '#modules/devices/contract/choices.ts'
import { addResidentBlock, deleteResidentBlocks } from '#modules/residents/contract/block.ts'
import { changeCardStates, saveCard } from '#modules/residents/contract/card.ts'
import { changeResidentMobile } from '#modules/residents/contract/maintenance.ts'
import { checkOut } from '#modules/residents/contract/move.ts'
import { resignStaff } from '#modules/staff/contract/staff.ts'
import {
  getStaffAccess,
  listOwnLinks,
  openOwnAccess,
  openOwnDoorway,
  showOwnCode,
  showStaffCode,
} from '../../contract/own-access.ts'
import { listPassCodes, restorePassCodes, revokePassCodes } from '../../contract/pass-code.ts'
import { checkRight, listRights } from '../../contract/reach.ts'
import { addDoorway, addDoorwayDevice, addGroup, bindDevice, projectCode } from '../access.fixtures.ts'
import { findNeighbours, inBuilding, issueCard, type Neighbour } from '../people.fixtures.ts'
import { planChanged } from '../sync/jobs.ts'

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

async function boundDoorway(values: Parameters<typeof addDoorway>[2] = {}) {
  const doorway = await addDoorway(t, me, values)
  const device = await addDoorwayDevice(t, me)
  await bindDevice(t, me, doorway, device.id)
  return { doorway, deviceId: device.id }
}

/** Keys of codes that a device is to hold now. */
async function codesOn(deviceId: Id): Promise<string[]> {
  await planChanged(t.app)
  const rows = await t.database.reader(t.ownerId).rows<{ itemKey: string }>(sql`
    select item_key
    from device_item
    where owner_id = ${t.ownerId} and device_id = ${deviceId} and action = ${code(itemAction, 'put')}
      and item_key like 'pass:%'
    order by 1
  `)
  return rows.map(({ itemKey }) => itemKey.slice('pass:'.length))
}

async function tokenOf({ userId, place }: Neighbour): Promise<string> {
  const links = await t.call(listOwnLinks, { userId }, me)
  const { url } = defined(links.find(({ placeName }) => placeName === place))
  return defined(new URL(defined(url), 'http://here').searchParams.get('t'))
}

const show = async (person: Neighbour, isNew = false) =>
  t.call(showOwnCode, { token: await tokenOf(person), isNew })

const rowsOf = async ({ userId }: Neighbour) =>
  (await t.call(listPassCodes, { projectCode, userId: [String(userId)] }, me)).rows

const rowOf = async (person: Neighbour) => defined((await rowsOf(person))[0])

it('a code is shown to its owner alone, held by the doors that open, and replaced when asked (ACS-1)', async () => {
  const { doorway, deviceId } = await boundDoorway({ isPublic: true })
  const other = await boundDoorway()
  const person = defined(people[0])
  const first = await show(person)
  expect(first.code).toMatch(/^[1-9]\d{15}$/)
  expect(first.endDate).toBe(addDays(today, 6))
  expect(await codesOn(deviceId)).toEqual([first.code])
  expect(await codesOn(other.deviceId)).toEqual([])
  const shown = await show(person)
  expect(shown.code).toBe(first.code)
  expect(shown.waitingCount).toBeGreaterThan(0)
  const asked = { doorwayId: doorway.id, cardNo: first.code }
  expect(await t.call(checkRight, asked, me)).toMatchObject({ isAllowed: true, holderName: person.name })
  const { rows } = await t.call(listRights, { doorwayId: doorway.id, size: 500 }, me)
  expect(JSON.stringify([rows, await rowOf(person)])).not.toContain(first.code)
  const masked = `${'*'.repeat(14)}${first.code.slice(-2)}`
  expect(rows).toContainEqual(expect.objectContaining({ kind: 'pass', number: masked }))
  const second = await show(person, true)
  expect(second.code).not.toBe(first.code)
  expect(await codesOn(deviceId)).toEqual([second.code])
  expect(await t.call(checkRight, asked, me)).toMatchObject({ isAllowed: false, reason: '通行码已更换' })
})

it('a code is replaced by age: on its last day as it is shown; a day later it opens nothing', async () => {
  const { doorway } = await boundDoorway({ isPublic: true })
  const person = defined(people[1])
  const first = await show(person)
  const age = (days: number) =>
    t.database.tx(t.ownerId, tx =>
      tx.execute(sql`
        update pass_code
        set end_date = ${addDays(today, days)}::date
        where owner_id = ${t.ownerId} and run_code = ${first.code}
      `),
    )
  await age(1)
  expect((await show(person)).code).toBe(first.code)
  await age(-1)
  const asked = { doorwayId: doorway.id, cardNo: first.code }
  expect(await t.call(checkRight, asked, me)).toMatchObject({ isAllowed: false, reason: '通行码已过期' })
  expect(await rowOf(person)).toMatchObject({ invalidReason: '已过期' })
  await age(0)
  expect(await t.call(checkRight, asked, me)).toMatchObject({ isAllowed: true })
  expect((await show(person)).code).not.toBe(first.code)
})

it('staff end a code and allow it again; its owner is refused in words', async () => {
  const { doorway, deviceId } = await boundDoorway({ isPublic: true })
  const person = defined(people[2])
  const { code: shown } = await show(person)
  const ids = [String((await rowOf(person)).id)]
  expect(await codesOn(deviceId)).toContain(shown)
  await t.call(revokePassCodes, { ids, reason }, me)
  expect(await codesOn(deviceId)).not.toContain(shown)
  expect(await rowOf(person)).toMatchObject({ state: 'revoked', endReason: reason })
  expect(await refusalMessageOf(show(person))).toContain('联系物业恢复')
  expect(await refusalMessageOf(show(person, true))).toContain('联系物业恢复')
  expect(await refusalMessageOf(t.call(revokePassCodes, { ids, reason }, me))).toContain('刷新')
  const stopped = await t.call(openOwnAccess, { token: await tokenOf(person) })
  expect([stopped.doorways, stopped.refusal]).toEqual([[], expect.stringContaining('已被物业停用')])
  const opening = { token: await tokenOf(person), doorwayId: doorway.id }
  expect(await refusalMessageOf(t.call(openOwnDoorway, opening))).toContain('联系物业恢复')
  await t.call(restorePassCodes, { ids }, me)
  const again = await show(person)
  expect(again.code).not.toBe(shown)
  expect(await codesOn(deviceId)).toContain(again.code)
})

it('follows the person: a block keeps it out, moving out ends it for good (BASE-11, BASE-12, BASE-15)', async () => {
  const { deviceId } = await boundDoorway({ isPublic: true })
  const person = defined(people[3])
  const token = await tokenOf(person)
  const { code: shown } = await t.call(showOwnCode, { token })
  expect(await codesOn(deviceId)).toContain(shown)
  const { id } = await t.call(
    addResidentBlock,
    { projectCode, userId: person.userId, name: person.name, scope: ['access'], reason },
    me,
  )
  expect(await codesOn(deviceId)).not.toContain(shown)
  expect(await refusalMessageOf(t.call(showOwnCode, { token }))).toContain('黑名单')
  expect(await t.call(openOwnAccess, { token })).toMatchObject({ doorways: [] })
  await t.call(deleteResidentBlocks, { ids: [String(id)], reason }, me)
  expect(await codesOn(deviceId)).toContain(shown)
  const move = { ids: [String(person.residencyId)], outDate: today, reason: '退租', answers: [] }
  await t.call(checkOut, move, me)
  expect(await codesOn(deviceId)).not.toContain(shown)
  expect(await refusalMessageOf(t.call(openOwnAccess, { token }))).toContain('链接无效')
  expect(await rowsOf(person)).toEqual([])
})

it('the groups of a valid card count for the code of its holder, until the card is lost or another’s', async () => {
  const { doorway, deviceId } = await boundDoorway()
  await boundDoorway({ isPublic: true })
  const group = await addGroup(t, me, [doorway])
  const person = defined(people[4])
  const { code: shown } = await show(person)
  expect(await codesOn(deviceId)).toEqual([])
  const card = await issueCard(t, me, { userId: person.userId }, { doorwayGroupIds: [String(group.id)] })
  expect(await codesOn(deviceId)).toEqual([shown])
  await t.call(changeCardStates, { ids: [String(card.id)], state: 'lost' }, me)
  expect(await codesOn(deviceId)).toEqual([])
  await t.call(changeCardStates, { ids: [String(card.id)], state: 'normal' }, me)
  expect(await codesOn(deviceId)).toEqual([shown])
  const { cardNo, cardType, doorwayGroupIds } = card
  const moved = { id: card.id, projectCode, cardNo, cardType, doorwayGroupIds }
  await t.call(saveCard, { ...moved, userId: defined(people[5]).userId }, me)
  expect(await codesOn(deviceId)).toEqual([])
})

it('one of the staff has a code of the own account, until resigning (BASE-11)', async () => {
  const { doorway, deviceId } = await boundDoorway()
  await addGroup(t, me, [doorway], { scopeType: 'staff' })
  const unlinked = await refusalMessageOf(t.call(showStaffCode, { projectCode }, me))
  expect(unlinked).toContain('未关联在职员工')
  const found = await t.database.tx(t.ownerId, tx =>
    tx.one<{ id: Id; name: string }>(sql`
      update staff
      set manager_id = (
        select m.id from manager m where m.owner_id = ${t.ownerId} and m.login_code = ${golden.first.owner}
      )
      where owner_id = ${t.ownerId} and id = (
        select s.id from staff s where s.owner_id = ${t.ownerId} and s.state <> 30 and s.delete_tag = 0
          and s.manager_id is null order by s.id limit 1
      )
      returning id, name
    `),
  )
  const { id, name } = defined(found)
  const page = await t.call(getStaffAccess, { projectCode }, me)
  expect(page).toMatchObject({ personName: name, projectCode })
  expect(page.doorways.map(row => row.id)).toContain(doorway.id)
  const { code: shown } = await t.call(showStaffCode, { projectCode }, me)
  expect(await codesOn(deviceId)).toEqual([shown])
  await t.call(resignStaff, { ids: [String(id)], leaveDate: today, reason }, me)
  expect(await codesOn(deviceId)).toEqual([])
  const search = { projectCode, keyword: name }
  expect((await t.call(listPassCodes, search, me)).rows).toEqual([])
})

it('a project that is taken from an employee ends the code there for good (PERM-6, ACS-1)', async () => {
  const { doorway, deviceId } = await boundDoorway()
  await addGroup(t, me, [doorway], { scopeType: 'staff' })
  const employee = await t.signedInAs(golden.first.buildingOnly)
  const found = await t.database.tx(t.ownerId, tx =>
    tx.one<{ managerId: Id }>(sql`
      update staff
      set manager_id = (
        select m.id from manager m
        where m.owner_id = ${t.ownerId} and m.login_code = ${golden.first.buildingOnly}
      )
      where owner_id = ${t.ownerId} and id = (
        select s.id from staff s where s.owner_id = ${t.ownerId} and s.state <> 30 and s.delete_tag = 0
          and s.manager_id is null order by s.id limit 1
      )
      returning manager_id
    `),
  )
  const { managerId } = defined(found)
  const before = await t.call(getDataDomain, { managerId }, me)
  const places = defined(before.places)
  const save = (kept: typeof places) =>
    t.call(saveDataDomain, { managerId, allProject: false, projectCodes: [], places: kept }, me)
  const { code: shown } = await t.call(showStaffCode, { projectCode }, employee)
  await save(places)
  expect(await codesOn(deviceId)).toEqual([shown])
  await save(places.filter(place => place.projectCode !== projectCode))
  expect(await codesOn(deviceId)).toEqual([])
  const asked = { doorwayId: doorway.id, cardNo: shown }
  expect(await t.call(checkRight, asked, me)).toMatchObject({ isAllowed: false, reason: '通行码已更换' })
  await save(places)
  expect(await codesOn(deviceId)).toEqual([])
  const again = await t.signedInAs(golden.first.buildingOnly)
  expect((await t.call(showStaffCode, { projectCode }, again)).code).not.toBe(shown)
})

it('somebody with one building sees and ends the codes of its residents alone (PERM-6)', async () => {
  await boundDoorway({ isPublic: true })
  const limited = await t.signedInAs(golden.first.buildingOnly)
  const [seen, other] = [inBuilding(people.slice(6), 'B1'), inBuilding(people, 'B2')]
  await show(seen)
  await show(other)
  const { rows } = await t.call(listPassCodes, { projectCode, size: 100 }, limited)
  const userIds = rows.map(row => row.userId)
  expect([userIds.includes(seen.userId), userIds.includes(other.userId)]).toEqual([true, false])
  const ids = [String((await rowOf(other)).id)]
  await refusalMessageOf(t.call(revokePassCodes, { ids, reason }, limited))
  expect(await rowOf(other)).toMatchObject({ state: 'valid' })
})

it('another mobile ends the links and the code of its person (BASE-14)', async () => {
  const { deviceId } = await boundDoorway({ isPublic: true })
  const person = defined(people.at(-1))
  const old = await tokenOf(person)
  const { code: shown } = await show(person)
  await t.call(changeResidentMobile, { id: person.userId, mobile: '13900009911', reason }, me)
  expect(await codesOn(deviceId)).not.toContain(shown)
  expect(await refusalMessageOf(t.call(openOwnAccess, { token: old }))).toContain('链接无效')
  expect((await show(person)).code).not.toBe(shown)
})
