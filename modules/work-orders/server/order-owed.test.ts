import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { MIGRATIONS } from '#kit/server/postgres/migrate.ts'
import { splitStatements } from '#kit/server/postgres/sql-split.ts'
import { saveChannel } from '#modules/payments/contract/channel.ts'
import { voidRecord } from '#modules/payments/contract/record.ts'
import { createRewardOrder, listCharges, refundCharge, remindPayment } from '../contract/charge.ts'
import { evaluateOrder } from '../contract/evaluation.ts'
import { closeOrder, modifyCost } from '../contract/order-actions.ts'
import { countOrders, listOrders } from '../contract/order-list.ts'
import { getOrder } from '../contract/order.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { completeUnrated } from './default-evaluation.ts'
import { labour, openBillFixture, type BillFixture } from './order-bill.fixtures.ts'
import { projectCode, type OrderFixture } from './order.fixtures.ts'

let b: BillFixture
let w: OrderFixture

beforeAll(async () => {
  b = await openBillFixture()
  w = b.w
})

afterAll(() => w?.close())

const read = (order: WorkOrder) => w.t.call(getOrder, { id: order.id }, w.supervisor)
const takeBack = (id: Id) => w.t.call(voidRecord, { id, reason: '录错了' }, w.owner)

const rate = (order: WorkOrder) =>
  w.t.call(evaluateOrder, { orderId: order.id, speedScore: 5, attitudeScore: 5, qualityScore: 5 }, w.front)

const changeCost = (order: WorkOrder, price: number) =>
  w.t.call(
    modifyCost,
    { id: order.id, lines: [labour(asFen(price))], waiveCost: asFen(0), reason: '核对后改价' },
    w.supervisor,
  )

async function paid(amount: number) {
  const order = await b.finished(asFen(amount))
  const { recordId } = await b.payCash(order, asFen(amount))
  return { order, recordId }
}

const isListed = async ({ id }: WorkOrder): Promise<boolean> =>
  (await w.t.call(listOrders, { view: 'unpaid', size: 200 }, w.owner)).rows.some(row => row.id === id)

it('C12.1: an order whose payment is taken back waits for its payment again, and is not rated before', async () => {
  const { order, recordId } = await paid(6000)
  expect(await read(order)).toMatchObject({ state: 'unrated', payState: 'paid' })
  await takeBack(recordId)
  const owed = await read(order)
  expect(owed).toMatchObject({ state: 'unpaid', payState: 'unpaid' })
  expect(owed.evaluateDeadline).toBeUndefined()
  expect(owed.records.at(-1)).toMatchObject({ action: 'oweAgain', content: '收款已作废，费用未付' })
  expect(await isListed(order)).toBe(true)
  expect(await refusalMessageOf(rate(order))).toContain('工单当前为「待付款」，不能评价')
  await w.advance(9 * 24 * 60)
  await w.t.database.tx(w.t.ownerId, tx => completeUnrated(tx, w.t.app, w.t.ownerId))
  expect((await read(order)).state).toBe('unpaid')
  // Paid again, it has all the days to be rated.
  await b.payCash(order, asFen(6000))
  await w.t.database.tx(w.t.ownerId, tx => completeUnrated(tx, w.t.app, w.t.ownerId))
  expect(await read(order)).toMatchObject({ state: 'unrated', payState: 'paid' })
})

it('C12.1: refunded with the bill owed again, an order waits for its payment again; its cost can be changed', async () => {
  const { order, recordId } = await paid(6000)
  await b.refund(recordId, 'owed')
  expect(await read(order)).toMatchObject({ state: 'unpaid', payState: 'unpaid' })
  expect(await changeCost(order, 4500)).toMatchObject({ state: 'unpaid', totalCost: 4500 })
  expect(await b.liveBills(order)).toMatchObject([{ amount: '45.00' }])
})

it('T-WO-04: a paid cost is refunded with its bill owed again; then the right one is billed and paid', async () => {
  const { order, recordId } = await paid(6000)
  expect(await refusalMessageOf(changeCost(order, 4500))).toBe(
    '费用已支付，不能修改；需要更正时请先退款，账单恢复欠费',
  )
  await b.refund(recordId, 'owed')
  expect(await changeCost(order, 4500)).toMatchObject({ state: 'unpaid', payState: 'unpaid' })
  expect(await b.liveBills(order)).toMatchObject([{ amount: '45.00' }])
  await b.payCash(order, asFen(4500))
  expect(await read(order)).toMatchObject({ state: 'unrated', payState: 'paid', totalCost: 4500 })
})

it('C12.1: an order that waits to be rated has no cost changed, not after a refund either', async () => {
  const { order } = await paid(6000)
  await w.t.call(refundCharge, { orderId: order.id, reason: '多收了' }, w.supervisor)
  const { actions } = await w.t.call(getOrder, { id: order.id }, w.supervisor)
  expect(actions.map(a => a.action)).not.toContain('modifyCost')
  expect(await refusalMessageOf(changeCost(order, 4500))).toBe(
    '工单已处理完成且无需付款，不能改价；漏记的费用请登记关联工单收取',
  )
  expect(await read(order)).toMatchObject({ state: 'unrated', payState: 'refunded' })
})

it('C12.1: the cost of an order that is completed, or that nobody has to pay, is not changed', async () => {
  const { order } = await paid(6000)
  await rate(order)
  expect(await refusalMessageOf(changeCost(order, 4500))).toContain('工单当前为「已完成」，不能改价')
  const free = await b.finished(asFen(6000))
  await changeCost(free, 0)
  expect(await refusalMessageOf(changeCost(free, 4500))).toContain('请登记关联工单收取')
})

it('C12.1: rated before its payment was taken back, an order is listed and counted as owed', async () => {
  const { order, recordId } = await paid(6000)
  await rate(order)
  const countUnpaid = async () =>
    (await w.t.call(countOrders, { projectCode }, w.owner)).views.find(v => v.view === 'unpaid')?.count
  const before = await countUnpaid()
  await takeBack(recordId)
  expect(await read(order)).toMatchObject({ state: 'completed', payState: 'unpaid' })
  expect(await isListed(order)).toBe(true)
  expect(await countUnpaid()).toBe(defined(before) + 1)
})

it('C12.1: an order that an earlier version left to be rated waits for its payment', async () => {
  const owed = await b.finished(asFen(6000))
  const { order: unrated } = await paid(6000)
  const upgrade = readFileSync(join(MIGRATIONS, '20261128-1330-work-order-owed.sql'), 'utf8')
  await w.t.database.tx('*', async tx => {
    // As the version before left it.
    await tx.execute(sql`update work_order set state = 70 where id = ${owed.id}`)
    for (const statement of splitStatements(upgrade).filter(text => !/^create index/m.test(text))) {
      await tx.execute(sql.raw(statement))
    }
  })
  const after = await read(owed)
  expect(after).toMatchObject({ state: 'unpaid', payState: 'unpaid' })
  expect(after.records.at(-1)).toMatchObject({ action: 'oweAgain', toState: 'unpaid' })
  expect((await read(unrated)).state).toBe('unrated')
})

it('WO-8: nobody is reminded to pay for work that is not done', async () => {
  const order = await b.finished(asFen(3000), { needAccept: true })
  const remind = w.t.call(remindPayment, { orderId: order.id }, w.supervisor)
  expect(await refusalMessageOf(remind)).toBe('工单处理完成并验收后才能催付')
})

it('WO-8: the sum of closed orders is that of their rows', async () => {
  const order = await b.finished(asFen(5000))
  const { recordId } = await b.payCash(order, asFen(2000))
  await b.refund(recordId, 'kept')
  await w.t.call(closeOrder, { id: order.id, reason: '业主不再维修' }, w.dispatcher)
  const { rows, sum } = await w.t.call(
    listOrders,
    { typeId: [String(order.typeId)], state: ['closed'] },
    w.owner,
  )
  expect(rows).toHaveLength(1)
  expect(sum?.payableCost).toBe(defined(rows[0]).payableCost)
})

it('WO-9: a tip is owed by nobody: until it is paid it is in no list of costs, and in no sum', async () => {
  const { order } = await paid(3000)
  await rate(order)
  await w.t.call(saveChannel, { channel: 'wechat', simulated: true, enabled: true }, w.owner)
  await w.t.call(createRewardOrder, { orderId: order.id, amount: asFen(1000) }, w.supervisor)
  const { total, sum } = await w.t.call(listCharges, { orderId: [String(order.id)] }, w.owner)
  expect([total, sum?.amount]).toEqual([1, 3000])
})
