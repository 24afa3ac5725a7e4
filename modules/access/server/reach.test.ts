import { afterAll, beforeAll, expect, it } from 'vitest'
import { keysOf } from '#kit/contract/field.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { dayOfMoment, fromInstant, momentAt, type Moment } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { faultTextsOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { addResidentBlock } from '#modules/residents/contract/block.ts'
import { changeCardStates, listCards, saveCard } from '#modules/residents/contract/card.ts'
import { checkOut } from '#modules/residents/contract/move.ts'
import { expireCards } from '#modules/residents/server/card-expiry.ts'
import { resignStaff, staffs } from '#modules/staff/contract/staff.ts'
import { weekDay } from '../contract/choices.ts'
import { publicTimes } from '../contract/public-time.ts'
import { checkRight, listRights } from '../contract/reach.ts'
import { vipDoorways } from '../contract/vip-doorway.ts'
import type { Doorway } from '../contract/doorway.ts'
import { addDoorway, addGroup, projectCode } from './access.fixtures.ts'
import { findNeighbours, inBuilding, issueCard, type Neighbour } from './people.fixtures.ts'

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

const check = (doorway: Doorway, cardNo: string, at?: Moment) =>
  t.call(checkRight, { doorwayId: doorway.id, cardNo, ...(at === undefined ? {} : { at }) }, me)

const why = async (doorway: Doorway, cardNo: string) => {
  const { isAllowed, reason: text } = await check(doorway, cardNo)
  return `${isAllowed ? '可开' : '不能'} ${text}`
}

const reasonsAt = async (doorway: Doorway, cardNo: string) =>
  (await t.call(listRights, { doorwayId: doorway.id, size: 2000 }, me)).rows
    .filter(row => row.number === cardNo)
    .map(row => row.reason)

it('a public door opens for those who live in its unit, building or project, and says why (ACS-2)', async () => {
  const unit = await addDoorway(t, me, { isPublic: true, buildCode: 'B1', unitName: '1' })
  const building = await addDoorway(t, me, { isPublic: true, buildCode: 'B1' })
  const project = await addDoorway(t, me, { isPublic: true })
  const plain = await addDoorway(t, me, { buildCode: 'B1' })
  const home = inBuilding(people, 'B1', '1')
  const card = await issueCard(t, me, home)
  for (const doorway of [unit, building, project]) {
    expect(await why(doorway, card.cardNo)).toBe(`可开 公共门（${home.place}）`)
  }
  expect(await why(plain, card.cardNo)).toBe('不能 无此门的权限')
  const other = inBuilding(people, 'B2')
  const otherCard = await issueCard(t, me, other)
  expect(await why(building, otherCard.cardNo)).toBe('不能 无此门的权限')
  expect(await why(project, otherCard.cardNo)).toBe(`可开 公共门（${other.place}）`)
})

it('groups of a building, a unit and a relation reach whom they name (ACS-2)', async () => {
  const doorway = await addDoorway(t, me)
  const home = inBuilding(people, 'B1', '1')
  const { cardNo } = await issueCard(t, me, home)
  const ofUnit = { scopeType: 'unit', buildCodes: ['B1'], unitNames: ['2'] } as const
  await addGroup(t, me, [doorway], ofUnit)
  expect(await why(doorway, cardNo)).toBe('不能 无此门的权限')
  const notFamily = { scopeType: 'building', buildCodes: ['B1'], defaultForRole: ['tenantFamily'] } as const
  await addGroup(t, me, [doorway], notFamily)
  expect(await why(doorway, cardNo)).toBe('不能 无此门的权限')
  const group = await addGroup(t, me, [doorway], { ...ofUnit, unitNames: ['1', '2'] })
  expect(await reasonsAt(doorway, cardNo)).toEqual([
    `楼栋或单元的门组「${group.groupName}」（${home.place}）`,
  ])
})

it('the windows of a group bind its right, and a free time opens for anybody (ACS-2, ACS-7)', async () => {
  const doorway = await addDoorway(t, me)
  const group = await addGroup(t, me, [doorway], { windows: [{ begin: '22:00', end: '06:00' }] })
  const person = inBuilding(people, 'B2')
  const { cardNo } = await issueCard(t, me, person, { doorwayGroupIds: [String(group.id)] })
  const at = (clock: string) => momentAt(today, clock)
  expect((await check(doorway, cardNo, at('23:00'))).isAllowed).toBe(true)
  expect(await check(doorway, cardNo, at('12:00'))).toMatchObject({ reason: '不在可开门的时间段' })
  const free = { projectCode, doorwayId: doorway.id, weekDays: keysOf(weekDay) }
  await t.call(publicTimes.add, { ...free, beginTime: '11:00', endTime: '13:00' }, me)
  expect(await check(doorway, cardNo, at('12:00'))).toMatchObject({ isAllowed: true, reason: '常开时段' })
  expect(await check(doorway, '0000', at('12:00'))).toMatchObject({ isAllowed: true })
  expect(await check(doorway, '0000', at('14:00'))).toMatchObject({ reason: '卡号未登记' })
})

it('a door is for its direction alone: no right and no free time counts the other way (ACS-2)', async () => {
  const doorway = await addDoorway(t, me, { isPublic: true, direction: 'exit' })
  const { cardNo } = await issueCard(t, me, inBuilding(people, 'B1'))
  const going = (direction?: 'exit' | 'entrance' | 'both') =>
    t.call(checkRight, { doorwayId: doorway.id, cardNo, ...(direction && { direction }) }, me)
  expect(await going('entrance')).toMatchObject({ isAllowed: false, reason: '通行方向不符' })
  expect((await going('exit')).isAllowed).toBe(true)
  expect((await going('both')).isAllowed).toBe(true)
  expect((await going()).isAllowed).toBe(true)
})

it('a VIP door counts between its days, and until the card ends (ACS-1)', async () => {
  const doorway = await addDoorway(t, me)
  const person = inBuilding(people, 'B2')
  const { cardNo } = await issueCard(t, me, person, { endDate: addDays(today, 3) })
  const vip = {
    projectCode,
    userId: person.userId,
    doorwayIds: [String(doorway.id)],
    state: 'valid',
  } as const
  const later = await t.call(vipDoorways.add, { ...vip, beginDate: addDays(today, 1) }, me)
  expect(await why(doorway, cardNo)).toBe('不能 权限尚未生效')
  const valid = { ...later, beginDate: today, endDate: addDays(today, 9) }
  await t.call(vipDoorways.edit, valid, me)
  expect(await check(doorway, cardNo)).toMatchObject({ reason: 'VIP 门', untilDate: addDays(today, 3) })
  const tomorrow = momentAt(addDays(today, 4), '08:00')
  expect(await check(doorway, cardNo, tomorrow)).toMatchObject({ reason: '凭证已过期' })
  await t.call(vipDoorways.edit, { ...valid, version: defined(later.version) + 1, state: 'disabled' }, me)
  expect(await why(doorway, cardNo)).toBe('不能 无此门的权限')
})

it('a lost card opens nothing until it is found, an ended one never again (ACS-1)', async () => {
  const doorway = await addDoorway(t, me, { isPublic: true })
  const card = await issueCard(t, me, inBuilding(people, 'B1'))
  const change = (state: 'lost' | 'normal' | 'ended') =>
    t.call(changeCardStates, { ids: [String(card.id)], state, reason: '遗失' }, me)
  await change('lost')
  expect(await why(doorway, card.cardNo)).toBe('不能 卡已挂失')
  await change('normal')
  expect(await why(doorway, card.cardNo)).toContain('可开')
  await change('ended')
  expect(await why(doorway, card.cardNo)).toBe('不能 卡已注销')
})

it('a block, a lease that is over and a move out end the right at once (BASE-11, BASE-15)', async () => {
  const doorway = await addDoorway(t, me, { isPublic: true })
  const [blocked, tenant, leaving] = people.filter(({ buildCode }) => buildCode === 'B2').slice(1)
  const cards: string[] = []
  for (const person of [blocked, tenant, leaving]) {
    cards.push((await issueCard(t, me, defined(person))).cardNo)
  }
  const [first = '', second = '', third = ''] = cards
  await t.call(
    addResidentBlock,
    { projectCode, userId: defined(blocked).userId, name: defined(blocked).name, scope: ['access'], reason },
    me,
  )
  expect(await check(doorway, first)).toMatchObject({
    isAllowed: false,
    reason: '持有人在黑名单中',
    holderName: defined(blocked).name,
  })
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`
      update user_room
      set lease_end = ${addDays(today, -1)}
      where owner_id = ${t.ownerId} and id = ${defined(tenant).residencyId}
    `),
  )
  expect(await why(doorway, second)).toBe('不能 持有人已迁出、租期已满或已离职')
  expect(await why(doorway, third)).toContain('可开')
  const ids = [String(defined(leaving).residencyId)]
  await t.call(checkOut, { ids, outDate: today, reason: '退租', answers: [] }, me)
  expect(await why(doorway, third)).toBe('不能 卡已注销')
})

it('staff reach the doors of the staff until they leave (ACS-2)', async () => {
  const doorway = await addDoorway(t, me)
  const group = await addGroup(t, me, [doorway], { scopeType: 'staff' })
  const person = await t.call(
    staffs.add,
    { name: '王守门', gender: 'unknown', isTicketSeller: false, state: 'active' },
    me,
  )
  const { cardNo } = await issueCard(t, me, { staffId: person.id })
  expect(await why(doorway, cardNo)).toBe(`可开 员工门组「${group.groupName}」`)
  const shown = await t.call(listRights, { staffId: person.id, size: 100 }, me)
  expect(shown.rows.map(row => row.doorwayName)).toContain(doorway.doorwayName)
  const byNumber = { doorwayId: doorway.id, keyword: cardNo }
  expect(await t.call(listRights, byNumber, me)).toMatchObject({ total: 1, rows: [{ holderName: '王守门' }] })
  expect((await t.call(listRights, { ...byNumber, keyword: '无此人' }, me)).total).toBe(0)
  await t.call(resignStaff, { ids: [String(person.id)], leaveDate: today, reason }, me)
  expect(await why(doorway, cardNo)).toBe('不能 卡已注销')
})

it('a number is one card however it is spelled: of a form, of a check and of a reader (ACS-1)', async () => {
  const doorway = await addDoorway(t, me, { isPublic: true })
  const first = await issueCard(t, me, inBuilding(people, 'B1'), { cardNo: 'ab12ef' })
  expect(first.cardNo).toBe('AB12EF')
  expect((await check(doorway, 'Ab12eF')).isAllowed).toBe(true)
  const second = issueCard(t, me, inBuilding(people, 'B2'), { cardNo: 'Ab12Ef' })
  expect(await refusalMessageOf(second)).toContain('该卡号已在使用')
  const edited = await t.call(saveCard, { ...first, cardNo: 'ab12ef', remark: '补卡' }, me)
  expect(edited).toMatchObject({ cardNo: 'AB12EF', remark: '补卡' })
  await t.call(changeCardStates, { ids: [String(first.id)], state: 'lost', reason: '遗失' }, me)
  expect(await why(doorway, 'ab12ef')).toBe('不能 卡已挂失')
})

it('a card that is over already is not issued, and one that is not over is not called so (ACS-1)', async () => {
  const person = inBuilding(people, 'B1')
  const past = issueCard(t, me, person, { endDate: addDays(today, -1) })
  const isPast = { EndDate: '失效日期已过，请填写今天或以后的日期' }
  expect(await faultTextsOf(past)).toEqual(isPast)
  const card = await issueCard(t, me, person, { endDate: today })
  const expired = await t.call(changeCardStates, { ids: [String(card.id)], state: 'expired' }, me)
  expect(JSON.stringify(expired)).toContain('未过有效期；停用请挂失或注销')
  const shortened = t.call(saveCard, { ...card, endDate: addDays(today, -1) }, me)
  expect(await faultTextsOf(shortened)).toEqual(isPast)
})

it('a card past its last day is 过期 everywhere, and in use again once it is put off (ACS-1, ACS-4)', async () => {
  const doorway = await addDoorway(t, me, { isPublic: true })
  const card = await issueCard(t, me, inBuilding(people, 'B1'), { endDate: today })
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`
      update identity_card set end_date = ${addDays(today, -1)} where owner_id = ${t.ownerId} and id = ${card.id}
    `),
  )
  await expireCards(t.app)
  const find = async (state: 'normal' | 'expired') =>
    (await t.call(listCards, { keyword: card.cardNo, state: [state] }, me)).rows
  expect(await find('normal')).toEqual([])
  const [over] = await find('expired')
  expect(await why(doorway, card.cardNo)).toBe('不能 卡已过期')
  const remarked = await t.call(saveCard, { ...defined(over), remark: '待续期' }, me)
  expect(remarked).toMatchObject({ state: 'expired', remark: '待续期' })
  expect((await t.call(saveCard, { ...remarked, endDate: today }, me)).state).toBe('normal')
  expect((await check(doorway, card.cardNo)).isAllowed).toBe(true)
})

it('nobody gets a card for a room of others, or in a project that is another’s (BASE-11)', async () => {
  const person = inBuilding(people, 'B1')
  const other = inBuilding(people, 'B2')
  const foreign = issueCard(t, me, { userId: person.userId, roomId: other.roomId })
  expect(await faultTextsOf(foreign)).toEqual({
    RoomID: '持有人未在此房间居住或任职，请重新选择房间，或先登记入住',
  })
  const elsewhere = await t.database.reader(t.ownerId).one<{ code: string }>(sql`
    select project_code as code
    from estate
    where owner_id = ${t.ownerId} and project_code <> ${projectCode} and delete_tag = 0
    limit 1
  `)
  const card = { userId: person.userId, projectCode: defined(elsewhere).code }
  expect((await faultTextsOf(issueCard(t, me, { userId: person.userId }, card))).UserID).toContain(
    '未登记在本项目',
  )
})

it('a card names groups of its project that exist', async () => {
  const draft = { projectCode, cardNo: 'T80001', cardType: 'ic', userId: defined(people[0]).userId } as const
  const missing = t.call(saveCard, { ...draft, doorwayGroupIds: ['999999'] }, me)
  expect(await refusalMessageOf(missing)).toBe('门组不存在或已被删除，请重新选择')
})
