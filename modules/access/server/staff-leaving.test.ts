import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { changeCardStates, listHolderCards } from '#modules/residents/contract/card.ts'
import { importStaff, resignStaff, staffs } from '#modules/staff/contract/staff.ts'
import { listRights } from '../contract/reach.ts'
import { vipDoorways } from '../contract/vip-doorway.ts'
import type { Doorway } from '../contract/doorway.ts'
import { addDoorway, addGroup, projectCode } from './access.fixtures.ts'
import { issueCard } from './people.fixtures.ts'

let t: GoldenApp
let me: CallOptions
let entry: Doorway
let groupId: string
let made = 0

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.signedInAs(golden.first.owner)
  entry = await addDoorway(t, me)
  groupId = String((await addGroup(t, me, [entry])).id)
})

afterAll(() => t?.close())

const draftOf = (staffNo: string) =>
  ({ name: '周离职', staffNo, mobile: `1391234${staffNo.slice(1)}`, state: 'active' }) as const

/** Somebody with a card, a face, a VIP passage and a code. */
async function employ() {
  const staffNo = `L${String(++made).padStart(4, '0')}`
  const { departmentId } = defined((await t.call(staffs.list, { size: 1 }, me)).rows[0])
  const draft = { ...draftOf(staffNo), departmentId, gender: 'male', isTicketSeller: false } as const
  const { id } = await t.call(staffs.add, draft, me)
  await issueCard(t, me, { staffId: id }, { doorwayGroupIds: [groupId] })
  const doorwayIds = [String(entry.id)]
  await t.call(vipDoorways.add, { projectCode, staffId: id, doorwayIds, state: 'valid' }, me)
  await t.database.tx(t.ownerId, async tx => {
    await tx.execute(sql`
      insert into face_key (owner_id, project_code, staff_id, face, state)
      values (${t.ownerId}, ${projectCode}, ${id}, 'face.jpg', 20)
    `)
    await tx.execute(sql`
      insert into pass_code (owner_id, project_code, staff_id, run_code, begin_time, end_date)
      values (${t.ownerId}, ${projectCode}, ${id}, ${`990000000000${staffNo.slice(1)}`}, now(), now() + interval '7 days')
    `)
  })
  return { id, draft }
}

/** States of card, face, VIP passage and code. */
const statesOf = async (id: Id): Promise<number[]> => {
  const rows = await t.database.reader(t.ownerId).rows<{ state: number }>(sql`
    select 1 as place, state from identity_card where owner_id = ${t.ownerId} and staff_id = ${id}
    union all select 2, state from face_key where owner_id = ${t.ownerId} and staff_id = ${id}
    union all select 3, state from vip_doorway where owner_id = ${t.ownerId} and staff_id = ${id}
    union all select 4, state from pass_code where owner_id = ${t.ownerId} and staff_id = ${id}
    order by 1
  `)
  return rows.map(({ state }) => state)
}

/** What the histories of face and VIP passage say of their ending. */
const endingsOf = (id: Id) =>
  t.database.reader(t.ownerId).rows(sql`
    select entity, project_code, before, after, reason
    from audit_log
    where owner_id = ${t.ownerId}
      and action = 'state'
      and (entity = 'faceKey' and entity_id in (select f.id from face_key f where f.staff_id = ${id})
        or entity = 'vipDoorway' and entity_id in (select v.id from vip_doorway v where v.staff_id = ${id}))
    order by entity
  `)

const endedBecause = (reason: string) => [
  { entity: 'faceKey', projectCode, before: { state: 'good' }, after: { state: 'deleted' }, reason },
  { entity: 'vipDoorway', projectCode, before: { state: 'valid' }, after: { state: 'disabled' }, reason },
]

const inUse = [10, 20, 10, 10]
const overForGood = [30, 40, 20, 30]
const today = () => dayOfMoment(fromInstant(t.app.clock()))

it('what opens to an employee ends with the work and does not come back with them (BASE-16, BASE-12)', async () => {
  const { id, draft } = await employ()
  expect(await statesOf(id)).toEqual(inUse)
  const ids = [String(id)]
  await t.call(resignStaff, { ids, leaveDate: today(), reason: '合同到期' }, me)
  expect(await statesOf(id)).toEqual(overForGood)
  const [card] = await t.call(listHolderCards, { staffId: id }, me)
  expect(card).toMatchObject({ state: 'ended', endReason: '员工离职：合同到期' })
  const written = await t.database.reader(t.ownerId).one<{ before: object; reason: string }>(sql`
    select before, reason
    from audit_log
    where owner_id = ${t.ownerId} and entity = 'identityCard' and entity_id = ${defined(card).id} and action = 'state'
  `)
  expect(written).toEqual({ before: { state: 'normal' }, reason: '员工离职：合同到期' })
  expect(await endingsOf(id)).toEqual(endedBecause('员工离职：合同到期'))
  await t.call(staffs.edit, { id, ...draft }, me)
  expect(await statesOf(id)).toEqual(overForGood)
  const { rows } = await t.call(listRights, { doorwayId: entry.id }, me)
  expect(rows.filter(row => row.holderName === draft.name)).toEqual([])
  const back = { ids: [String(defined(card).id)], state: 'normal' } as const
  expect(await t.call(changeCardStates, back, me)).toMatchObject({ success: 0 })
})

it('whichever way an employee ends: edited, imported or deleted (BASE-16)', async () => {
  const edited = await employ()
  await t.call(staffs.edit, { id: edited.id, ...edited.draft, state: 'left', leaveDate: today() }, me)
  expect(await statesOf(edited.id)).toEqual(overForGood)
  expect(await endingsOf(edited.id)).toEqual(endedBecause('员工离职'))
  const deleted = await employ()
  // Whose doors are named one by one is not deleted before they are (BASE-5).
  const { rows } = await t.call(vipDoorways.list, { staffId: [String(deleted.id)] }, me)
  await t.call(vipDoorways.delete, { ids: rows.map(row => String(row.id)), reason: '录入有误' }, me)
  await t.call(staffs.delete, { ids: [String(deleted.id)], reason: '录入有误' }, me)
  expect(await statesOf(deleted.id)).toEqual([30, 40, 10, 30])
  const imported = await employ()
  const { name, staffNo, mobile } = imported.draft
  const columns = '姓名,工号,手机,状态,离职日期'
  const sheet = new TextEncoder().encode(`${columns}\n${name},${staffNo},${mobile},离职,2026-11-01\n`)
  const upload = { ...t.upload('员工.csv', sheet), name: '员工.csv', type: 'text/csv' }
  const seen = await t.call(importStaff.post, {}, { ...me, upload })
  const asked = { importId: defined(seen.importId), mode: 'update' } as const
  await t.waitForTask(defined((await t.call(importStaff.post, asked, me)).taskId))
  expect(await statesOf(imported.id)).toEqual(overForGood)
  expect(await endingsOf(imported.id)).toEqual(endedBecause('员工离职（导入）'))
})
