import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { reverseWriteOff, writeOffBills } from '#modules/bills/contract/actions.ts'
import { setDiscount } from '#modules/bills/contract/adjustments.ts'
import { getOrder } from '../contract/order.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { openBillFixture, type BillFixture } from './order-bill.fixtures.ts'
import type { OrderFixture } from './order.fixtures.ts'

let b: BillFixture
let w: OrderFixture

beforeAll(async () => {
  b = await openBillFixture()
  w = b.w
})

afterAll(() => w?.close())

const read = (order: WorkOrder) => w.t.call(getOrder, { id: order.id }, w.front)
const idsOf = async (order: WorkOrder) => [String((await b.billOf(order)).id)]
const waive = async (order: WorkOrder, amount: Fen) =>
  w.t.call(setDiscount, { ids: await idsOf(order), kind: 'amount', amount, reason: '协商减免' }, w.owner)

it('WO-8: waived whole on the bills screen, the cost is free and the order goes on', async () => {
  const order = await b.finished(asFen(6000))
  expect(await waive(order, asFen(6000))).toMatchObject({ success: 1 })
  expect(await b.chargeOf(order)).toMatchObject({
    state: 'free',
    amount: 0,
    discountAmount: 6000,
    paidAmount: 0,
  })
  const after = await read(order)
  expect(after).toMatchObject({ state: 'unrated', payState: 'free', waiveCost: 6000, totalCost: 0 })
  expect(after.records.at(-1)).toMatchObject({ action: 'modifyCost', content: '账单已全部减免，无需付款' })
})

it('WO-8: waived in part, the rest is owed; paid, the order goes on', async () => {
  const order = await b.finished(asFen(6000))
  await waive(order, asFen(2000))
  expect(await b.chargeOf(order)).toMatchObject({ state: 'unpaid', amount: 4000, discountAmount: 2000 })
  expect(await read(order)).toMatchObject({ state: 'unpaid', waiveCost: 2000, totalCost: 4000 })
  // The discount is set, not added.
  await waive(order, asFen(1000))
  expect(await b.chargeOf(order)).toMatchObject({ state: 'unpaid', amount: 5000, discountAmount: 1000 })
  await b.payCash(order, asFen(5000))
  expect(await read(order)).toMatchObject({ state: 'unrated', payState: 'paid', totalCost: 5000 })
})

it('WO-8: part of it paid and the rest waived, the cost is paid', async () => {
  const order = await b.finished(asFen(6000))
  await b.payCash(order, asFen(2000))
  await waive(order, asFen(4000))
  expect(await b.chargeOf(order)).toMatchObject({ state: 'paid', amount: 2000, paidAmount: 2000 })
  expect(await read(order)).toMatchObject({ state: 'unrated', payState: 'paid' })
})

it('WO-8: written off, nothing is owed for the order; taken back, it is owed again', async () => {
  const order = await b.finished(asFen(6000))
  const ids = await idsOf(order)
  expect(await w.t.call(writeOffBills, { ids, reason: '无法收回' }, w.owner)).toMatchObject({ success: 1 })
  expect(await read(order)).toMatchObject({ state: 'unrated', payState: 'abolished', payableCost: 0 })
  expect(await w.t.call(reverseWriteOff, { ids, reason: '误操作' }, w.owner)).toMatchObject({ success: 1 })
  expect(await b.chargeOf(order)).toMatchObject({ state: 'unpaid', amount: 6000 })
  expect(await read(order)).toMatchObject({ state: 'unpaid', payState: 'unpaid', payableCost: 6000 })
})
