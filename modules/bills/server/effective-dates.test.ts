import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { faultsOf, refusalOf } from '#kit/server/fixtures/refusal.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { transferRoom, previewMove, checkOut } from '#modules/residents/contract/move.ts'
import { editResidency, listResidencies } from '#modules/residents/contract/residency.ts'
import { addFamily } from '#modules/residents/contract/resident.ts'
import { changeRoomAreas, changeRoomState, listRoomChanges } from '#modules/rooms/contract/room-change.ts'
import { getEffectiveDateLimit } from '#modules/rooms/contract/effective-date.ts'
import { addRoom } from '#modules/rooms/contract/room.ts'
import { writeOffBills } from '../contract/actions.ts'
import { ignoreFollowUps, listFollowUps, reassignFollowUps, reissueFollowUps } from '../contract/follow-up.ts'
import { bindRooms, generateNow, seedFee, testScope, type SeededFee } from './generate.fixtures.ts'
import { openBillApprovals } from './bill-approvals.fixtures.ts'
import { openBilling } from './golden.fixtures.ts'

const project = 'GOLD0001'
const today = '2026-11-21'
let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let fee: SeededFee
let used = 0
let mobileCounter = 13610000000

beforeAll(async () => {
  ;({ t, me, ownerId } = await openBilling(project))
  fee = await t.database.tx(ownerId, tx =>
    seedFee(tx, testScope(ownerId), project, { formula: { formulaType: 'fixed' }, price: '89.42' }),
  )
})

afterAll(() => t?.close())

const nextMobile = (): string => String(++mobileCounter)

interface Home {
  readonly id: Id
  readonly code: string
}

type Person = NonNullable<NonNullable<typeof addFamily.input.T>['people']>[number]

const peopleIn = (room: Home, people: readonly Person[], inDate: Day) =>
  t.call(
    addFamily,
    {
      projectCode: project,
      roomIds: [String(room.id)],
      people: people.map(person => ({ mobile: nextMobile(), ...person })),
      inDate,
    },
    me,
  )

/** A room of a seller who lives there since January, charged from November on. */
async function home(of: SeededFee = fee, seller = '卖主'): Promise<Home> {
  const added = await t.call(
    addRoom,
    {
      projectCode: project,
      buildCode: 'B2',
      unitName: '1',
      floorNum: 1,
      roomNo: `E${100 + ++used}`,
      roomType: 'home',
      roomState: 'vacant',
      state: 'on',
      deliverDate: '2024-01-01',
      buildArea: '60',
    },
    me,
  )
  const made = { id: added.id, code: defined(added.code) }
  await t.database.tx(ownerId, tx =>
    bindRooms(tx, testScope(ownerId), project, of, [{ ...made, path: added.path, buildCode: 'B2' }], {
      beginDate: '2026-11-01',
    }),
  )
  await peopleIn(made, [{ name: seller, relation: 'owner' }], '2026-01-01')
  return made
}

const bill = (room: Pick<Home, 'code'>, of: SeededFee = fee, month: '2026-11' | '2026-12' = '2026-11') =>
  generateNow(t.database, testScope(ownerId), project, month, today, {
    standardIds: [String(of.standardId)],
    sourceCodes: [room.code],
  })

const billsOf = async (room: Pick<Home, 'code'>, of: SeededFee = fee) =>
  (
    await t.database.reader(ownerId).rows<{ payer: string; begin: string; end: string; amount: string }>(sql`
      select payer_name as payer, begin_date as begin, end_date as end, amount::text
      from bill
      where owner_id = ${ownerId}
        and source_code = ${room.code}
        and fee_item_id = ${of.itemId}
        and state in (10, 20)
        and delete_tag = 0
      order by begin_date
    `)
  ).map(b => [b.payer, b.begin, b.end, b.amount])

const sellOn = (
  room: Home,
  day: Day,
  buyer = '买主',
  answers: readonly { readonly key: string; readonly value: string }[] = [],
) =>
  t.call(
    transferRoom,
    {
      roomId: room.id,
      day,
      familyLeaves: true,
      people: [{ name: buyer, mobile: nextMobile(), relation: 'owner' }],
      reason: '成交',
      answers,
    },
    me,
  )

const messageOf = async (p: Promise<unknown>): Promise<string> => {
  const refusal = await refusalOf(p)
  const [fault] = faultsOf(refusal)
  return fault ? `${fault.Field}：${fault.Message}` : refusal.message
}

const halves = (buyer: string) => [
  ['卖主', '2026-11-01', '2026-11-15', '44.71'],
  [buyer, '2026-11-16', '2026-11-30', '44.71'],
]

it('a sale of the 16th that is typed on the 21st charges the seller 44.71 in a bill made later (PRO-7, BASE-17, C27-7)', async () => {
  const room = await home()
  await sellOn(room, '2026-11-16')
  await bill(room)
  expect(await billsOf(room)).toEqual(halves('买主'))
})

it('a sale of the 16th splits the unpaid bill that was made before it (BASE-17, BILL-12)', async () => {
  const room = await home()
  await bill(room)
  expect(await billsOf(room)).toEqual([['卖主', '2026-11-01', '2026-11-30', '89.42']])
  await sellOn(room, '2026-11-16')
  expect(await billsOf(room)).toEqual(halves('买主'))
})

it('a tenant who pays does so from the day of moving in, and the owner again from the day of leaving (C27-7)', async () => {
  const room = await home()
  await peopleIn(room, [{ name: '租客', relation: 'tenant', isPayer: true }], '2026-11-11')
  const { rows } = await t.call(listResidencies, { roomId: room.id, size: 20 }, me)
  const tenancy = defined(rows.find(r => r.userName === '租客'))
  await t.call(checkOut, { ids: [String(tenancy.id)], outDate: '2026-11-16', reason: '退租' }, me)
  await bill(room)
  expect(await billsOf(room)).toEqual([
    ['卖主', '2026-11-01', '2026-11-10', '29.81'],
    ['租客', '2026-11-11', '2026-11-15', '14.90'],
    ['卖主', '2026-11-16', '2026-11-30', '44.71'],
  ])
})

it('another payer of a residency begins on the day that is entered for it (C27-7)', async () => {
  const room = await home()
  await peopleIn(room, [{ name: '家属', relation: 'family' }], '2026-01-01')
  const { rows } = await t.call(listResidencies, { roomId: room.id, size: 20 }, me)
  const family = defined(rows.find(r => r.userName === '家属'))
  await t.call(
    editResidency,
    {
      id: family.id,
      relation: 'family',
      isPayer: true,
      inDate: '2026-01-01',
      effectiveDate: '2026-11-16',
    },
    me,
  )
  await bill(room)
  expect(await billsOf(room)).toEqual(halves('家属'))
})

it('an area holds from the day that is entered; the state of a room too (BASE-7, C27-7)', async () => {
  const byArea = await t.database.tx(ownerId, tx => seedFee(tx, testScope(ownerId), project, { price: '1' }))
  const room = await home(byArea)
  await t.call(
    changeRoomAreas,
    { id: room.id, buildArea: '120', effectiveDate: '2026-11-16', reason: '实测' },
    me,
  )
  await bill(room, byArea)
  expect(await billsOf(room, byArea)).toEqual([['卖主', '2026-11-01', '2026-11-30', '90.00']])
  await t.call(
    changeRoomState,
    { ids: [String(room.id)], roomState: 'fitting', decorateBegin: '2026-11-09' },
    me,
  )
  const { rows } = await t.call(listRoomChanges, { roomId: room.id, item: ['roomState'] }, me)
  expect(rows.find(r => r.newValue === '装修中')?.effectiveDate).toBe('2026-11-09')
})

it('a day before the limit or behind closed books is refused, and says from when on it goes (C27-7)', async () => {
  const room = await home()
  const setLimit = (value: string) =>
    t.call(updateEstateSetting, { projectCode: project, key: 'ChangeBackDateDays', value }, me)
  await peopleIn(room, [{ name: '家属', relation: 'family' }], '2026-01-01')
  const { rows } = await t.call(listResidencies, { roomId: room.id, size: 20 }, me)
  const family = defined(rows.find(row => row.userName === '家属'))
  await setLimit('5')
  expect(await messageOf(sellOn(room, '2026-11-15'))).toBe(
    'Day：最多可以追溯 5 天，生效日期不能早于 2026-11-16，请改填该日或之后的日期',
  )
  expect(
    await messageOf(t.call(previewMove, { kind: 'transfer', roomId: room.id, day: '2026-11-15' }, me)),
  ).toContain('不能早于 2026-11-16')
  expect(
    await messageOf(
      peopleIn(room, [{ name: '迟到的租客', relation: 'tenant', isPayer: true }], '2026-11-15'),
    ),
  ).toContain('InDate：最多可以追溯 5 天')
  expect(
    await messageOf(
      t.call(
        changeRoomAreas,
        { id: room.id, buildArea: '61', effectiveDate: '2026-11-15', reason: '实测' },
        me,
      ),
    ),
  ).toContain('EffectiveDate：最多可以追溯 5 天')
  expect(
    await messageOf(
      t.call(
        editResidency,
        { id: family.id, relation: 'family', isPayer: true, effectiveDate: '2026-11-15' },
        me,
      ),
    ),
  ).toContain('EffectiveDate：最多可以追溯 5 天')
  const limitOf = () => t.call(getEffectiveDateLimit, { ids: [String(room.id)] }, me)
  // The screens say the day and the reason before anything is sent.
  expect(await limitOf()).toEqual({ day: '2026-11-16', cause: '最多可以追溯 5 天' })
  await setLimit('366')
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        insert into day_close (owner_id, project_code, day, closed)
        values (${ownerId}, ${project}, '2026-11-17', true)
      `,
    ),
  )
  expect(await messageOf(sellOn(room, '2026-11-16'))).toBe(
    'Day：2026-11-17 已日结，生效日期不能早于 2026-11-17，请改填该日或之后的日期',
  )
  expect(await limitOf()).toEqual({ day: '2026-11-17', cause: '2026-11-17 已日结' })
  await sellOn(room, '2026-11-17')
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        delete from day_close
        where owner_id = ${ownerId}
          and project_code = ${project}
          and day = '2026-11-17'
      `,
    ),
  )
})

const followUpsOf = async (room: Pick<Home, 'code'>) => {
  const codes = await t.database
    .reader(ownerId)
    .rows<{ id: Id }>(sql`select id from bill where owner_id = ${ownerId} and source_code = ${room.code}`)
  const ids = new Set(codes.map(b => b.id))
  const page = await t.call(listFollowUps, { projectCode: project, state: ['open'], size: 200 }, me)
  return page.rows.filter(row => ids.has(row.billId))
}

const pay = (room: Pick<Home, 'code'>) =>
  t.database.tx(ownerId, tx =>
    tx.execute(sql`
      update bill
      set paid_principal = amount, pay_state = 1
      where owner_id = ${ownerId} and source_code = ${room.code} and state = 20
    `),
  )

it('a paid bill that spans the sale is named before it and stays on a list until it is decided on (C27-7)', async () => {
  const room = await home()
  await bill(room)
  await pay(room)
  const plan = await t.call(previewMove, { kind: 'transfer', roomId: room.id, day: '2026-11-16' }, me)
  expect(plan.steps.find(step => step.key === 'paidBills')?.lines).toMatchObject([
    { label: '2026-11-16 之后已缴', value: '1 张，44.71 元' },
  ])
  await sellOn(room, '2026-11-16')
  expect(await billsOf(room)).toEqual([['卖主', '2026-11-01', '2026-11-30', '89.42']])
  const [open, ...others] = await followUpsOf(room)
  expect(others).toEqual([])
  expect(open).toMatchObject({
    kind: 'payer',
    effectiveDate: '2026-11-16',
    oldPayerName: '卖主',
    payerName: '买主',
    amount: 4471,
    advice: 'refund',
    state: 'open',
  })
  const ids = [String(defined(open).id)]
  const refused = await t.call(reassignFollowUps, { ids, reason: '试试' }, me)
  expect(refused).toMatchObject({ success: 0, skipped: 1 })
  const outcomes = await Promise.all(
    [1, 2].map(() => t.call(ignoreFollowUps, { ids, reason: '买卖双方已自行结算' }, me)),
  )
  expect(outcomes.reduce((n, o) => n + o.success, 0)).toBe(1)
  expect(await followUpsOf(room)).toEqual([])
})

/** A parking place of a room, charged from November on. */
async function placeOf(room: Home): Promise<{ readonly code: string }> {
  const code = `PL${room.code}`
  await t.database.tx(ownerId, async tx => {
    await tx.execute(sql`
      with p as (
        insert into park (owner_id, project_code, code, name, park_type, state)
        values (${ownerId}, ${project}, ${`PK${room.code}`}, ${`车场${room.code}`}, 10, 10)
        returning id
      )
      insert into park_place (
        owner_id, project_code, code, place_no, park_id, place_type, place_state, sort_key, room_code
      )
      select ${ownerId}, ${project}, ${code}, ${code}, p.id, 10, 10, ${code}, ${room.code}
      from p
      returning id
    `)
    await bindRooms(tx, testScope(ownerId), project, fee, [{ code, path: code, buildCode: 'B2' }], {
      beginDate: '2026-11-01',
      sourceType: 'parkPlace',
    })
  })
  return { code }
}

it('a paid bill of a place that goes with the room is listed as well; of one that stays it is not (C27-7)', async () => {
  for (const answer of ['room', 'released']) {
    const room = await home()
    const place = await placeOf(room)
    await bill(room)
    await bill(place)
    await pay(room)
    await pay(place)
    const goesAlong = answer === 'room'
    const answers = [{ key: 'places', value: answer }]
    const plan = await t.call(
      previewMove,
      { kind: 'transfer', roomId: room.id, day: '2026-11-16', answers },
      me,
    )
    expect(plan.steps.find(step => step.key === 'paidBills')?.lines).toMatchObject([
      { label: '2026-11-16 之后已缴', value: goesAlong ? '2 张，89.42 元' : '1 张，44.71 元' },
    ])
    await sellOn(room, '2026-11-16', '买主', answers)
    expect(await followUpsOf(room)).toMatchObject([{ kind: 'payer', payerName: '买主', amount: 4471 }])
    expect(await followUpsOf(place)).toMatchObject(
      goesAlong
        ? [
            {
              kind: 'payer',
              effectiveDate: '2026-11-16',
              oldPayerName: '卖主',
              payerName: '买主',
              amount: 4471,
            },
          ]
        : [],
    )
  }
})

it('an unpaid bill of a place is listed when its room gets another payer, and not for another area (C27-7)', async () => {
  const room = await home()
  const place = await placeOf(room)
  await bill(place)
  await t.call(
    changeRoomAreas,
    { id: room.id, buildArea: '61', effectiveDate: '2026-11-18', reason: '实测' },
    me,
  )
  expect(await followUpsOf(place)).toEqual([])
  await peopleIn(room, [{ name: '租客', relation: 'tenant', isPayer: true }], '2026-11-16')
  expect(await followUpsOf(place)).toMatchObject([
    { kind: 'payer', payerName: '租客', amount: 4471, advice: 'split' },
  ])
})

it('an unpaid bill that an entered payer no longer fits is listed, and split at the day (PRO-7, BILL-12)', async () => {
  const room = await home()
  await bill(room)
  await peopleIn(room, [{ name: '租客', relation: 'tenant', isPayer: true }], '2026-11-16')
  const [open] = await followUpsOf(room)
  expect(open).toMatchObject({ kind: 'payer', payerName: '租客', amount: 4471, advice: 'split' })
  const listed = (sourceCode: string) =>
    t.call(listFollowUps, { projectCode: project, sourceCode, state: ['open'] }, me)
  expect((await listed(room.code)).rows.map(row => row.id)).toEqual([defined(open).id])
  expect((await listed('NO-SUCH')).total).toBe(0)
  expect(
    await t.call(reassignFollowUps, { ids: [String(defined(open).id)], reason: '租约约定' }, me),
  ).toMatchObject({
    success: 1,
    skipped: 0,
  })
  expect(await billsOf(room)).toEqual(halves('租客'))
  expect(await followUpsOf(room)).toEqual([])
})

it('a bill by an area that no longer holds is listed and issued again (BASE-7, BILL-9)', async () => {
  const byArea = await t.database.tx(ownerId, tx => seedFee(tx, testScope(ownerId), project, { price: '1' }))
  const room = await home(byArea)
  await bill(room, byArea)
  expect(await billsOf(room, byArea)).toEqual([['卖主', '2026-11-01', '2026-11-30', '60.00']])
  await t.call(
    changeRoomAreas,
    { id: room.id, buildArea: '120', effectiveDate: '2026-11-16', reason: '实测' },
    me,
  )
  const [open] = await followUpsOf(room)
  expect(open).toMatchObject({ kind: 'area', effectiveDate: '2026-11-16', amount: 3000, advice: 'reissue' })
  expect(
    await t.call(reissueFollowUps, { ids: [String(defined(open).id)], reason: '面积更正' }, me),
  ).toMatchObject({
    success: 1,
    skipped: 0,
  })
  expect(await billsOf(room, byArea)).toEqual([['卖主', '2026-11-01', '2026-11-30', '90.00']])
  expect(await followUpsOf(room)).toEqual([])
})

it('a bill that waits in an approval keeps its payer: it is neither split nor transferred (APR-5, BASE-17)', async () => {
  const approvals = await openBillApprovals('EFF', t)
  const process = await approvals.define('writeOff', '0')
  const room = await home()
  await bill(room)
  const [waits] = await t.database.reader(ownerId).rows<{ id: Id }>(sql`
    select id from bill where owner_id = ${ownerId} and source_code = ${room.code} and delete_tag = 0
  `)
  await t.call(writeOffBills, { ids: [String(defined(waits).id)], reason: '无法收回' }, me)
  const before = await billsOf(room)
  const plan = await t.call(previewMove, { kind: 'transfer', roomId: room.id, day: '2026-11-16' }, me)
  expect(plan.steps.find(step => step.key === 'bills')?.blocks).toContain('审批中，请等待审批结果')
  await peopleIn(room, [{ name: '租客', relation: 'tenant', isPayer: true }], '2026-11-16')
  const [open] = await followUpsOf(room)
  const ids = [String(defined(open).id)]
  expect(await t.call(reassignFollowUps, { ids, reason: '租约约定' }, me)).toMatchObject({
    success: 0,
    rows: [{ reason: '已在审批中，请等待审批结果' }],
  })
  expect(await billsOf(room)).toEqual(before)
  await approvals.stop(process.id)
})
