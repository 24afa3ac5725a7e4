import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { faultTextsOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { seededRandom } from '#db/golden/random.ts'
import {
  companies,
  moveOutCompany,
  previewMoveOut,
  type Company,
} from '#modules/companies/contract/company.ts'
import { companyWorkers, setCompanyAdmins } from '#modules/companies/contract/company-worker.ts'
import { listResidentFingerprints, saveResidentFingerprint } from '#modules/residents/contract/fingerprint.ts'
import { addResident } from '#modules/residents/contract/resident.ts'
import { checkInAgain, checkOut, previewMove } from '#modules/residents/contract/move.ts'
import { addRoom } from '#modules/rooms/contract/room.ts'
import { staffs } from '#modules/staff/contract/staff.ts'
import { listOwnLinks, showOwnCode } from '../contract/own-access.ts'
import { checkRight, listRights } from '../contract/reach.ts'
import { vipDoorways } from '../contract/vip-doorway.ts'
import type { Doorway } from '../contract/doorway.ts'
import type { DoorwayGroup } from '../contract/group.ts'
import { addDoorway, addDoorwayDevice, addGroup, bindDevice, projectCode } from './access.fixtures.ts'
import { findNeighbours, issueCard, type Neighbour } from './people.fixtures.ts'
import { findRights } from './reach/rights.ts'
import { cardsByDevice } from './reach-oracle.fixtures.ts'

let t: GoldenApp
let me: CallOptions
let people: Neighbour[]
let today: Day
let club: Doorway
let group: DoorwayGroup
let deviceId: Id
let made = 0
const reason = '退租'
const leftText = '请先办理入住或登记任职'

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.signedInAs(golden.first.owner)
  people = await findNeighbours(t)
  today = dayOfMoment(fromInstant(t.app.clock()))
  club = await addDoorway(t, me)
  group = await addGroup(t, me, [club])
  deviceId = (await addDoorwayDevice(t, me)).id
  await bindDevice(t, me, club, deviceId)
})

afterAll(() => t?.close())

/** For no room, though its holder may have one. */
const cardOf = async ({ userId, staffId }: { readonly userId?: Id; readonly staffId?: Id }) => {
  const holder = staffId === undefined ? { userId: defined(userId) } : { staffId }
  return (await issueCard(t, me, holder, { doorwayGroupIds: [String(group.id)] })).cardNo
}

const opening = async (): Promise<string[]> =>
  (await t.call(listRights, { doorwayId: club.id, size: 2000 }, me)).rows.flatMap(row => row.number ?? [])

const stateOf = async (cardNo: string) =>
  defined(
    await t.database.reader(t.ownerId).one<{ state: number }>(sql`
      select state from identity_card where owner_id = ${t.ownerId} and card_no = ${cardNo}
    `),
  ).state

const execute = (statement: ReturnType<typeof sql>) => t.database.tx(t.ownerId, tx => tx.execute(statement))

const createCompany = async (hasRoom: boolean): Promise<Company> => {
  const roomNo = `W${++made}`
  const draft = { projectCode, buildCode: 'B2', unitName: '1', floorNum: 1, roomNo } as const
  const place = hasRoom
    ? await t.call(addRoom, { ...draft, roomType: 'office', roomState: 'vacant', state: 'on' }, me)
    : undefined
  const places = place ? [{ roomId: place.id, beginDate: addDays(today, -9) }] : []
  return t.call(companies.add, { projectCode, name: `测试企业${made}`, places }, me)
}

const mobileOf = async (userId: Id): Promise<string> =>
  defined(
    await t.database.reader(t.ownerId).one<{ mobile: string }>(sql`
      select mobile from resident where owner_id = ${t.ownerId} and id = ${userId}
    `),
  ).mobile

const employ = async (company: Company, { userId, name }: { readonly userId: Id; readonly name: string }) =>
  t.call(companyWorkers.add, { projectCode, companyId: company.id, name, mobile: await mobileOf(userId) }, me)

const stranger = () =>
  t.call(
    addResident,
    {
      homeProject: projectCode,
      name: '未入住',
      mobile: `139${String(10_000_000 + ++made)}`,
      userType: 'person',
      gender: 'unknown',
      state: 'normal',
    },
    me,
  )

const vipOf = ({ userId }: Pick<Neighbour, 'userId'>) =>
  ({ projectCode, userId, doorwayIds: [String(club.id)], state: 'valid' }) as const

const leaseUntil = ({ residencyId }: Neighbour, day: Day) =>
  execute(sql`
    update user_room set lease_end = ${day} where owner_id = ${t.ownerId} and id = ${residencyId}
  `)

/** Of residents, as devices hold them, each once. */
const cardsOfResidents = async (): Promise<string[]> => {
  const rights = await findRights(t.database.reader(t.ownerId), {
    ownerId: t.ownerId,
    projectCode,
    today,
    doorwayIds: [club.id],
  })
  return [...new Set(rights.flatMap(right => (right.userId === undefined ? [] : [right.itemKey])))].toSorted()
}

const leave = (person: Neighbour) =>
  t.call(checkOut, { ids: [String(person.residencyId)], outDate: today, reason, answers: [] }, me)

it('a card for no room ends as its holder moves out, and the plan names it (BASE-11, BASE-12)', async () => {
  const person = defined(people[0])
  const cardNo = await cardOf(person)
  const ids = [String(person.residencyId)]
  const plan = await t.call(previewMove, { ids, kind: 'checkout', day: today, answers: [] }, me)
  expect(JSON.stringify(plan)).toContain(cardNo)
  await leave(person)
  expect(await stateOf(cardNo)).toBe(30)
  expect(await opening()).not.toContain(cardNo)
  const again = await Promise.all([
    faultTextsOf(cardOf(person)),
    faultTextsOf(t.call(vipDoorways.add, vipOf(person), me)),
  ])
  expect(again.map(({ UserID = '' }) => UserID.slice(-leftText.length))).toEqual([leftText, leftText])
})

it('somebody who works there keeps the card after moving out, until the company does (BASE-16)', async () => {
  const person = defined(people[1])
  const company = await createCompany(true)
  await employ(company, person)
  const cardNo = await cardOf(person)
  await t.call(vipDoorways.add, vipOf(person), me)
  await leave(person)
  expect(await stateOf(cardNo)).toBe(10)
  expect(await opening()).toContain(cardNo)
  await t.call(moveOutCompany, { id: company.id, outDate: today, reason, answers: [] }, me)
  // Neither the group of the card nor the VIP door of its holder.
  expect(await opening()).not.toContain(cardNo)
  expect(await stateOf(cardNo)).toBe(30)
  await employ(await createCompany(true), person)
  // BASE-12: issued again, the card as well as the VIP door.
  expect((await t.call(listRights, { userId: person.userId }, me)).rows).not.toContainEqual(
    expect.objectContaining({ doorwayId: club.id }),
  )
})

it('card, code and fingers of a worker end with the work, for good (BASE-16, BASE-12)', async () => {
  const clerk = await stranger()
  const company = await createCompany(true)
  const boss = await t.call(companyWorkers.add, { projectCode, companyId: company.id, name: '负责人' }, me)
  await t.call(setCompanyAdmins, { companyId: company.id, ids: [String(boss.id)] }, me)
  const worker = await employ(company, { userId: clerk.id, name: clerk.name })
  const cardNo = await cardOf({ userId: clerk.id })
  await t.call(vipDoorways.add, vipOf({ userId: clerk.id }), me)
  const [link] = await t.call(listOwnLinks, { userId: clerk.id }, me)
  const token = defined(new URL(defined(defined(link).url), 'http://here').searchParams.get('t'))
  const shown = await t.call(showOwnCode, { token, isNew: false })
  const template = Buffer.from('a fingerprint template of one finger').toString('base64')
  const print = { userId: clerk.id, fingerNo: 'rightThumb', deviceSn: 'ZK-1', template } as const
  await t.call(saveResidentFingerprint, { ...print, isConsented: true }, me)
  const check = (number: string) => t.call(checkRight, { doorwayId: club.id, cardNo: number }, me)
  expect((await check(shown.code)).isAllowed).toBe(true)
  await t.call(companyWorkers.delete, { ids: [String(worker.id)], reason }, me)
  expect(await stateOf(cardNo)).toBe(30)
  expect(await t.call(listResidentFingerprints, { userId: clerk.id }, me)).toEqual([])
  await employ(company, { userId: clerk.id, name: clerk.name })
  expect(await check(cardNo)).toMatchObject({ isAllowed: false })
  expect(await check(shown.code)).toMatchObject({ isAllowed: false, reason: '通行码已更换' })
})

it('a card goes on where its holder never lived, works without a room, or is of the staff (ACS-2)', async () => {
  const visitor = await stranger()
  const ofStranger = await cardOf({ userId: visitor.id })
  const person = await t.call(
    staffs.add,
    { name: '周巡查', gender: 'unknown', isTicketSeller: false, state: 'active' },
    me,
  )
  const ofStaff = await cardOf({ staffId: person.id })
  const clerk = await stranger()
  const worker = await employ(await createCompany(false), { userId: clerk.id, name: clerk.name })
  const ofWorker = await cardOf({ userId: clerk.id })
  expect(await opening()).toEqual(expect.arrayContaining([ofStranger, ofStaff, ofWorker]))
  const colleague = await t.call(
    companyWorkers.add,
    { projectCode, companyId: worker.companyId, name: '接任' },
    me,
  )
  await t.call(setCompanyAdmins, { companyId: worker.companyId, ids: [String(colleague.id)] }, me)
  await t.call(companyWorkers.delete, { ids: [String(worker.id)], reason }, me)
  expect(await opening()).not.toContain(ofWorker)
  expect(await opening()).toEqual(expect.arrayContaining([ofStranger, ofStaff]))
})

it('the right of a card ends with the lease of its holder (ACS-4)', async () => {
  const person = defined(people[2])
  const cardNo = await cardOf(person)
  const until = addDays(today, 5)
  await leaseUntil(person, until)
  const rights = await t.call(listRights, { doorwayId: club.id, keyword: cardNo }, me)
  expect(rights.rows).toMatchObject([{ untilDate: until }])
  await leaseUntil(person, addDays(today, -1))
  expect(await opening()).not.toContain(cardNo)
})

it('whatever way people come and go, only who lives or works there opens (BASE-11, BASE-16, ACS-2)', async () => {
  const random = seededRandom(20_261_130)
  const pick = <T>(from: readonly T[]): T => defined(from[random(from.length)])
  const some = people.slice(3, 8)
  const firms = [await createCompany(true), await createCompany(true)]
  const happenings: readonly (() => Promise<unknown>)[] = [
    () => cardOf(pick(some)),
    () => cardOf(pick(some)),
    () => leave(pick(some)),
    () => t.call(checkInAgain, { ids: [String(pick(some).residencyId)], inDate: today, answers: [] }, me),
    () => leaseUntil(pick(some), pick([addDays(today, -1), addDays(today, 9)])),
    () =>
      execute(sql`
      update user_room
      set delete_tag = 1
      where owner_id = ${t.ownerId} and id = ${pick(some).residencyId}
    `),
    () => t.call(vipDoorways.add, vipOf(pick(some)), me),
    () => employ(pick(firms), pick(some)),
    () =>
      execute(sql`
      update company_worker
      set state = 20
      where owner_id = ${t.ownerId} and user_id = ${pick(some).userId}
    `),
    async () => {
      const [first] = firms
      return random(8) === 0
        ? t.call(moveOutCompany, { id: defined(first).id, outDate: today, reason, answers: [] }, me)
        : undefined
    },
  ]
  const seen = new Set<number>()
  for (let step = 0; step < 120; step++) {
    // What cannot happen just then is refused: somebody who has left cannot leave.
    await pick(happenings)().catch(() => undefined)
    const cards = await cardsByDevice(t.database.reader(t.ownerId), t.ownerId, projectCode, today)
    const found = await cardsOfResidents()
    expect(found).toEqual(cards.get(deviceId))
    seen.add(found.length)
  }
  expect(seen.size).toBeGreaterThan(5)
})

it('the preview of a company’s moving out lists what ends with the work, and that alone ends (BASE-16)', async () => {
  const company = await createCompany(true)
  const clerk = await stranger()
  const worker = await employ(company, { userId: clerk.id, name: clerk.name })
  const neighbour = defined(people.at(-2))
  await employ(company, { userId: neighbour.userId, name: neighbour.name })
  const cardNo = await cardOf({ userId: clerk.id })
  const kept = await cardOf({ userId: neighbour.userId })
  await t.call(vipDoorways.add, vipOf({ userId: clerk.id }), me)
  const [link] = await t.call(listOwnLinks, { userId: clerk.id }, me)
  const token = defined(new URL(defined(defined(link).url), 'http://here').searchParams.get('t'))
  await t.call(showOwnCode, { token, isNew: false })
  const template = Buffer.from('a fingerprint template of one finger').toString('base64')
  const print = { userId: clerk.id, fingerNo: 'rightThumb', deviceSn: 'ZK-1', template } as const
  await t.call(saveResidentFingerprint, { ...print, isConsented: true }, me)
  await execute(sql`
    insert into face_key (owner_id, project_code, user_id, face, state)
    values (${t.ownerId}, ${projectCode}, ${clerk.id}, 'face.jpg', 20)
  `)
  const { ending } = await t.call(previewMoveOut, { id: company.id, outDate: today }, me)
  expect(ending.map(({ title, lines }) => [title, defined(lines[0]).value])).toEqual([
    ['门禁卡', '1 张'],
    ['VIP 门', '1 项'],
    ['通行码', '1 个'],
    ['人脸', '1 个'],
    ['指纹', '1 个'],
  ])
  expect(defined(defined(ending[0]).lines[0]).note).toBe(cardNo)
  await t.call(moveOutCompany, { id: company.id, outDate: today, reason }, me)
  expect([await stateOf(cardNo), await stateOf(kept)]).toEqual([30, 10])
  const written = await t.database.reader(t.ownerId).rows(sql`
    select entity, after, reason
    from audit_log
    where owner_id = ${t.ownerId}
      and action = 'state'
      and (entity = 'companyWorker' and entity_id = ${worker.id}
        or entity = 'faceKey' and entity_id in (select f.id from face_key f where f.user_id = ${clerk.id})
        or entity = 'vipDoorway'
          and entity_id in (select v.id from vip_doorway v where v.user_id = ${clerk.id}))
    order by entity
  `)
  const leftReason = `已从企业「${company.name}」离职`
  expect(written).toEqual([
    { entity: 'companyWorker', after: { state: 'left', outDate: today }, reason: `企业迁出：${reason}` },
    { entity: 'faceKey', after: { state: 'deleted' }, reason: leftReason },
    { entity: 'vipDoorway', after: { state: 'disabled' }, reason: leftReason },
  ])
})
