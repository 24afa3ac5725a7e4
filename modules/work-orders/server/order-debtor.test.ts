import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfInstant } from '#kit/domain/moment.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { recoverBills } from '#modules/bills/contract/actions.ts'
import { previewMove, transferRoom } from '#modules/residents/contract/move.ts'
import { listResidencies } from '#modules/residents/contract/residency.ts'
import { addFamily } from '#modules/residents/contract/resident.ts'
import { addRoom, type Room } from '#modules/rooms/contract/room.ts'
import { checkOrder, modifyCost } from '../contract/order-actions.ts'
import { labour, openBillFixture, type BillFixture } from './order-bill.fixtures.ts'
import { projectCode, type OrderFixture } from './order.fixtures.ts'

let b: BillFixture
let w: OrderFixture
let counter = 0

beforeAll(async () => {
  b = await openBillFixture()
  w = b.w
})

afterAll(() => w?.close())

const today = () => dayOfInstant(w.t.app.clock())
const nextMobile = (): string => `1360000${String(2000 + ++counter)}`
const minutesOfDays = (days: number): number => days * 24 * 60

/** A room with one owner, who pays for it. */
async function createHome(): Promise<{ readonly room: Room; readonly seller: Id }> {
  const room = await w.t.call(
    addRoom,
    {
      projectCode,
      buildCode: 'B2',
      unitName: '1',
      floorNum: 1,
      roomNo: `W${100 + ++counter}`,
      roomType: 'home',
      roomState: 'vacant',
      state: 'on',
    },
    w.owner,
  )
  await w.t.call(
    addFamily,
    {
      projectCode,
      roomIds: [String(room.id)],
      inDate: '2025-01-01',
      people: [{ name: '原业主', mobile: nextMobile(), relation: 'owner' }],
    },
    w.owner,
  )
  const [owned] = (await w.t.call(listResidencies, { roomId: room.id }, w.owner)).rows
  return { room, seller: defined(owned).userId }
}

/** Sells the room, effective three days before today, and returns the buyer. */
async function sell(room: Room): Promise<Id> {
  await w.t.call(
    transferRoom,
    {
      roomId: room.id,
      day: addDays(today(), -3),
      people: [{ name: '新业主', mobile: nextMobile(), relation: 'owner' }],
      familyLeaves: true,
      reason: '买卖过户',
    },
    w.owner,
  )
  const { rows } = await w.t.call(listResidencies, { roomId: room.id }, w.owner)
  return defined(rows.find(r => r.userName === '新业主')).userId
}

const setArrearsPolicy = (value: string) =>
  w.t.database.tx(w.t.ownerId, tx =>
    tx.execute(sql`
      insert into estate_setting (owner_id, project_code, key, value)
      values (${w.t.ownerId}, ${projectCode}, 'residents.transferArrears', ${value})
      on conflict (owner_id, project_code, key) do update set value = excluded.value
      returning 1
    `),
  )

const change = (id: Id, price: number) =>
  w.t.call(
    modifyCost,
    { id, lines: [labour(asFen(price))], waiveCost: asFen(0), reason: '核对后改价' },
    w.supervisor,
  )

it('BASE-17: work that the old owner had done is theirs to pay, although it is accepted after the sale', async () => {
  const { room, seller } = await createHome()
  const workDay = today()
  const order = await b.finished(asFen(6000), { needAccept: true }, { roomCode: room.code })
  await w.advance(minutesOfDays(10))
  await sell(room)
  await w.t.call(checkOrder, { id: order.id, isPassed: true }, w.supervisor)
  expect(await b.billOf(order)).toMatchObject({
    payerId: seller,
    payerName: '原业主',
    beginDate: workDay,
    endDate: workDay,
    dueDate: today(),
  })
})

it('BASE-17: work that is finished after the sale is the new owner’s to pay', async () => {
  const { room } = await createHome()
  await w.advance(minutesOfDays(5))
  const buyer = await sell(room)
  const order = await b.finished(asFen(6000), {}, { roomCode: room.code })
  expect(await b.billOf(order)).toMatchObject({ payerId: buyer, beginDate: today() })
})

it.each([
  ['3', '原业主'],
  ['2', '新业主'],
])(
  'BASE-17: a changed cost is billed to the payer of the bill before, for its period (policy %s)',
  async (policy, name) => {
    const { room } = await createHome()
    const workDay = today()
    const order = await b.finished(asFen(6000), {}, { roomCode: room.code })
    const before = await b.billOf(order)
    await w.advance(minutesOfDays(10))
    await setArrearsPolicy(policy)
    await sell(room)
    await change(order.id, 4500)
    expect(await b.billOf(order)).toMatchObject({
      payerName: name,
      beginDate: workDay,
      endDate: workDay,
      receivable: 4500,
      replacesNo: before.billNo,
    })
    // One of the two stands: the bills screen cannot bring the old one back.
    const recovered = await w.t.call(recoverBills, { ids: [String(before.id)], reason: '误作废' }, w.owner)
    expect(recovered.success).toBe(0)
  },
)

it('BASE-17: a move tells of work that is not billed yet, and of work whose cost is to come', async () => {
  const { room } = await createHome()
  const preview = async () => {
    const { steps } = await w.t.call(
      previewMove,
      { kind: 'transfer', roomId: room.id, day: today() },
      w.owner,
    )
    return steps.find(step => step.key === 'workOrders')
  }
  expect(await preview()).toBeUndefined()
  const order = await b.finished(asFen(6000), { needAccept: true }, { roomCode: room.code })
  const planned = await w.register({ typeId: order.typeId, roomCode: room.code, address: undefined })
  expect(await preview()).toMatchObject({
    title: '工单费用',
    lines: [{ label: '未出账单', value: '2 张工单，60.00 元' }],
  })
  const note = defined((await preview())?.lines[0]).note
  expect(note).toContain(`${order.orderNo} 60.00 元、${planned.orderNo} 费用未定`)
  // Once it is billed it is among the arrears.
  await w.t.call(checkOrder, { id: order.id, isPassed: true }, w.supervisor)
  expect((await preview())?.lines).toMatchObject([{ value: '1 张工单，0.00 元' }])
})
