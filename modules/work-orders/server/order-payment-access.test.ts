import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { closeOrder as closePayOrder, pollOrder } from '#modules/payments/contract/order.ts'
import { createPaymentOrder } from '../contract/charge.ts'
import { closeOrder } from '../contract/order-actions.ts'
import { openBillWorld, type BillWorld } from './order-bill.fixtures.ts'
import type { OrderWorld } from './order.fixtures.ts'

let b: BillWorld
let w: OrderWorld

beforeAll(async () => {
  b = await openBillWorld()
  w = b.w
})

afterAll(() => w?.close())

/** The supervisor may take payments of work orders and is no cashier. */
it('WO-8: who may start the payment of an order may follow and cancel it; then the order can be closed', async () => {
  const order = await b.finished(asFen(5000))
  const { orderNo } = await w.t.call(createPaymentOrder, { orderId: order.id }, w.supervisor)
  const close = () => w.t.call(closeOrder, { id: order.id, reason: '业主不再维修' }, w.dispatcher)
  expect(await refusalMessageOf(close())).toContain('工单的账单不能作废')
  expect(await w.t.call(pollOrder, { orderNo }, w.supervisor)).toMatchObject({ state: 'waiting' })
  expect(await w.t.call(closePayOrder, { orderNo }, w.supervisor)).toMatchObject({ state: 'closed' })
  expect(await close()).toMatchObject({ state: 'closed', payState: 'abolished' })
})

it('WO-8: nobody else may: the payment is no business of who only sees the order', async () => {
  const order = await b.finished(asFen(5000))
  const { orderNo } = await w.t.call(createPaymentOrder, { orderId: order.id }, w.supervisor)
  for (const as of [w.front, w.dispatcher]) {
    await expect(w.t.call(closePayOrder, { orderNo }, as)).rejects.toThrow('权限')
  }
})
