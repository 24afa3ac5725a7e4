import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { findNeighbours, inBuilding, type Neighbour } from '#modules/access/server/people.fixtures.ts'
import { companies, companyRooms } from '#modules/companies/contract/company.ts'
import { companyWorkers } from '#modules/companies/contract/company-worker.ts'
import { elevatorCalls } from '#modules/elevators/contract/call-record.ts'
import { saveBusyTimes } from '#modules/elevators/contract/elevator.ts'
import { checkFloor, listFloorRights } from '#modules/elevators/contract/right.ts'
import { addLift, boundLift, sendEvent, wantedOf } from '#modules/elevators/server/elevators.fixtures.ts'
import { addRoom } from '#modules/rooms/contract/room.ts'
import { visitorBlocks } from '../contract/block.ts'
import { passCode } from '../contract/check.ts'
import { cancelInvitation, extendInvitation } from '../contract/invitations.ts'
import { turnCodes } from './code-hours.ts'
import { addRule, inviteOne, nextMobile, projectCode } from './visitors.fixtures.ts'

let t: GoldenApp
let me: CallOptions
let host: Neighbour
let floor: string

const now = () => fromInstant(t.app.clock())
const minute = 60_000

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.signedInAs(golden.first.owner)
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`update invite_rule set state = 20 where owner_id = ${t.ownerId}`),
  )
  await addRule(t, me, { ruleName: '电梯' })
  host = inBuilding(await findNeighbours(t), 'B1')
  floor = await floorOf(host.roomId)
})

afterAll(() => t?.close())

const floorOf = async (roomId: Id): Promise<string> => {
  const room = await t.database.reader(t.ownerId).one<{ floor: string }>(sql`
    select floor_num::text as floor from room where owner_id = ${t.ownerId} and id = ${roomId}
  `)
  return defined(room).floor
}

/** A guest of the host for the next hour, unless a test asks for another time. */
async function visit(values: object = {}) {
  const { id, visitors } = await inviteOne(t, me, {
    hostType: 'resident',
    hostUserId: host.userId,
    roomId: host.roomId,
    beginTime: now(),
    endTime: addMinutes(now(), 60),
    ...values,
  })
  return { id, code: defined(defined(visitors[0]).inviteNo) }
}

const otherFloor = () => defined(['15', '16'].find(each => each !== floor))
const itemOf = async (deviceId: Id, code: string) => (await wantedOf(t, deviceId)).get(`lift:qr:${code}`)

it('a code goes to the floor of the visited room and to public floors, within its hours (ELV-2, VIS-2)', async () => {
  const { code } = await visit()
  const { lift, device } = await boundLift(t, me, { buildCode: 'B1', unitName: host.unitName })
  const check = (to: string, elevatorId = lift.id, at = now()) =>
    t.call(checkFloor, { elevatorId, cardNo: code, floor: to, at }, me)
  expect(await check(floor)).toMatchObject({
    isAllowed: true,
    reason: `拜访楼层（${host.place}）`,
    holderName: '王五',
  })
  expect(await check('1')).toMatchObject({ isAllowed: true, reason: '公共楼层' })
  expect(await check(otherFloor())).toMatchObject({ isAllowed: false, reason: '无此楼层的权限' })
  const elsewhere = await addLift(t, me, { buildCode: 'B2' })
  expect(await check('1', elsewhere.id)).toMatchObject({ isAllowed: false, reason: '无此电梯的权限' })
  expect(await check(floor, lift.id, addMinutes(now(), -1))).toMatchObject({ isAllowed: false })
  expect(await check(floor, lift.id, addMinutes(now(), 61))).toMatchObject({ isAllowed: false })
  const busy = { begin: '00:00', end: '23:59', limit: 'ownFloor' as const }
  await t.call(saveBusyTimes, { elevatorId: lift.id, busyTimes: [busy] }, me)
  expect((await check(floor)).isAllowed).toBe(true)
  const day = dayOfMoment(now())
  expect(await itemOf(device.id, code)).toEqual({
    kind: 'qr',
    number: code,
    rights: [{ floors: [floor], isHome: true, from: day, until: day }],
    endTime: addMinutes(now(), 60).replace(' ', 'T'),
  })
  const { rows } = await t.call(listFloorRights, { elevatorId: lift.id, size: 100 }, me)
  expect(rows.filter(({ kind }) => kind === 'qr').map(({ number }) => number)).toContain(
    `******${code.slice(-2)}`,
  )
})

it('the controller of a lift holds a code from its first to its last minute (VIS-2)', async () => {
  const begin = addMinutes(now(), 30)
  const { code, id } = await visit({ beginTime: begin, endTime: addMinutes(begin, 60) })
  const { device } = await boundLift(t, me, { buildCode: 'B1' })
  const isHeld = async () => {
    await turnCodes(t.app)
    return (await itemOf(device.id, code)) !== undefined
  }
  expect(await isHeld()).toBe(false)
  t.advanceClock(30 * minute)
  expect(await isHeld()).toBe(true)
  const endTime = addMinutes(begin, 120)
  await t.call(extendInvitation, { id, endTime }, me)
  t.advanceClock(61 * minute)
  expect(await isHeld()).toBe(true)
  expect(await itemOf(device.id, code)).toMatchObject({ endTime: endTime.replace(' ', 'T') })
  t.advanceClock(60 * minute)
  expect(await isHeld()).toBe(false)
})

it('who is inside goes by lift until the end, also by a code that is used up; then no more (VIS-2)', async () => {
  const { code } = await visit()
  const { lift, device } = await boundLift(t, me, { buildCode: 'B1' })
  const canGo = async () =>
    (await t.call(checkFloor, { elevatorId: lift.id, cardNo: code, floor }, me)).isAllowed
  await t.call(passCode, { projectCode, inviteNo: code, direction: 'in' }, me)
  expect([await canGo(), (await itemOf(device.id, code)) !== undefined]).toEqual([true, true])
  await t.call(passCode, { projectCode, inviteNo: code, direction: 'out' }, me)
  expect([await canGo(), await itemOf(device.id, code)]).toEqual([false, undefined])
  const late = await visit()
  await t.call(passCode, { projectCode, inviteNo: late.code, direction: 'in' }, me)
  t.advanceClock(62 * minute)
  await turnCodes(t.app)
  expect(await itemOf(device.id, late.code)).toBeUndefined()
})

it('a cancelled visit and a black list withdraw the floors with the code (VIS-4, VIS-6)', async () => {
  const mobile = nextMobile()
  const cancelled = await visit()
  const blocked = await visit({ visitors: [{ visitorName: '黑五', mobile }] })
  const { device } = await boundLift(t, me, { buildCode: 'B1' })
  expect(await itemOf(device.id, cancelled.code)).toBeDefined()
  expect(await itemOf(device.id, blocked.code)).toBeDefined()
  await t.call(cancelInvitation, { id: cancelled.id, reason: '改期' }, me)
  await t.call(visitorBlocks.add, { projectCode, name: '黑五', mobile, reason: '滋事' }, me)
  expect(await itemOf(device.id, cancelled.code)).toBeUndefined()
  expect(await itemOf(device.id, blocked.code)).toBeUndefined()
})

it('a guest of a company goes to the floors of its rooms, while it has them (ELV-2)', async () => {
  const draft = { projectCode, buildCode: 'B2', unitName: '1', floorNum: 5, roomNo: 'W1' } as const
  const room = await t.call(addRoom, { ...draft, roomType: 'office', roomState: 'vacant', state: 'on' }, me)
  const places = [{ roomId: room.id, beginDate: dayOfMoment(now()) }]
  const company = await t.call(companies.add, { projectCode, name: '访客企业', places }, me)
  const worker = await t.call(
    companyWorkers.add,
    { projectCode, companyId: company.id, name: '接待人', mobile: nextMobile() },
    me,
  )
  const { visitors } = await inviteOne(t, me, {
    hostType: 'company',
    workerId: worker.id,
    beginTime: now(),
    endTime: addMinutes(now(), 60),
  })
  const code = defined(defined(visitors[0]).inviteNo)
  const { device } = await boundLift(t, me, { buildCode: 'B2', unitName: '1' })
  expect(await itemOf(device.id, code)).toMatchObject({ rights: [{ floors: ['5'] }] })
  const [rented] = (await t.call(companyRooms.list, { roomId: room.id }, me)).rows
  await t.call(companyRooms.delete, { ids: [String(defined(rented).id)], reason: '退租' }, me)
  expect(await itemOf(device.id, code)).toBeUndefined()
})

it('a call by a code is stored with the name of the visitor and without the code (VIS-2)', async () => {
  const { code } = await visit()
  const { lift, device } = await boundLift(t, me, { buildCode: 'B1' })
  const data = { key: '1', card: code, item: `qr:${code}`, method: 4, from: '1', to: floor, result: 1 }
  await sendEvent(t, device.id, 'liftCall', data)
  const { rows } = await t.call(elevatorCalls.list, { elevatorId: [String(lift.id)] }, me)
  const shown = { cardNo: `******${code.slice(-2)}`, visitorName: '王五', toFloor: floor }
  expect(rows).toMatchObject([{ ...shown, method: 'qr' }])
  // A controller that does not have the code takes it for a card; its holder is the same.
  await sendEvent(t, device.id, 'liftCall', { key: '2', card: code, from: '1', to: floor, result: 0 })
  const later = await t.call(elevatorCalls.list, { elevatorId: [String(lift.id)] }, me)
  expect(later.rows).toMatchObject([shown, shown])
})
