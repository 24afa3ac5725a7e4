import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import { evaluateOrder } from '../contract/evaluation.ts'
import { acceptOrder, arriveOrder, dispatchOrder, finishOrder } from '../contract/order-actions.ts'
import { getOrder } from '../contract/order.ts'
import { setMyDuty } from '../contract/person-config.ts'
import { openOrderFixture, type OrderFixture } from './order.fixtures.ts'

let w: OrderFixture

beforeAll(async () => {
  w = await openOrderFixture()
  const { ownerId, database } = w.t
  await database.tx('*', tx =>
    tx.rows(sql`
      insert into staff (owner_id, name, mobile, position, manager_id, state, search_text)
      values (${ownerId}, '陈工', '13900001234', '水工', ${handler().id}, 10, '陈工')
      returning id
    `),
  )
})

afterAll(() => w?.close())

const handler = () => defined(w.handlers[0])

async function working() {
  const { id } = await w.register({ roomCode: w.roomCode, address: undefined })
  await w.t.call(dispatchOrder, { id, handlerId: handler().id }, w.dispatcher)
  await w.t.call(acceptOrder, { id }, handler().as)
  return id
}

it('an order says who handles it, how to reach them, what they have in hand and how they are rated', async () => {
  const rated = await working()
  await w.t.call(finishOrder, { id: rated, resultText: '已处理' }, handler().as)
  const scores = { speedScore: 5, attitudeScore: 4, qualityScore: 4 }
  await w.t.call(evaluateOrder, { orderId: rated, ...scores }, w.front)
  const id = await working()
  await w.t.call(arriveOrder, { id }, handler().as)
  const detail = await w.t.call(getOrder, { id }, w.owner)
  expect(detail.handler).toMatchObject({
    name: handler().name,
    position: '水工',
    mobile: '139 **** 1234',
    openCount: 1,
    lateCount: 0,
    isOnDuty: true,
    isPaused: false,
    monthScore: '4',
    monthRated: 1,
  })
  expect(detail.roomId).toBeGreaterThan(0)
  // Who may not see employees is not offered the phone in full.
  expect(detail.handler?.staffId).toBeGreaterThan(0)
  expect((await w.t.call(getOrder, { id }, w.dispatcher)).handler?.staffId).toBeUndefined()
  await w.t.call(setMyDuty, { isPaused: true }, handler().as)
  expect((await w.t.call(getOrder, { id }, w.owner)).handler).toMatchObject({ isPaused: true })
})

it('an order without a handler names none', async () => {
  const { id } = await w.register()
  const detail = await w.t.call(getOrder, { id }, w.owner)
  expect([detail.handler, detail.roomId]).toEqual([undefined, undefined])
})
