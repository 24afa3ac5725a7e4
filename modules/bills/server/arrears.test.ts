import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { checkOut, previewMove, transferRoom } from '#modules/residents/contract/move.ts'
import { addFamily } from '#modules/residents/contract/resident.ts'
import { getResidentPanel } from '#modules/residents/contract/maintenance.ts'
import { getRoomPanel } from '#modules/rooms/contract/room-board.ts'
import { addPark, type Park } from '#modules/parking/contract/park.ts'
import { addPlace, getPlace, type ParkPlace } from '#modules/parking/contract/park-place.ts'
import { addRoom, type Room } from '#modules/rooms/contract/room.ts'
import { seedBillRows, seedFeeItem, type SeededBill } from './fixtures.ts'

let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let item: Id = 0
let n = 0
let park: Park | undefined

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  ownerId = t.ownerId
  item = await t.database.tx(ownerId, tx => seedFeeItem(tx, ownerId, 'MOVE'))
})

afterAll(() => t?.close())
const mobile = (): string => `1370000${String(1000 + ++n)}`

interface Home {
  readonly room: Room
  readonly user: number
  readonly link: Id
}

async function home(): Promise<Home> {
  const room = await t.call(
    addRoom,
    {
      projectCode: 'GOLD0001',
      buildCode: 'B2',
      unitName: '1',
      floorNum: 1,
      roomNo: `M${100 + ++n}`,
      roomType: 'home',
      roomState: 'vacant',
      state: 'on',
      buildArea: '90',
    },
    me,
  )
  const [person] = await t.call(
    addFamily,
    {
      projectCode: 'GOLD0001',
      roomIds: [String(room.id)],
      inDate: '2025-01-01',
      people: [{ name: `房主${'甲乙丙丁戊己庚辛'[n % 8]}`, mobile: mobile(), relation: 'owner' }],
    },
    me,
  )
  const link = defined(
    await t.database
      .reader(ownerId)
      .one<{ id: Id }>(
        sql`select id from user_room where owner_id = ${ownerId} and room_id = ${room.id} and delete_tag = 0`,
      ),
  ).id
  return { room, user: defined(person).id, link }
}

const bills = (h: Home, ...list: SeededBill[]): Promise<number[]> =>
  t.database.tx(ownerId, tx =>
    seedBillRows(
      tx,
      ownerId,
      item,
      list.map(b => ({ source: defined(h.room.code), name: h.room.path, build: 'B2', payer: h.user, ...b })),
    ),
  )

const owed = (h: Home) =>
  t.database
    .reader(ownerId)
    .rows<{ begin: string; end: string; payer: number; state: number; receivable: string }>(
      sql`
        select begin_date as begin, end_date as end, payer_id as payer, state, receivable::text
        from bill
        where owner_id = ${ownerId} and source_code = ${defined(h.room.code)} and state <> 40 and delete_tag = 0
        order by begin_date
      `,
    )

const policy = (v: string) =>
  t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        insert into estate_setting (owner_id, project_code, key, value)
        values (${ownerId}, 'GOLD0001', 'residents.transferArrears', ${v})
        on conflict (owner_id, project_code, key) do update set value = excluded.value
      `,
    ),
  )

const sale = (h: Home) =>
  t.call(
    transferRoom,
    {
      roomId: h.room.id,
      linkId: h.link,
      day: '2026-11-01',
      familyLeaves: true,
      people: [{ name: '新房主', mobile: mobile(), relation: 'owner' }],
      reason: '二手房成交',
    },
    me,
  )

const three: SeededBill[] = [
  { begin: '2026-07-01', end: '2026-09-30' },
  { begin: '2026-10-01', end: '2026-12-31', amount: asFen(9200) },
  { begin: '2027-01-01', end: '2027-03-31' },
]

it('BASE-17: 1 must be settled, 3 stays, 2 goes with the room; what spans the day is split by days', async () => {
  await policy('1')
  const a = await home()
  await bills(a, ...three)
  await expect(sale(a)).rejects.toThrow(/还有 1 张 2026-11-01 之前的账单未缴，共 300.00 元/)
  expect((await owed(a)).length).toBe(3)
  await policy('3')
  await sale(a)
  const after = await owed(a)
  const newPayer = defined(after.at(-1)).payer
  expect(newPayer).not.toBe(a.user)
  // 92.00 over 92 days: 31 of them in October
  expect(after.map(b => [b.begin, b.end, b.payer === newPayer, b.receivable])).toEqual([
    ['2026-07-01', '2026-09-30', false, '300.00'],
    ['2026-10-01', '2026-10-31', false, '31.00'],
    ['2026-11-01', '2026-12-31', true, '61.00'],
    ['2027-01-01', '2027-03-31', true, '300.00'],
  ])
  await policy('2')
  const b = await home()
  await bills(b, ...three)
  await sale(b)
  expect(new Set((await owed(b)).map(x => x.payer)).size).toBe(1)
  expect((await owed(b)).map(x => x.payer === b.user)).toEqual([false, false, false])
  await policy('3')
  const c = await home()
  await bills(c, defined(three[0]), { ...defined(three[1]), paid: asFen(100) })
  await sale(c)
  expect((await owed(c)).map(x => [x.end, x.payer === c.user])).toEqual([
    ['2026-09-30', true],
    ['2026-12-31', true],
  ])
})

it('BASE-11: nobody checks out with arrears unless they stay with the room', async () => {
  const h = await home()
  await bills(h, defined(three[0]))
  const request = { kind: 'checkout', ids: [String(h.link)], day: '2026-11-20' } as const
  const plan = await t.call(previewMove, request, me)
  const step = defined(plan.steps.find(s => s.key === 'arrears'))
  expect([plan.blocked, step.blocks, step.question?.options.map(o => o.value)]).toEqual([
    true,
    '还有 1 张账单未缴，共 300.00 元，请先收款，或选择欠费留在房间',
    ['settle', 'stay'],
  ])
  const out = (answers: { readonly key: string; readonly value: string }[] = []) =>
    t.call(checkOut, { ids: [String(h.link)], outDate: '2026-11-20', answers }, me)
  expect(
    await out().then(
      () => '',
      (e: Refused) => e.message,
    ),
  ).toContain('欠费')
  await out([{ key: 'arrears', value: 'stay' }])
  expect(defined((await owed(h))[0]).payer).toBe(h.user)
})

async function place(h: Home, placeNo: string, placeState: 'sold' | 'let'): Promise<ParkPlace> {
  park ??= await t.call(
    addPark,
    { projectCode: 'GOLD0001', name: '过户车库', parkType: 'below', state: 'on' },
    me,
  )
  return t.call(
    addPlace,
    {
      projectCode: 'GOLD0001',
      parkId: park.id,
      placeNo,
      placeType: 'plain',
      placeState,
      roomCode: h.room.code,
      endDate: '2027-12-31',
    },
    me,
  )
}

const placeBills = (h: Home, { code, placeNo }: ParkPlace, ...list: SeededBill[]) =>
  bills(h, ...list.map(b => ({ type: 30, source: defined(code), name: placeNo, ...b })))

const payersOf = async (p: ParkPlace) =>
  (
    await t.database.reader(ownerId).rows<{ payer: Id }>(
      sql`
        select payer_id as payer
        from bill
        where owner_id = ${ownerId} and source_code = ${defined(p.code)} and state <> 40
        order by begin_date
      `,
    )
  ).map(b => b.payer)

it('BASE-17: the parking places of a room are settled with it, and go with it unless they are released', async () => {
  const saleOf = (h: Home, answers: { key: string; value: string }[]) =>
    t.call(
      transferRoom,
      {
        roomId: h.room.id,
        day: '2026-11-01',
        familyLeaves: true,
        people: [{ name: '新车主', mobile: mobile(), relation: 'owner' }],
        reason: '二手房成交',
        answers,
      },
      me,
    )
  await policy('1')
  const h = await home()
  const sold = await place(h, 'GH-1', 'sold')
  await bills(h, { begin: '2026-07-01', end: '2026-09-30', amount: asFen(45_441) })
  await placeBills(h, sold, { begin: '2026-07-01', end: '2026-09-30', amount: asFen(6420) })
  const plan = await t.call(previewMove, { kind: 'transfer', roomId: h.room.id, day: '2026-11-01' }, me)
  expect(plan.steps.find(s => s.key === 'bills')?.lines[0]?.value).toBe('2 张，518.61 元')
  expect(plan.steps.find(s => s.key === 'places')?.lines[0]?.note).toBe('GH-1（已售，至 2027-12-31）')
  await policy('3')
  const future = { begin: '2027-01-01', end: '2027-03-31' }
  await placeBills(h, sold, future)
  await saleOf(h, [{ key: 'places', value: 'room' }])
  const [former, next] = await payersOf(sold)
  expect([former === h.user, next === h.user]).toEqual([true, false])
  const left = await home()
  const kept = await place(left, 'GH-2', 'sold')
  const rented = await place(left, 'GH-3', 'let')
  await placeBills(left, kept, future)
  await saleOf(left, [{ key: 'places', value: 'released' }])
  expect(await payersOf(kept)).toEqual([left.user])
  const stateOf = async ({ id }: ParkPlace) => {
    const { placeState, roomCode } = await t.call(getPlace, { id }, me)
    return [placeState, roomCode]
  }
  expect([await stateOf(kept), await stateOf(rented)]).toEqual([
    ['sold', undefined],
    ['free', undefined],
  ])
  await policy('1')
})

it('a room shows its arrears', async () => {
  const h = await home()
  await bills(h, defined(three[0]), defined(three[2]))
  const section = defined(
    (await t.call(getRoomPanel, { id: h.room.id }, me)).sections.find(s => s.key === 'bills'),
  )
  expect([section.title, section.count, defined(section.lines[0]).amount, section.lines.length]).toEqual([
    '欠费',
    2,
    60_000,
    3,
  ])
})

it('a person’s panel shows the debts of all own rooms and no others', async () => {
  const h = await home()
  await bills(h, defined(three[0]), defined(three[2]))
  await bills(await home(), defined(three[0]))
  const { sections } = await t.call(getResidentPanel, { id: asId(h.user) }, me)
  const section = defined(sections.find(s => s.key === 'bills'))
  expect([section.title, section.count, defined(section.lines[0]).amount]).toEqual(['欠费', 2, 60_000])
  expect(defined(section.lines[1]).note).toContain(h.room.path)
})
