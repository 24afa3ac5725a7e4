import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp, type TaskRow } from '#db/golden/golden-app.ts'
import { listRooms } from '#modules/rooms/contract/room.ts'
import { addResidentBlock } from '../contract/block.ts'
import { importCards } from '../contract/card-import.ts'
import { changeCardStates, listCards, listCardTypes, type IdentityCard } from '../contract/card.ts'
import { addResident } from '../contract/resident.ts'

let t: GoldenApp
let me: CallOptions
const projectCode = 'GOLD0001'
const heading = '卡号,持有人类型,持有人,手机号,楼栋,单元,房号,门组,生效,失效,押金'
let counter = 0

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
})

afterAll(() => t?.close())

/** Somebody who lives in a room of the project. */
async function addPerson() {
  counter++
  const { rows } = await t.call(listRooms, { projectCode, buildCode: ['B1'], size: 20 }, me)
  const room = defined(rows[counter])
  const mobile = `1390077${String(1000 + counter)}`
  const person = await t.call(
    addResident,
    {
      name: `持卡${counter}`,
      mobile,
      homeProject: projectCode,
      userType: 'person',
      state: 'normal',
      rooms: [{ roomId: room.id, relation: 'owner' }],
    },
    me,
  )
  return { person, mobile, room }
}

const preview = (lines: readonly string[]) => {
  const bytes = new TextEncoder().encode([heading, ...lines].join('\n'))
  const upload = { ...t.upload('门禁卡.csv', bytes), name: '门禁卡.csv', type: 'text/csv' }
  return t.call(importCards.post, { projectCode }, { ...me, upload })
}

async function run(lines: readonly string[], mode = 'skip'): Promise<TaskRow> {
  const { importId } = await preview(lines)
  const { taskId } = await t.call(importCards.post, { projectCode, importId: defined(importId), mode }, me)
  return t.waitForTask(defined(taskId))
}

const cardsOf = async (cardNo: string): Promise<readonly IdentityCard[]> =>
  (await t.call(listCards, { keyword: cardNo, size: 20 }, me)).rows

it('issues cards to residents by number or by name in the room, and to staff (1§7)', async () => {
  const { person, mobile } = await addPerson()
  const other = await addPerson()
  const colleague = defined(
    await t.app.database.reader(asId(1)).one<{ id: Id; name: string; mobile: string }>(sql`
      select id, name, mobile from staff where owner_id = 1 and state = 20 and mobile is not null limit 1
    `),
  )
  const { room } = other
  const lines = [
    `CI001,,${person.name},${mobile},,,,,2026-01-01,2027-01-01,20`,
    `CI002,住户,${other.person.name},,B1,${room.unitName},${room.roomNo},,,,`,
    `CI003,员工,${colleague.name},${colleague.mobile},,,,,,,`,
  ]
  expect((await preview(lines)).errors).toEqual([])
  expect(await run(lines)).toMatchObject({ success: 3, fail: 0 })
  expect(await cardsOf('CI001')).toMatchObject([
    {
      userId: person.id,
      state: 'normal',
      cardType: 'ic',
      endDate: '2027-01-01',
      deposit: 2000,
    },
  ])
  expect(await cardsOf('CI002')).toMatchObject([{ userId: other.person.id, roomId: room.id }])
  expect(await cardsOf('CI003')).toMatchObject([{ staffId: colleague.id }])
  const types = await t.call(listCardTypes, {}, me)
  expect(types).toContainEqual({ code: 10, name: 'IC卡' })
})

it('answers what is wrong by line and column: holder, room, group, dates, block (BASE-15)', async () => {
  const { person, mobile } = await addPerson()
  const blocked = await addPerson()
  const [userId, { name }] = [blocked.person.id, blocked.person]
  await t.call(addResidentBlock, { projectCode, userId, name, scope: ['access'], reason: '多次尾随' }, me)
  const { errors } = await preview([
    `CF001,,${person.name},13900779999,,,,,,,`,
    `CF002,,别人,${mobile},,,,,,,`,
    `CF003,,${person.name},,,,,,,,`,
    `CF004,,${person.name},${mobile},,,,没有的门组,,,`,
    `CF005,,${person.name},${mobile},,,,,2026-02-01,2026-01-01,`,
    `CF006,,${name},${blocked.mobile},,,,,,,`,
    `CF007,员工,${person.name},${mobile},,,,,,,`,
    `卡号,,${person.name},${mobile},,,,,,,`,
    `CF009,,${person.name},139****9999,,,,,,,`,
  ])
  expect(defined(errors).map(fault => [fault.line, fault.column, fault.message])).toEqual([
    [2, '手机号', '该手机号尚未登记住户'],
    [3, '手机号', `该手机号登记为「${person.name}」`],
    [4, '手机号', '不能识别持有人'],
    [5, '门组', '没有门组「没有的门组」'],
    [6, '失效', '失效日期早于生效日期'],
    [7, '持有人', '在黑名单中（多次尾随），不能发放门禁'],
    [8, '手机号', '没有该手机号的在职员工'],
    [9, '卡号', expect.any(String)],
    [10, '手机号', '手机号含有星号'],
  ])
})

it('leaves a number with its holder, and issues it again once its card is ended (ACS-1, 1§7)', async () => {
  const { person, mobile } = await addPerson()
  const other = await addPerson()
  const own = `CR001,,${person.name},${mobile},,,,,,,`
  await run([own])
  expect(await run([`CR001,,${person.name},${mobile},,,,,,2028-01-01,`], 'update')).toMatchObject({
    success: 1,
  })
  const [card] = await cardsOf('CR001')
  expect(card).toMatchObject({ endDate: '2028-01-01' })
  const foreign = `CR001,,${other.person.name},${other.mobile},,,,,,,`
  const { errors } = await preview([foreign])
  expect(defined(errors)).toMatchObject([{ line: 2, column: '卡号', message: '该卡号已由其他人持有' }])
  await t.call(changeCardStates, { ids: [String(defined(card).id)], state: 'ended', reason: '退卡' }, me)
  expect(await run([foreign])).toMatchObject({ success: 1, fail: 0 })
  expect((await cardsOf('CR001')).map(({ userId }) => userId)).toEqual([other.person.id, person.id])
})

it('a holder lives in the room of the card, and a card is not over as it is issued (BASE-11, ACS-1)', async () => {
  const { person, mobile } = await addPerson()
  const { room } = await addPerson()
  const { errors } = await preview([
    `CW001,,${person.name},${mobile},B1,${room.unitName},${room.roomNo},,,,`,
    `CW002,,${person.name},${mobile},,,,,,2020-01-01,`,
  ])
  expect(defined(errors)).toMatchObject([
    { line: 2, column: '房号', message: '持有人未登记在此房间' },
    { line: 3, column: '失效', message: '失效日期已过' },
  ])
})
