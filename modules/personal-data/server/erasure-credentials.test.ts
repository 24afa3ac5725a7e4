import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { systemScope } from '#kit/server/scope.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { addDoorway, addDoorwayDevice, addGroup, bindDevice } from '#modules/access/server/access.fixtures.ts'
import { issueCard } from '#modules/access/server/people.fixtures.ts'
import { planChanged } from '#modules/access/server/sync/jobs.ts'
import { itemAction, itemState } from '#modules/devices/contract/choices.ts'
import { setDesiredState } from '#modules/devices/server/public.ts'
import { staffs } from '#modules/staff/contract/staff.ts'
import { visitorBlocks } from '#modules/visitors/contract/block.ts'
import { addWalkIn, leave } from '#modules/visitors/contract/visit.ts'
import { inviteOne } from '#modules/visitors/server/gatehouse.fixtures.ts'
import { exportPerson, findPeople, getPersonReport } from '../contract/person.ts'
import { linesOf, openErasures, type Erasures } from './erasure.fixtures.ts'

const projectCode = 'GOLD0001'
const certNo = '11010519491231002X'

let t: GoldenApp
let erasures: Erasures
let deviceId: Id
let groupId: string

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  erasures = await openErasures(t)
  const { me } = erasures
  const doorway = await addDoorway(t, me, { direction: 'both' })
  deviceId = (await addDoorwayDevice(t, me)).id
  await bindDevice(t, me, doorway, deviceId)
  groupId = String((await addGroup(t, me, [doorway])).id)
})

afterAll(() => t?.close())

const write = (statement: ReturnType<typeof sql>) => t.database.tx(t.ownerId, tx => tx.execute(statement))
const read = <T extends object>(statement: ReturnType<typeof sql>): Promise<T[]> =>
  t.database.reader(t.ownerId).rows<T>(sql`${statement}`)

interface Item {
  readonly action: number
  readonly state: number
  readonly runData?: object
}

const itemOf = async (itemKey: string): Promise<Item | undefined> =>
  (
    await read<Item>(sql`
      select action, state, run_data
      from device_item
      where owner_id = ${t.ownerId} and device_id = ${deviceId} and item_key = ${itemKey}
    `)
  )[0]

const addPassage = (values: {
  readonly staffId?: Id
  readonly itemKey: string
  readonly personName: string
  readonly picture?: string
}) =>
  write(sql`
    insert into access_record (
      owner_id, project_code, record_time, doorway_id, device_id, open_method, open_status, direction,
      staff_id, person_name, card_no, item_key, picture, record_key
    )
    select ${t.ownerId}::bigint, ${projectCode}::text, create_time, 1, ${deviceId}::bigint, 10, 10, 10,
      ${values.staffId ?? null}::bigint, ${values.personName}::text, 'T1', ${values.itemKey}::text,
      ${values.picture ?? null}::text, ${values.itemKey}::text
    from estate
    where owner_id = ${t.ownerId} and project_code = ${projectCode}
    returning id
  `)

const withdrawn = {
  action: defined(itemAction.rows.remove)[0],
  state: defined(itemState.rows.removing)[0],
}

it('cards and faces of somebody who is erased leave the controllers, in the same transaction', async () => {
  const { me } = erasures
  const draft = { name: '欧阳门卫', mobile: '13622220001', isTicketSeller: false, state: 'active' } as const
  const person = await t.call(staffs.add, draft, me)
  const { cardNo } = await issueCard(t, me, { staffId: person.id }, { doorwayGroupIds: [groupId] })
  await planChanged(t.app)
  const picture = await t.app.files.save(t.ownerId, t.managerId, {
    name: '抓拍.jpg',
    type: 'image/jpeg',
    bytes: Buffer.from('snap'),
  })
  await addPassage({ staffId: person.id, itemKey: `card:${cardNo}`, personName: person.name, picture })
  // A lift holds the card too, under a key of its own.
  const scope = systemScope(t.ownerId, new Date(t.app.clock()).toISOString())
  await t.database.tx(t.ownerId, tx =>
    setDesiredState(tx, scope, deviceId, [
      { key: `lift:card:${cardNo}`, action: 'put', data: { name: person.name } },
    ]),
  )
  expect(await itemOf(`card:${cardNo}`)).toMatchObject({ action: defined(itemAction.rows.put)[0] })
  const key = { personKind: 'staff', personId: person.id }
  const { tables } = await t.call(getPersonReport, key, me)
  expect(tables.map(line => line.tableName)).toEqual(
    expect.arrayContaining(['staff', 'identity_card', 'access_record', 'device_item']),
  )
  const id = await erasures.approved({ personKind: 'staff', id: person.id })
  await write(sql`update staff set state = 30 where owner_id = ${t.ownerId} and id = ${person.id}`)
  await erasures.execute(id, person.name)
  for (const itemKey of [`card:${cardNo}`, `lift:card:${cardNo}`]) {
    expect(await itemOf(itemKey), itemKey).toMatchObject(withdrawn)
    expect((await itemOf(itemKey))?.runData ?? undefined, itemKey).toBeUndefined()
  }
  expect(await t.app.files.find(t.ownerId, picture)).toBeUndefined()
  expect(await linesOf(t.database, person.name, draft.mobile)).toEqual([])
  // The job of the minute does not bring it back.
  await planChanged(t.app)
  expect(await itemOf(`card:${cardNo}`)).toMatchObject(withdrawn)
})

it('a visitor is one person over all visits, is shown and erased, and the codes leave the doors', async () => {
  const { me } = erasures
  const visitor = { visitorName: '欧阳来访', mobile: '13622220002', certNo, plateNo: '苏E9K8L7' }
  const invited = await inviteOne(t, { ...visitor, certType: 'idCard', doorwayGroupIds: [groupId] })
  const walkIn = { projectCode, visitorKind: 'friend', personCount: 1, certType: 'idCard' } as const
  const { id: recordId } = await t.call(addWalkIn, { ...walkIn, ...visitor }, me)
  await t.call(
    visitorBlocks.add,
    { projectCode, name: '欧阳来访', mobile: visitor.mobile, reason: '滋事' },
    me,
  )
  const itemKey = `qr:${invited.inviteNo}`
  await addPassage({ itemKey, personName: visitor.visitorName })
  const scope = systemScope(t.ownerId, new Date(t.app.clock()).toISOString())
  await t.database.tx(t.ownerId, tx =>
    setDesiredState(tx, scope, deviceId, [
      { key: itemKey, action: 'put', data: { name: visitor.visitorName } },
    ]),
  )
  const found = await t.call(findPeople, { keyword: certNo }, me)
  expect(found.map(each => each.kindLabel)).toEqual(['访客（邀访）', '访客（到访）'])
  const key = { personKind: 'visitRecord', personId: recordId }
  const { tables, records } = await t.call(getPersonReport, key, me)
  expect(records).toHaveLength(2)
  expect(tables.map(line => line.tableName)).toEqual(
    expect.arrayContaining(['visitor_invitation', 'invite_visitor', 'visit_record', 'access_record']),
  )
  const file = await readBody(await t.call(exportPerson, key, me))
  expect(file.length).toBeGreaterThan(1000)
  const id = await erasures.approved({ personKind: 'visitRecord', id: recordId })
  const refused = await refusalMessageOf(erasures.execute(id, visitor.visitorName))
  expect(refused).toContain('未结束的邀访 1 项')
  expect(refused).toContain('仍在访的登记 1 项')
  await t.call(leave, { ids: [String(recordId)] }, me)
  await write(sql`update invite_visitor set state = 40 where owner_id = ${t.ownerId} and id = ${invited.id}`)
  await erasures.execute(id, visitor.visitorName)
  expect(await itemOf(itemKey)).toMatchObject(withdrawn)
  expect(await linesOf(t.database, visitor.visitorName, visitor.mobile, certNo, visitor.plateNo)).toEqual([])
  const [left] = await read<{ hostName: string; visitorName: string }>(sql`
    select host_name, visitor_name
    from visitor_invitation
    where owner_id = ${t.ownerId} and id = ${invited.invitationId}
  `)
  expect(left).toEqual({ hostName: '王前台', visitorName: `注销人员${id}` })
  const [guest] = await read<{ isOver: boolean }>(sql`
    select clear_time is not null and end_time <= clear_time as is_over
    from invite_visitor
    where owner_id = ${t.ownerId} and id = ${invited.id}
  `)
  expect(guest).toEqual({ isOver: true })
})
