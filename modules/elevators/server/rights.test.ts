import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { asMoment, dayOfMoment } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import {
  findNeighbours,
  inBuilding,
  issueCard,
  type Neighbour,
} from '#modules/access/server/people.fixtures.ts'
import { planChanged, planDays } from '#modules/access/server/sync/jobs.ts'
import { changeCardStates } from '#modules/residents/contract/card.ts'
import { addResidentBlock, deleteResidentBlocks } from '#modules/residents/contract/block.ts'
import { checkOut } from '#modules/residents/contract/move.ts'
import { resignStaff, staffs } from '#modules/staff/contract/staff.ts'
import {
  bindElevatorDevice,
  changeElevatorState,
  elevators,
  saveBusyTimes,
  saveFloors,
} from '../contract/elevator.ts'
import { checkFloor, elevatorRights, listFloorRights } from '../contract/right.ts'
import { addLift, boundLift, nowOf, projectCode, wantedOf } from './elevators.fixtures.ts'

let t: GoldenApp
let me: CallOptions
let people: Neighbour[]
let today: Day
const reason = '录入有误'

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.signedInAs(golden.first.owner)
  people = await findNeighbours(t)
  today = dayOfMoment(nowOf(t))
})

afterAll(() => t?.close())

const floorOf = async (person: Neighbour): Promise<string> => {
  const room = await t.database.reader(t.ownerId).one<{ floor: string }>(sql`
    select floor_num::text as floor from room where owner_id = ${t.ownerId} and id = ${person.roomId}
  `)
  return defined(room).floor
}

/** Floors that are neither the ground nor the person's. */
const otherFloors = (own: string): readonly [string, string] => {
  const [one, other] = ['15', '16', '17'].filter(floor => floor !== own)
  return [defined(one), defined(other)]
}

it('a resident goes to the own floor and the public floors of the lifts of home, nowhere else (ELV-2)', async () => {
  const person = inBuilding(people, 'B1')
  const own = await floorOf(person)
  const { cardNo } = await issueCard(t, me, person)
  const lift = await addLift(t, me, { buildCode: 'B1' })
  const check = (floor: string, elevatorId = lift.id) => t.call(checkFloor, { elevatorId, cardNo, floor }, me)
  expect(await check(own)).toMatchObject({ isAllowed: true, holderName: person.name })
  expect((await check('1')).isAllowed).toBe(true)
  expect(await check(otherFloors(own)[0])).toMatchObject({ isAllowed: false, reason: '无此楼层的权限' })
  const elsewhere = await addLift(t, me, { buildCode: 'B2' })
  expect(await check('1', elsewhere.id)).toMatchObject({ isAllowed: false, reason: '无此电梯的权限' })
  const { rows } = await t.call(listFloorRights, { elevatorId: lift.id, keyword: cardNo }, me)
  expect(rows).toMatchObject([{ holderName: person.name, number: cardNo, source: 'home' }])
  expect(rows[0]?.reason).toBe(`住处楼层（${person.place}）`)
  expect(await t.call(checkFloor, { elevatorId: lift.id, cardNo: 'X1', floor: '1' }, me)).toMatchObject({
    reason: '卡号未登记',
  })
})

it('a right to a floor counts for its week, and reaches the device (ELV-2, ACS-3)', async () => {
  const person = inBuilding(people, 'B2')
  const [floor] = otherFloors(await floorOf(person))
  const { cardNo } = await issueCard(t, me, person)
  const { lift, device } = await boundLift(t, me)
  expect((await wantedOf(t, device.id)).has(`lift:card:${cardNo}`)).toBe(false)
  const endDate = addDays(today, 6)
  const right = await t.call(
    elevatorRights.add,
    {
      projectCode,
      userId: person.userId,
      elevatorId: lift.id,
      floors: [floor],
      beginDate: today,
      endDate,
      state: 'valid',
    },
    me,
  )
  expect((await wantedOf(t, device.id)).get(`lift:card:${cardNo}`)).toEqual({
    kind: 'card',
    number: cardNo,
    name: person.name,
    rights: [{ floors: [floor], isHome: false, from: today, until: endDate }],
  })
  const at = (day: Day) => ({ elevatorId: lift.id, cardNo, floor, at: asMoment(`${day} 12:00:00`) })
  expect(await t.call(checkFloor, at(endDate), me)).toMatchObject({ isAllowed: true, untilDate: endDate })
  expect((await t.call(checkFloor, at(addDays(endDate, 1)), me)).isAllowed).toBe(false)
  await t.call(elevatorRights.edit, { ...right, state: 'disabled' }, me)
  expect((await wantedOf(t, device.id)).has(`lift:card:${cardNo}`)).toBe(false)
})

it('what ends with a day is withdrawn from lifts on the next (ACS-4)', async () => {
  const person = inBuilding(people, 'B2')
  const { cardNo } = await issueCard(t, me, person)
  const { lift, device } = await boundLift(t, me)
  const right = { projectCode, userId: person.userId, elevatorId: lift.id, state: 'valid' } as const
  await t.call(elevatorRights.add, { ...right, floors: ['15'], endDate: today }, me)
  await planDays(t.app)
  expect((await wantedOf(t, device.id)).has(`lift:card:${cardNo}`)).toBe(true)
  const clock = t.app.clock
  const app = { ...t.app, clock: () => clock() + 2 * 86_400_000 }
  await planDays(app)
  expect((await wantedOf(t, device.id, app)).has(`lift:card:${cardNo}`)).toBe(false)
})

it('lost cards, blocks and moves out withdraw from lifts, by the one query of access (BASE-11, BASE-15)', async () => {
  const [leaving, blocked] = people.filter(({ buildCode }) => buildCode === 'B2').slice(1)
  const { lift, device } = await boundLift(t, me, { buildCode: 'B2' })
  const cards = [await issueCard(t, me, defined(leaving)), await issueCard(t, me, defined(blocked))]
  const hasCard = async (i: 0 | 1) => (await wantedOf(t, device.id)).has(`lift:card:${cards[i]?.cardNo}`)
  expect([await hasCard(0), await hasCard(1)]).toEqual([true, true])
  const change = (state: 'lost' | 'normal') =>
    t.call(changeCardStates, { ids: [String(cards[0]?.id)], state }, me)
  await change('lost')
  expect(await hasCard(0)).toBe(false)
  await change('normal')
  expect(await hasCard(0)).toBe(true)
  const { userId, name } = defined(blocked)
  const block = await t.call(addResidentBlock, { projectCode, userId, name, scope: ['access'], reason }, me)
  expect(await hasCard(1)).toBe(false)
  await t.call(deleteResidentBlocks, { ids: [String(block.id)], reason }, me)
  expect(await hasCard(1)).toBe(true)
  const right = await t.call(
    elevatorRights.add,
    { projectCode, userId: defined(leaving).userId, elevatorId: lift.id, floors: ['15'], state: 'valid' },
    me,
  )
  const ids = [String(defined(leaving).residencyId)]
  await t.call(checkOut, { ids, outDate: today, reason: '退租', answers: [] }, me)
  expect(await hasCard(0)).toBe(false)
  expect(
    (await t.call(elevatorRights.list, { userId: [String(defined(leaving).userId)] }, me)).rows,
  ).toMatchObject([{ id: right.id, state: 'disabled' }])
})

it('the device gets floors, busy times and whether the lift runs; nothing after it is unbound (ACS-3)', async () => {
  const { lift, device } = await boundLift(t, me, { buildCode: 'B1', floors: '-1~3' })
  const settings = async () => (await wantedOf(t, device.id)).get('lift:settings')
  expect(await settings()).toEqual({
    floors: ['-1', '1', '2', '3'],
    publicFloors: ['1'],
    closedFloors: [],
    busyTimes: [],
    isRunning: true,
  })
  const { version } = await t.call(elevators.get, { id: lift.id }, me)
  await t.call(saveFloors, { id: lift.id, version, publicFloors: ['1', '-1'], closedFloors: ['3'] }, me)
  await t.call(
    saveBusyTimes,
    { elevatorId: lift.id, busyTimes: [{ begin: '07:00', end: '08:00', limit: 'noCall' }] },
    me,
  )
  await t.call(changeElevatorState, { id: lift.id, state: 'repair', reason: '更换曳引绳' }, me)
  expect(await settings()).toMatchObject({
    publicFloors: ['-1', '1'],
    closedFloors: ['3'],
    busyTimes: [{ begin: '07:00', end: '08:00', limit: 'noCall' }],
    isRunning: false,
  })
  await t.call(bindElevatorDevice, { id: lift.id }, me)
  await planChanged(t.app)
  expect([...(await wantedOf(t, device.id)).keys()]).toEqual([])
})

it('a right that is over says so in the list and to a check; none is added that is (ELV-2)', async () => {
  const person = defined(people[0])
  const { cardNo } = await issueCard(t, me, person)
  const lift = await addLift(t, me, { floors: '1~20' })
  const right = {
    projectCode,
    elevatorId: lift.id,
    userId: person.userId,
    floors: ['15'],
    state: 'valid' as const,
  }
  const yesterday = addDays(today, -1)
  const late = t.call(elevatorRights.add, { ...right, endDate: yesterday }, me)
  await expect(late).rejects.toThrow('失效日期已过')
  const made = await t.call(elevatorRights.add, { ...right, endDate: today }, me)
  const find = async (filter: object) =>
    (await t.call(elevatorRights.list, { elevatorId: [String(lift.id)], ...filter }, me)).rows
  expect(await find({ isCurrent: true })).toMatchObject([{ id: made.id, isExpired: false }])
  const shortened = t.call(elevatorRights.edit, { ...made, endDate: yesterday }, me)
  await expect(shortened).rejects.toThrow('失效日期已过')
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`
      update elevator_right set end_date = ${yesterday} where owner_id = ${t.ownerId} and id = ${made.id}
    `),
  )
  expect(await find({ state: ['valid'] })).toEqual([])
  expect(await find({ isCurrent: true })).toEqual([])
  expect(await find({ isExpired: true })).toMatchObject([{ id: made.id, isExpired: true }])
  const check = t.call(checkFloor, { elevatorId: lift.id, cardNo, floor: '15' }, me)
  expect(await check).toEqual({ isAllowed: false, reason: '权限已过期' })
})

it('rights of an employee end with the work and do not come back with them (BASE-16)', async () => {
  const { lift } = await boundLift(t, me)
  const draft = { name: '吴电梯', state: 'active', isTicketSeller: false } as const
  const { id } = await t.call(staffs.add, draft, me)
  await t.call(
    elevatorRights.add,
    { projectCode, elevatorId: lift.id, staffId: id, floors: ['15'], state: 'valid' },
    me,
  )
  const stateOfRight = async () =>
    (await t.call(elevatorRights.list, { staffId: [String(id)] }, me)).rows[0]?.state
  expect(await stateOfRight()).toBe('valid')
  const ids = [String(id)]
  await t.call(resignStaff, { ids, leaveDate: today, reason: '合同到期' }, me)
  expect(await stateOfRight()).toBe('disabled')
  const written = await t.database.reader(t.ownerId).rows(sql`
    select before, after, reason
    from audit_log
    where owner_id = ${t.ownerId}
      and entity = 'elevatorRight'
      and action = 'state'
      and entity_id in (select r.id from elevator_right r where r.staff_id = ${id})
  `)
  expect(written).toEqual([
    { before: { state: 'valid' }, after: { state: 'disabled' }, reason: '员工离职：合同到期' },
  ])
  await t.call(staffs.edit, { id, ...draft }, me)
  expect(await stateOfRight()).toBe('disabled')
})
