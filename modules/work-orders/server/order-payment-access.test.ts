import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { closeOrder as closePayOrder, pollOrder } from '#modules/payments/contract/order.ts'
import { createPaymentOrder } from '../contract/charge.ts'
import { closeOrder, modifyCost } from '../contract/order-actions.ts'
import { getOrder } from '../contract/order.ts'
import { labour, openBillFixture, type BillFixture } from './order-bill.fixtures.ts'
import type { OrderFixture } from './order.fixtures.ts'

let b: BillFixture
let w: OrderFixture

beforeAll(async () => {
  b = await openBillFixture()
  w = b.w
})

afterAll(() => w?.close())

/** The supervisor may take payments of work orders and is no cashier. */
it('WO-8: who may start the payment of an order may follow and cancel it; then the order can be closed', async () => {
  const order = await b.finished(asFen(5000))
  const { orderNo } = await w.t.call(createPaymentOrder, { orderId: order.id }, w.supervisor)
  const close = () => w.t.call(closeOrder, { id: order.id, reason: '业主不再维修' }, w.dispatcher)
  const waits = (what: string) =>
    expect.stringMatching(
      `^费用正在支付（支付单 ${orderNo}，\\d\\d:\\d\\d 失效），不能${what}；请等待支付完成，或取消收款后再办理$`,
    )
  expect(await refusalMessageOf(close())).toEqual(waits('关闭或取消工单'))
  const change = { id: order.id, waiveCost: asFen(0), reason: '核对后改价' }
  const dearer = w.t.call(modifyCost, { ...change, lines: [labour(asFen(6000))] }, w.supervisor)
  expect(await refusalMessageOf(dearer)).toEqual(waits('修改费用'))
  const shown = async () => (await w.t.call(getOrder, { id: order.id }, w.supervisor)).payOrder
  expect(await shown()).toMatchObject({ orderNo, state: 'waiting' })
  expect(await w.t.call(pollOrder, { orderNo }, w.supervisor)).toMatchObject({ state: 'waiting' })
  expect(await w.t.call(closePayOrder, { orderNo }, w.supervisor)).toMatchObject({ state: 'closed' })
  expect(await shown()).toBeUndefined()
  expect(await close()).toMatchObject({ state: 'closed', payState: 'abolished' })
})

it('WO-8: nobody else may: the payment is no business of somebody who only sees the order', async () => {
  const order = await b.finished(asFen(5000))
  const { orderNo } = await w.t.call(createPaymentOrder, { orderId: order.id }, w.supervisor)
  for (const as of [w.front, w.dispatcher]) {
    await expect(w.t.call(closePayOrder, { orderNo }, as)).rejects.toThrow('权限')
  }
})
