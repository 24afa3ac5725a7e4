import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { abolishBills } from '#modules/bills/contract/actions.ts'
import { getBill } from '#modules/bills/contract/bill-detail.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { createPaymentOrder, getChargeOfBill, listCharges } from '../contract/charge.ts'
import {
  acceptOrder,
  checkOrder,
  closeOrder,
  dispatchOrder,
  finishOrder,
  modifyCost,
} from '../contract/order-actions.ts'
import { getOrder } from '../contract/order.ts'
import type { OrderType } from '../contract/order-type.ts'
import { setFunctionSettings } from '../contract/settings.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { openOrderWorld, projectCode, type OrderWorld } from './order.fixtures.ts'

let w: OrderWorld
let feeItemId: Id

beforeAll(async () => {
  w = await openOrderWorld()
  feeItemId = await w.t.addFeeItem('GDB', { name: '维修费', feeType: 'temporary', multi: true })
  await w.t.call(setFunctionSettings, { settings: [{ key: 'closeApproval', enabled: false }] }, w.owner)
})

afterAll(() => w?.close())

const handler = () => defined(w.handlers[0])

const labour = (price: Fen) => ({ lineKind: 'labour', name: '上门维修', quantity: '1', price }) as const

/** Finished, and due for this amount unless its type says otherwise. */
async function finished(amount: Fen, more: Partial<OrderType> = {}, place = {}): Promise<WorkOrder> {
  const type = await w.addType({ isCharge: true, feeItemId, ...more })
  const order = await w.register({ typeId: type.id, roomCode: w.roomCode, address: undefined, ...place })
  await w.t.call(dispatchOrder, { id: order.id, handlerId: handler().id }, w.dispatcher)
  await w.t.call(acceptOrder, { id: order.id }, handler().as)
  return w.t.call(finishOrder, { id: order.id, resultText: '已更换', lines: [labour(amount)] }, handler().as)
}

const chargeOf = async (order: WorkOrder) =>
  defined((await w.t.call(listCharges, { orderId: [String(order.id)] }, w.owner)).rows[0])

const billOf = async (order: WorkOrder) =>
  w.t.call(getBill, { id: defined((await chargeOf(order)).billId) }, w.owner)

const payCash = async (order: WorkOrder, amount: Fen) =>
  w.t.call(
    payBills,
    {
      projectCode,
      billIds: [String((await billOf(order)).id)],
      expectAmount: amount,
      methods: [{ method: 'cash', amount }],
    },
    w.owner,
  )

const noteOf = async (order: WorkOrder) =>
  (await w.t.call(getOrder, { id: order.id }, w.front)).records.findLast(r => r.action === 'note')?.content

it('WO-8: finished with a cost, an order has its bill; cash at the till pays it without a pay order', async () => {
  const order = await finished(asFen(6000))
  expect(order.state).toBe('unpaid')
  const bill = await billOf(order)
  expect(bill).toMatchObject({ billSource: 'workOrder', refId: order.id, receivable: 6000, state: 'normal' })
  expect(bill.remark).toContain(order.orderNo)
  const explained = await w.t.call(getChargeOfBill, { billId: bill.id }, w.owner)
  expect(explained.lines).toMatchObject([{ name: '上门维修', amount: 6000 }])
  await payCash(order, asFen(6000))
  expect(await w.t.call(getOrder, { id: order.id }, w.front)).toMatchObject({
    state: 'unrated',
    payState: 'paid',
  })
})

it('WO-8: an order that is to be accepted has its bill when it is accepted, not before', async () => {
  const order = await finished(asFen(3000), { needAccept: true })
  expect(order.state).toBe('checking')
  expect((await chargeOf(order)).billId).toBeFalsy()
  const passed = await w.t.call(checkOrder, { id: order.id, isPassed: true }, w.supervisor)
  expect(passed.state).toBe('unpaid')
  expect(await billOf(order)).toMatchObject({ receivable: 3000 })
})

it('WO-8: a pay order pays the bill that is there; closed, the bill is owed no more', async () => {
  const order = await finished(asFen(2500))
  const bill = await billOf(order)
  const pay = await w.t.call(createPaymentOrder, { orderId: order.id }, w.supervisor)
  expect(pay.amount).toBe(2500)
  expect((await chargeOf(order)).billId).toBe(bill.id)
  await w.advance(16)
  const closed = await w.t.call(closeOrder, { id: order.id, reason: '业主不再维修' }, w.dispatcher)
  expect(closed).toMatchObject({ state: 'closed', payState: 'abolished' })
  expect(await w.t.call(getBill, { id: bill.id }, w.owner)).toMatchObject({ state: 'abolished' })
})

it('WO-8: a cost that is changed while it is due takes its bill back and makes another', async () => {
  const order = await finished(asFen(8000))
  const before = await billOf(order)
  const change = { id: order.id, waiveCost: asFen(0), reason: '核对后改价' }
  await w.t.call(modifyCost, { ...change, lines: [labour(asFen(5000))] }, w.supervisor)
  expect(await w.t.call(getBill, { id: before.id }, w.owner)).toMatchObject({ state: 'abolished' })
  expect(await billOf(order)).toMatchObject({ receivable: 5000, state: 'normal' })
  const free = await w.t.call(modifyCost, { ...change, lines: [labour(asFen(0))] }, w.supervisor)
  expect(free.state).toBe('unrated')
  expect((await chargeOf(order)).billId).toBeFalsy()
})

it('WO-8: a bill that was abolished at the desk of bills holds nothing up; payment makes another', async () => {
  const order = await finished(asFen(4500))
  const bill = await billOf(order)
  const abolish = async () =>
    w.t.call(
      abolishBills,
      { ids: [String((await billOf(order)).id)], reason: '误操作', periodAfter: 'waived' },
      w.owner,
    )
  expect(await abolish()).toMatchObject({ success: 1 })
  await w.t.call(createPaymentOrder, { orderId: order.id }, w.supervisor)
  expect((await billOf(order)).id).not.toBe(bill.id)
  await w.advance(16)
  expect(await abolish()).toMatchObject({ success: 1 })
  const closed = await w.t.call(closeOrder, { id: order.id, reason: '业主不再维修' }, w.dispatcher)
  expect(closed.state).toBe('closed')
})

it('WO-8: work that is done is not refused for want of a fee item or a place; the history says so', async () => {
  const order = await finished(asFen(1000), { feeItemId: undefined })
  expect(order.state).toBe('unpaid')
  expect(await noteOf(order)).toContain('未出账单：没有可用的收费项目')
  const nowhere = await finished(asFen(1000), {}, { roomCode: undefined, address: '1栋门口' })
  expect(nowhere.state).toBe('unpaid')
  expect(await noteOf(nowhere)).toContain('未出账单：工单没有关联房屋或公共区域')
})
