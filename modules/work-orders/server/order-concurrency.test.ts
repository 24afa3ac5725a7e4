import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { withFaultHook } from '#kit/server/fixtures/fault-injection.ts'
import { refusedTextsOf } from '#kit/server/fixtures/refusal.ts'
import type { App } from '#kit/server/app.ts'
import {
  acceptOrder,
  dispatchOrder,
  dispatchOrders,
  finishOrder,
  grabOrder,
} from '../contract/order-actions.ts'
import { getOrder } from '../contract/order.ts'
import { savePersonConfig } from '../contract/person-config.ts'
import { openOrderFixture, projectCode, type OrderFixture } from './order.fixtures.ts'

let w: OrderFixture
const handlerCount = 8

beforeAll(async () => {
  w = await openOrderFixture({ handlerCount })
})

afterAll(() => w?.close())

const handler = (i: number) => defined(w.handlers[i])

const countOf = async (table: string): Promise<number> =>
  defined(
    await w.t.database
      .reader(w.t.ownerId)
      .one<{ n: number }>(sql`select count(*)::int as n from ${sql.table(table)}`),
  ).n

it('G-8: of all who grab at once one gets it; the others read who has it', async () => {
  const type = await w.addType({ dispatchMode: 'grab' })
  const order = await w.register({ typeId: type.id })
  const outcomes = await Promise.allSettled(w.handlers.map(h => w.t.call(grabOrder, { id: order.id }, h.as)))
  expect(outcomes.filter(o => o.status === 'fulfilled')).toHaveLength(1)
  const { handlerName } = await w.t.call(getOrder, { id: order.id }, w.front)
  const words = refusedTextsOf(outcomes)
  expect(words).toHaveLength(handlerCount - 1)
  expect(new Set(words)).toEqual(new Set([`工单已由${handlerName}接单，请选择其他工单`]))
})

it('WO-1: 32 orders dispatched in turn at once: none twice, none lost, everybody alike', async () => {
  const type = await w.addType({ dispatchMode: 'turn' })
  await w.t.call(
    savePersonConfig,
    { projectCode, typeId: type.id, managerIds: w.handlers.map(h => String(h.id)), onlyOnDuty: false },
    w.owner,
  )
  const orders = []
  for (let i = 0; i < 32; i++) {
    orders.push(await w.register({ typeId: type.id }))
  }
  const done = await Promise.all(orders.map(o => w.t.call(dispatchOrder, { id: o.id }, w.dispatcher)))
  expect(done.every(o => o.state === 'dispatched')).toBe(true)
  const loads = Map.groupBy(done, o => o.handlerId)
  expect([...loads.values()].map(own => own.length)).toEqual(Array.from({ length: handlerCount }, () => 4))
  const rows = await w.t.database.reader(w.t.ownerId).rows<{ n: number }>(sql`
    select count(*)::int as n
    from work_order_record
    where order_id = any(${orders.map(o => o.id)}::bigint[]) and action = 30
    group by order_id
  `)
  expect(rows.map(row => row.n)).toEqual(orders.map(() => 1))
})

it('WO-13: by rule, of several who dispatch the same orders at once one does; the others read who has them', async () => {
  const type = await w.addType({ dispatchMode: 'turn' })
  const registered = await Promise.all(Array.from({ length: 8 }, () => w.register({ typeId: type.id })))
  const ids = registered.map(order => String(order.id))
  const people = [w.dispatcher, w.supervisor, w.owner]
  const batches = await Promise.all(people.map(as => w.t.call(dispatchOrders, { ids }, as)))
  expect(batches.reduce((sum, batch) => sum + batch.success, 0)).toBe(8)
  const reasons = batches.flatMap(batch => batch.rows.map(row => row.reason))
  expect(reasons).toHaveLength(16)
  expect(reasons.every(reason => /^工单已由.+派给.+，需要换人时请指定处理人改派$/.test(reason))).toBe(true)
  const single = await w.register({ typeId: type.id })
  const { id } = single
  const outcomes = await Promise.allSettled(people.map(as => w.t.call(dispatchOrder, { id }, as)))
  expect(outcomes.filter(outcome => outcome.status === 'fulfilled')).toHaveLength(1)
  const rows = await w.t.database.reader(w.t.ownerId).rows<{ n: number }>(sql`
    select count(*)::int as n
    from work_order_record
    where order_id = any(${[...registered, single].map(order => order.id)}::bigint[]) and action = 30
    group by order_id
  `)
  expect(rows.map(row => row.n)).toEqual(Array.from({ length: 9 }, () => 1))
})

it('WO-13: who names a person for an order seen waiting reads that it was given away; seen so, it goes on', async () => {
  const { id } = await w.register()
  const give = (to: number, seenState: 'waiting' | 'dispatched') =>
    w.t.call(dispatchOrder, { id, handlerId: handler(to).id, seenState }, w.dispatcher)
  const outcomes = await Promise.allSettled([give(0, 'waiting'), give(1, 'waiting'), give(2, 'waiting')])
  expect(outcomes.filter(outcome => outcome.status === 'fulfilled')).toHaveLength(1)
  const { handlerName, dispatcherName } = await w.t.call(getOrder, { id }, w.front)
  const words = `工单已由${dispatcherName}派给${handlerName}，需要换人时请指定处理人改派`
  expect(new Set(refusedTextsOf(outcomes))).toEqual(new Set([words]))
  expect(await give(3, 'dispatched')).toMatchObject({ handlerId: handler(3).id })
})

async function working() {
  const order = await w.register()
  await w.t.call(dispatchOrder, { id: order.id, handlerId: handler(0).id }, w.dispatcher)
  return w.t.call(acceptOrder, { id: order.id }, handler(0).as)
}

const cost = {
  lines: [{ lineKind: 'labour', name: '上门维修', quantity: '1', price: asFen(3000) }] as const,
}

it('G-6: finished twice with one uuid it is finished once', async () => {
  const order = await working()
  const as = { ...handler(0).as, uuid: 'finish-once-1' }
  const input = { id: order.id, resultText: '已处理', ...cost }
  const answers = await Promise.all([w.t.call(finishOrder, input, as), w.t.call(finishOrder, input, as)])
  expect(answers.map(a => a.state)).toEqual(['unpaid', 'unpaid'])
  const detail = await w.t.call(getOrder, { id: order.id }, w.front)
  expect(detail.records.filter(r => r.action === 'finish')).toHaveLength(1)
  expect(detail.charges).toHaveLength(1)
  expect(detail.chargeLines).toHaveLength(1)
})

it('one action is one transaction: broken at any moment of it nothing of it is there', async () => {
  const app = w.t.app as { -readonly [K in keyof App]: App[K] }
  const order = await working()
  const before = [await countOf('work_order_record'), await countOf('work_order_charge')]
  let moments = 0
  for (let at = 0; ; at++) {
    let remaining = at
    app.database = withFaultHook(w.t.database, tx => {
      if (tx && remaining-- === 0) throw new Error('the connection was cut')
    })
    const outcome = await w.t
      .call(finishOrder, { id: order.id, resultText: '已处理', ...cost }, handler(0).as)
      .then(
        () => 'done',
        () => 'broken',
      )
    app.database = w.t.database
    if (outcome === 'done') break
    moments++
    expect([await countOf('work_order_record'), await countOf('work_order_charge')]).toEqual(before)
    expect((await w.t.call(getOrder, { id: order.id }, w.front)).state).toBe('processing')
  }
  expect(moments).toBeGreaterThan(10)
  expect((await w.t.call(getOrder, { id: order.id }, w.front)).state).toBe('unpaid')
})
