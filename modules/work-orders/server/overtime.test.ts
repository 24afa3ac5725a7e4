import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import {
  acceptOrder,
  arriveOrder,
  dispatchOrder,
  finishOrder,
  requestExtension,
  decideExtension,
  resumeOrder,
  suspendOrder,
} from '../contract/order-actions.ts'
import { listVisits } from '../contract/evaluation.ts'
import { listOrders } from '../contract/order-list.ts'
import { getOrder } from '../contract/order.ts'
import { setTimeWarnings } from '../contract/settings.ts'
import { sweepUnrated } from './default-evaluation.ts'
import { sweepCrossings } from './overtime.ts'
import { fireWarnings } from './time-warnings.ts'
import { openOrderFixture, projectCode, type OrderFixture } from './order.fixtures.ts'

let w: OrderFixture

beforeAll(async () => {
  w = await openOrderFixture()
})

afterAll(() => w?.close())

const handler = () => defined(w.handlers[0])
const fire = () => w.t.database.tx(w.t.ownerId, tx => fireWarnings(tx, w.t.app, w.t.ownerId))

const messagesOf = async (orderId: Id) =>
  w.t.database.reader(w.t.ownerId).rows<{ receiverId: Id; title: string }>(sql`
    select receiver_id, title
    from notification
    where kind = 'work-orders.overtime' and biz_id = ${orderId}
    order by id
  `)

async function dispatched(overrides: Parameters<OrderFixture['addType']>[0]) {
  const type = await w.addType(overrides)
  const order = await w.register({ typeId: type.id })
  await w.t.call(dispatchOrder, { id: order.id, handlerId: handler().id }, w.dispatcher)
  return order
}

it('WO-3: a crossing is marked with the moment of the deadline, also long after it, and once', async () => {
  const order = await dispatched({ responseMinutes: 10, finishMinutes: 60 })
  const { responseDeadline, finishDeadline } = order
  // Nobody looked for five hours: the server was down.
  await w.advance(300)
  await Promise.all([sweepCrossings(w.t.app), sweepCrossings(w.t.app)])
  await sweepCrossings(w.t.app)
  const detail = await w.t.call(getOrder, { id: order.id }, w.front)
  expect(detail).toMatchObject({ respOvertime: true, finishOvertime: true, arriveOvertime: false })
  expect(detail.records.filter(r => r.action === 'overtime').map(r => [r.content, r.actionTime])).toEqual([
    ['响应超时', responseDeadline],
    ['完成超时', finishDeadline],
  ])
  await w.t.call(acceptOrder, { id: order.id }, handler().as)
  expect((await w.t.call(getOrder, { id: order.id }, w.front)).respOvertime).toBe(true)
})

it('WO-2: no crossing while an order is suspended', async () => {
  const order = await dispatched({ finishMinutes: 60 })
  await w.t.call(acceptOrder, { id: order.id }, handler().as)
  await w.t.call(
    suspendOrder,
    { id: order.id, reason: '等待材料', resumeTime: '2026-11-25 09:00:00' },
    handler().as,
  )
  await w.advance(120)
  await sweepCrossings(w.t.app)
  const resumed = await w.t.call(resumeOrder, { id: order.id }, handler().as)
  expect(resumed).toMatchObject({ finishOvertime: false, suspendMinutes: 120 })
  await w.advance(61)
  await sweepCrossings(w.t.app)
  expect((await w.t.call(getOrder, { id: order.id }, w.front)).finishOvertime).toBe(true)
})

it('WO-4: each warning goes out once for each entry of its stage, to those whom it names', async () => {
  const type = await w.addType({ responseMinutes: 30, finishMinutes: 120 })
  await w.t.call(
    setTimeWarnings,
    {
      typeId: type.id,
      warnings: [
        { stage: 'response', offsetMinutes: -10, receivers: ['handler'], channels: ['site'] },
        { stage: 'finish', offsetMinutes: 0, receivers: ['handler', 'supervisor'], channels: ['site'] },
      ],
    },
    w.owner,
  )
  const order = await w.register({ typeId: type.id })
  await w.t.call(dispatchOrder, { id: order.id, handlerId: handler().id }, w.dispatcher)
  await w.advance(19)
  await fire()
  expect(await messagesOf(order.id)).toEqual([])
  await w.advance(1)
  expect(await fire()).toBe(1)
  await fire()
  const first = await messagesOf(order.id)
  expect(first.map(m => m.receiverId)).toEqual([handler().id])
  expect(defined(first[0]).title).toContain('距响应时限不足 10 分钟')
  await w.t.call(acceptOrder, { id: order.id }, handler().as)
  // Given to somebody again, the response begins again: so does its warning.
  await w.t.call(dispatchOrder, { id: order.id, handlerId: defined(w.handlers[1]).id }, w.dispatcher)
  await w.advance(21)
  expect(await fire()).toBe(1)
  expect((await messagesOf(order.id)).map(m => m.receiverId)).toEqual([
    handler().id,
    defined(w.handlers[1]).id,
  ])
})

it('WO-4: an extension moves the warning and does not send it again', async () => {
  const type = await w.addType({ finishMinutes: 60 })
  await w.t.call(
    setTimeWarnings,
    {
      typeId: type.id,
      warnings: [{ stage: 'finish', offsetMinutes: -30, receivers: ['handler'], channels: ['site'] }],
    },
    w.owner,
  )
  const order = await w.register({ typeId: type.id })
  await w.t.call(dispatchOrder, { id: order.id, handlerId: handler().id }, w.dispatcher)
  await w.t.call(acceptOrder, { id: order.id }, handler().as)
  const deadline = '2026-11-23 09:00:00'
  await w.t.call(requestExtension, { id: order.id, deadline, reason: '材料未到' }, handler().as)
  await w.t.call(decideExtension, { id: order.id, isPassed: true }, w.supervisor)
  await w.advance(40)
  await fire()
  expect(await messagesOf(order.id)).toEqual([])
})

it('C12.1: what nobody rates is completed by default after the days of its type; it counts in no average', async () => {
  const type = await w.addType({ evaluateDays: 2, needVisit: true })
  const order = await w.register({ typeId: type.id })
  await w.t.call(dispatchOrder, { id: order.id, handlerId: handler().id }, w.dispatcher)
  await w.t.call(acceptOrder, { id: order.id }, handler().as)
  await w.t.call(arriveOrder, { id: order.id }, handler().as)
  const done = await w.t.call(finishOrder, { id: order.id, resultText: '已处理' }, handler().as)
  await w.advance(47 * 60)
  await sweepUnrated(w.t.app)
  const unrated = await w.t.database.reader(w.t.ownerId).one(sql`
    select 1 as x from work_order where id = ${order.id} and state = 70
  `)
  expect(unrated).toBeDefined()
  await w.advance(2 * 60)
  await Promise.all([sweepUnrated(w.t.app), sweepUnrated(w.t.app)])
  const detail = await w.t.call(getOrder, { id: order.id }, w.front)
  expect(detail).toMatchObject({
    state: 'completed',
    isDefaultScore: true,
    endTime: done.evaluateDeadline,
    evaluation: { isDefault: true, score: 5 },
  })
  expect(detail.records.filter(r => r.action === 'evaluate')).toHaveLength(1)
  expect((await w.t.call(listVisits, { orderId: [String(order.id)] }, w.owner)).total).toBe(1)
  const rated = await w.t.call(listOrders, { projectCode, isRated: true, size: 100 }, w.front)
  expect(rated.rows.map(o => o.id)).not.toContain(order.id)
})
