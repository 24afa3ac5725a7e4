import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { keyOf } from '#kit/contract/field.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { getOpenWork, resignManager } from '#modules/accounts/contract/manager.ts'
import { golden } from '#db/golden/golden-data.ts'
import { orderState } from '../contract/choices.ts'
import { evaluateOrder } from '../contract/evaluation.ts'
import { acceptOrder, checkOrder, dispatchOrder, finishOrder } from '../contract/order-actions.ts'
import { listOrders } from '../contract/order-list.ts'
import { getOrder } from '../contract/order.ts'
import {
  countByComplaint,
  countByState,
  countPerDay,
  getDealEfficiency,
  getEvaluationRadar,
  getMyAssessment,
  getOrderStatistics,
} from '../contract/statistics.ts'
import { asSystem, createOrder, onOrderEnded } from './public.ts'
import { sweepCrossings } from './overtime.ts'
import { openOrderFixture, projectCode, type OrderFixture } from './order.fixtures.ts'

let w: OrderFixture
const cohort = { projectCode, dayFrom: '2026-11-21', dayTo: '2026-11-21' } as const

beforeAll(async () => {
  w = await openOrderFixture({ handlerCount: 3 })
})

afterAll(() => w?.close())

const handler = (i: number) => defined(w.handlers[i])

async function rated(score: number, lateMinutes = 0): Promise<Id> {
  const type = await w.addType({ responseMinutes: 30, finishMinutes: 60 })
  const order = await w.register({ typeId: type.id })
  await w.t.call(dispatchOrder, { id: order.id, handlerId: handler(0).id }, w.dispatcher)
  await w.advance(lateMinutes)
  await w.t.call(acceptOrder, { id: order.id }, handler(0).as)
  await w.t.call(finishOrder, { id: order.id, resultText: '已处理' }, handler(0).as)
  await w.t.call(
    evaluateOrder,
    { orderId: order.id, speedScore: score, attitudeScore: score, qualityScore: score },
    w.front,
  )
  return order.id
}

/** What the address of the list says, as the call takes it. */
const filtersOf = (query: string): Record<string, unknown> =>
  Object.fromEntries(
    [...new URLSearchParams(query)].map(([key, value]) => {
      if (key === 'state') return [key, [keyOf(orderState, value) ?? value]]
      if (['category', 'handlerId', 'typeId', 'underTypeId'].includes(key)) return [key, value.split(',')]
      if (/^(is|has)|Overtime$/.test(key)) return [key, value === '1']
      return [key, /^\d+$/.test(value) ? Number(value) : value]
    }),
  )

interface CountedList {
  readonly name: string
  readonly count: number
  readonly query: string
}

/** Every number of the statistics with the address of its list. */
async function countedLists(asked: typeof cohort & { readonly typeIds?: string[] }): Promise<CountedList[]> {
  const { call } = w.t
  const figures = [
    ...(await call(getOrderStatistics, asked, w.owner)),
    ...(await call(getMyAssessment, asked, w.owner)),
  ]
  const efficiency = [
    ...(await call(getDealEfficiency, { ...asked, by: 'handler' }, w.owner)),
    ...(await call(getDealEfficiency, { ...asked, by: 'type' }, w.owner)),
  ]
  const days = await call(countPerDay, asked, w.owner)
  return [
    ...figures.map(f => ({ name: f.key, ...f })),
    ...figures.flatMap(f => (f.outOf ? [{ name: `${f.key} of`, count: f.of ?? 0, query: f.outOf }] : [])),
    ...(await call(countByState, asked, w.owner)).map(row => ({ name: row.state, ...row })),
    ...days.map(row => ({ name: row.day, count: row.registered, query: row.query })),
    ...(await call(countByComplaint, asked, w.owner)).map(row => ({ name: row.typeName, ...row })),
    ...(await call(getEvaluationRadar, asked, w.owner)).map(row => ({ name: row.key, ...row })),
    ...efficiency.flatMap(row =>
      row.queries.map(({ figure, query }) => ({
        name: `${row.name} ${figure}`,
        count: numberOf(row, figure),
        query,
      })),
    ),
  ]
}

const numberOf = (row: object, key: string): number =>
  Number(Object.entries(row).find(([k]) => k === key)?.[1])

it('STAT-10: each figure over the orders registered in the period, and its filter lists exactly its orders', async () => {
  await rated(5)
  await rated(4)
  await rated(2, 45)
  await w.register()
  await sweepCrossings(w.t.app)
  const figures = new Map((await w.t.call(getOrderStatistics, cohort, w.owner)).map(f => [f.key, f]))
  expect(Object.fromEntries([...figures].map(([key, f]) => [key, f.value]))).toMatchObject({
    created: '4',
    responseRate: '66.67',
    finishRate: '100',
    reworkRate: '0',
    satisfaction: '3.67',
    closeRate: '75',
    late: '1',
  })
  for (const figure of figures.values()) {
    for (const [query, count] of [
      [figure.query, figure.count],
      ...(figure.outOf === undefined ? [] : [[figure.outOf, figure.of ?? 0] as const]),
    ] as const) {
      const listed = await w.t.call(listOrders, { projectCode, ...filtersOf(query) }, w.owner)
      expect(listed.total, `${figure.key}: ${query}`).toBe(count)
    }
  }
})

it('STAT-13: a period without orders has no rate and no average, neither 0 nor 100 %', async () => {
  const empty = { projectCode, dayFrom: '2025-01-01', dayTo: '2025-01-02' } as const
  const figures = await w.t.call(getOrderStatistics, empty, w.owner)
  const rates = ['responseRate', 'finishRate', 'reworkRate', 'satisfaction', 'closeRate']
  expect(figures.filter(f => f.value === undefined).map(f => f.key)).toEqual(rates)
  expect(figures.find(f => f.key === 'created')?.value).toBe('0')
  const radar = await w.t.call(getEvaluationRadar, empty, w.owner)
  expect(radar.map(({ average, count }) => [average, count])).toEqual(radar.map(() => [undefined, 0]))
})

it('the counts by state, day, complaint, person and rating agree with the list', async () => {
  const states = await w.t.call(countByState, cohort, w.owner)
  expect(Object.fromEntries(states.map(s => [s.state, s.count]))).toEqual({ waiting: 1, completed: 3 })
  expect(await w.t.call(countPerDay, cohort, w.owner)).toMatchObject([
    { day: '2026-11-21', registered: 4, finished: 3, late: 1 },
  ])
  const [complaint] = await w.t.call(countByComplaint, cohort, w.owner)
  expect(complaint).toMatchObject({ typeName: '噪音扰民', count: 1 })
  const radar = await w.t.call(getEvaluationRadar, cohort, w.owner)
  expect(radar.map(r => [r.key, r.average, r.count])).toEqual([
    ['speed', '3.67', 3],
    ['attitude', '3.67', 3],
    ['quality', '3.67', 3],
    ['total', '3.67', 3],
  ])
  const [row] = await w.t.call(getDealEfficiency, { ...cohort, by: 'handler' }, w.owner)
  expect(row).toMatchObject({ name: handler(0).name, total: 3, finished: 3, respOvertime: 1, score: '3.67' })
  for (const { figure, query } of defined(row).queries) {
    const listed = await w.t.call(listOrders, { projectCode, ...filtersOf(query) }, w.owner)
    expect(listed.total, figure).toBe(numberOf(defined(row), figure))
  }
  const own = await w.t.call(getMyAssessment, cohort, handler(0).as)
  expect(own.find(f => f.key === 'created')?.value).toBe('3')
})

it('every number opens the list of its orders, of a period and of a type with those under it', async () => {
  const parent = await w.addType()
  const child = await w.addType({ parentId: parent.id })
  await w.register({ typeId: parent.id })
  await w.register({ typeId: child.id })
  await w.advance(1440)
  await w.register({ typeId: child.id })
  const ofType = await w.t.call(getOrderStatistics, { ...cohort, typeIds: [String(parent.id)] }, w.owner)
  expect(ofType.find(f => f.key === 'created')?.count).toBe(2)
  for (const asked of [cohort, { ...cohort, typeIds: [String(parent.id)] }]) {
    for (const { name, count, query } of await countedLists(asked)) {
      const listed = await w.t.call(listOrders, { projectCode, ...filtersOf(query) }, w.owner)
      expect(listed.total, `${name}: ${query}`).toBe(count)
    }
  }
})

it('another module registers an order from its own record and hears of its end', async () => {
  const ended: [string, string | undefined, Id | undefined][] = []
  onOrderEnded((_c, order) => {
    if (order.refType === 'test') {
      ended.push([order.state, order.refType, order.refId])
    }
  })
  const type = await w.addType({ category: 'internal' })
  const order = await w.t.database.tx(w.t.ownerId, tx =>
    createOrder(asSystem(tx, w.t.app, w.t.ownerId), {
      projectCode,
      typeId: type.id,
      source: 'device',
      address: '地下一层水泵房',
      content: '水泵离线',
      ref: { type: 'test', id: asId(77) },
    }),
  )
  expect(order).toMatchObject({ source: 'device', registrarName: '系统', refId: 77 })
  await w.t.call(dispatchOrder, { id: order.id, handlerId: handler(1).id }, w.dispatcher)
  await w.t.call(acceptOrder, { id: order.id }, handler(1).as)
  await w.t.call(finishOrder, { id: order.id, resultText: '已恢复' }, handler(1).as)
  expect(ended).toEqual([])
  await w.t.call(
    evaluateOrder,
    { orderId: order.id, speedScore: 5, attitudeScore: 5, qualityScore: 5 },
    w.front,
  )
  expect(ended).toEqual([['completed', 'test', 77]])
})

it('PERM-8: who leaves hands over every order in hand', async () => {
  const order = await w.register()
  await w.t.call(dispatchOrder, { id: order.id, handlerId: handler(2).id }, w.dispatcher)
  await w.t.call(acceptOrder, { id: order.id }, handler(2).as)
  const work = await w.t.call(getOpenWork, { id: handler(2).id }, w.owner)
  expect(JSON.stringify(work)).toContain('工单')
  await w.t.call(resignManager, { id: handler(2).id, handTo: handler(1).id, reason: '离职' }, w.owner)
  const after = await w.t.call(getOrder, { id: order.id }, handler(1).as)
  expect(after).toMatchObject({ handlerId: handler(1).id, state: 'processing' })
  expect(after.records.at(-1)?.content).toContain('移交给')
})

it('PERM-8: work that waits to be accepted or paid comes back to the colleague, not to the person who has left', async () => {
  const leaving = await w.t.addClerk([
    'work-orders.order.view',
    'work-orders.order.handle',
    'work-orders.charge.cost',
  ])
  const found = await w.t.database
    .reader(w.t.ownerId)
    .one<{ id: Id }>(sql`select id from manager where login_code = ${leaving.loginCode}`)
  const { id } = defined(found)
  const type = await w.addType({ needAccept: true })
  const orders = [await w.register({ typeId: type.id }), await w.register({ typeId: type.id })]
  for (const order of orders) {
    await w.t.call(dispatchOrder, { id: order.id, handlerId: id }, w.dispatcher)
    await w.t.call(acceptOrder, { id: order.id }, leaving.as)
    await w.t.call(finishOrder, { id: order.id, resultText: '已处理' }, leaving.as)
  }
  const [checking, unpaid] = orders.map(order => order.id)
  await w.t.database.tx(w.t.ownerId, tx =>
    tx.execute(sql`update work_order set state = 60 where owner_id = ${w.t.ownerId} and id = ${unpaid}`),
  )
  const work = await w.t.call(getOpenWork, { id }, w.owner)
  expect(work).toEqual([{ what: '工单', count: 2 }])
  await w.t.call(resignManager, { id, handTo: handler(1).id, reason: '离职' }, w.owner)
  for (const order of orders) {
    expect(await w.t.call(getOrder, { id: order.id }, w.owner)).toMatchObject({ handlerId: handler(1).id })
  }
  const back = await w.t.call(
    checkOrder,
    { id: defined(checking), isPassed: false, reason: '仍有噪音' },
    w.supervisor,
  )
  expect(back).toMatchObject({ state: 'processing', handlerId: handler(1).id })
})

it('G-13: another company sees nothing of these orders, in lists and in figures', async () => {
  const stranger = await w.t.signedInAs(golden.second.owner)
  const own = new Set(
    (
      await w.t.database
        .reader('*')
        .rows<{ no: string }>(sql`select order_no as no from work_order where owner_id <> ${w.t.ownerId}`)
    ).map(row => row.no),
  )
  const seen = await w.t.call(listOrders, { size: 200 }, stranger)
  expect(seen.rows.every(order => own.has(order.orderNo))).toBe(true)
  const figures = await w.t.call(getOrderStatistics, cohort, stranger)
  expect(figures.find(f => f.key === 'created')?.value).toBe('0')
  expect(await refusalMessageOf(w.t.call(getOrder, { id: asId(999_999) }, stranger))).toBe(
    '数据不存在或已被删除',
  )
})

it('STAT-13: a row of the efficiency has no time and no rating of what nobody did', async () => {
  const type = await w.addType({})
  const { id } = await w.register({ typeId: type.id })
  const read = async () => {
    const asked = { ...cohort, dayTo: '2026-12-31', typeIds: [String(type.id)], by: 'type' } as const
    return defined((await w.t.call(getDealEfficiency, asked, w.owner))[0])
  }
  expect(await read()).toMatchObject({ total: 1, accepted: 0 })
  expect([(await read()).responseMinutes, (await read()).score]).toEqual([undefined, undefined])
  await w.t.call(dispatchOrder, { id, handlerId: handler(0).id }, w.dispatcher)
  await w.t.call(acceptOrder, { id }, handler(0).as)
  await w.t.call(finishOrder, { id, resultText: '已处理' }, handler(0).as)
  const scores = { speedScore: 4, attitudeScore: 4, qualityScore: 4 }
  await w.t.call(evaluateOrder, { orderId: id, ...scores }, w.front)
  expect(await read()).toMatchObject({ responseMinutes: '0', score: '4' })
})
