import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { systemReadScope } from '#kit/server/scope.ts'
import { abolishBills } from '#modules/bills/contract/actions.ts'
import { getBill } from '#modules/bills/contract/bill-detail.ts'
import { findBillSubjects } from '#modules/bills/server/public.ts'
import {
  createPaymentOrder,
  exportCharges,
  getChargeOfBill,
  chargeLines,
  listCharges,
} from '../contract/charge.ts'
import {
  acceptOrder,
  checkOrder,
  closeOrder,
  dispatchOrder,
  finishOrder,
  modifyCost,
} from '../contract/order-actions.ts'
import { listOrders } from '../contract/order-list.ts'
import { getOrder } from '../contract/order.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { labour, openBillFixture, type BillFixture } from './order-bill.fixtures.ts'
import type { OrderFixture } from './order.fixtures.ts'

let b: BillFixture
let w: OrderFixture

beforeAll(async () => {
  b = await openBillFixture()
  w = b.w
})

afterAll(() => w?.close())

const noteOf = async (order: WorkOrder) =>
  (await w.t.call(getOrder, { id: order.id }, w.front)).records.findLast(r => r.action === 'note')?.content

it('WO-8: finished with a cost, an order has its bill; cash at the cashier pays it without a pay order', async () => {
  const order = await b.finished(asFen(6000))
  expect(order.state).toBe('unpaid')
  const bill = await b.billOf(order)
  expect(bill).toMatchObject({ billSource: 'workOrder', refId: order.id, receivable: 6000, state: 'normal' })
  expect(bill.remark).toContain(order.orderNo)
  const subjects = await findBillSubjects(w.t.database.reader(w.t.ownerId), systemReadScope(w.t.ownerId), [
    bill,
  ])
  expect(subjects.get(bill.id)).toBe(`工单 ${order.orderNo} ${order.typeName}`)
  const explained = await w.t.call(getChargeOfBill, { billId: bill.id }, w.owner)
  expect(explained.lines).toMatchObject([{ name: '上门维修', amount: 6000 }])
  await b.payCash(order, asFen(6000))
  expect(await w.t.call(getOrder, { id: order.id }, w.front)).toMatchObject({
    state: 'unrated',
    payState: 'paid',
  })
})

it('WO-8: an order that is to be accepted has its bill when it is accepted, not before', async () => {
  const order = await b.finished(asFen(3000), { needAccept: true })
  expect(order.state).toBe('checking')
  expect((await b.chargeOf(order)).billId).toBeFalsy()
  const passed = await w.t.call(checkOrder, { id: order.id, isPassed: true }, w.supervisor)
  expect(passed.state).toBe('unpaid')
  expect(await b.billOf(order)).toMatchObject({ receivable: 3000 })
})

it('WO-8: a pay order pays the bill that is there; closed, the bill is owed no more', async () => {
  const order = await b.finished(asFen(2500))
  const bill = await b.billOf(order)
  const pay = await w.t.call(createPaymentOrder, { orderId: order.id }, w.supervisor)
  expect(pay.amount).toBe(2500)
  expect((await b.chargeOf(order)).billId).toBe(bill.id)
  await w.advance(16)
  const closed = await w.t.call(closeOrder, { id: order.id, reason: '业主不再维修' }, w.dispatcher)
  expect(closed).toMatchObject({ state: 'closed', payState: 'abolished' })
  expect(await w.t.call(getBill, { id: bill.id }, w.owner)).toMatchObject({ state: 'abolished' })
})

it('WO-8: a cost that is changed while it is due takes its bill back and makes another', async () => {
  const order = await b.finished(asFen(8000))
  const before = await b.billOf(order)
  const change = { id: order.id, waiveCost: asFen(0), reason: '核对后改价' }
  await w.t.call(modifyCost, { ...change, lines: [labour(asFen(5000))] }, w.supervisor)
  expect(await w.t.call(getBill, { id: before.id }, w.owner)).toMatchObject({ state: 'abolished' })
  expect(await b.billOf(order)).toMatchObject({ receivable: 5000, state: 'normal' })
  const free = await w.t.call(modifyCost, { ...change, lines: [labour(asFen(0))] }, w.supervisor)
  expect(free.state).toBe('unrated')
  expect((await b.chargeOf(order)).billId).toBeFalsy()
  const other = await b.finished(asFen(3000))
  const without = await w.t.call(modifyCost, { ...change, id: other.id, lines: [] }, w.supervisor)
  expect(without).toMatchObject({ totalCost: 0, state: 'unrated' })
})

it('WO-8: a bill explains its amount with what was waived, however many lines there are', async () => {
  const order = await b.finished(asFen(8000))
  const change = async (count: number) => {
    await w.t.call(
      modifyCost,
      {
        id: order.id,
        lines: Array.from({ length: count }, () => labour(asFen(7000))),
        waiveCost: asFen(2555),
        reason: '协商减免',
      },
      w.owner,
    )
    return (await b.billOf(order)).remark ?? ''
  }
  expect(await change(1)).toMatch(/：人工 上门维修 1 70\.00；减免 25\.55$/)
  const long = await change(20)
  expect(long).toMatch(/；减免 25\.55$/)
  expect(long.length).toBeLessThanOrEqual(200)
})

it('WO-8: a bill that was abolished on the bills screen holds nothing up; payment makes another', async () => {
  const order = await b.finished(asFen(4500))
  const bill = await b.billOf(order)
  const abolish = async () =>
    w.t.call(
      abolishBills,
      { ids: [String((await b.billOf(order)).id)], reason: '误操作', periodAfter: 'waived' },
      w.owner,
    )
  expect(await abolish()).toMatchObject({ success: 1 })
  await w.t.call(createPaymentOrder, { orderId: order.id }, w.supervisor)
  expect((await b.billOf(order)).id).not.toBe(bill.id)
  await w.advance(16)
  expect(await abolish()).toMatchObject({ success: 1 })
  const closed = await w.t.call(closeOrder, { id: order.id, reason: '业主不再维修' }, w.dispatcher)
  expect(closed.state).toBe('closed')
})

it('WO-8: work that is done is not refused for want of a fee item or a place; the history says so', async () => {
  const order = await b.finished(asFen(1000), { feeItemId: undefined })
  expect(order.state).toBe('unpaid')
  expect(await noteOf(order)).toContain('未出账单：没有可用的收费项目')
  const nowhere = await b.finished(asFen(1000), {}, { roomCode: undefined, address: '1栋门口' })
  expect(nowhere.state).toBe('unpaid')
  expect(await noteOf(nowhere)).toContain('未出账单：工单未关联房屋或公共区域')
})

it('G-12: a mistyped cost is refused by the line, and the lists go on adding up large sums', async () => {
  const most = await b.finished(asFen(999_999_999))
  expect(await b.billOf(most)).toMatchObject({ receivable: 999_999_999 })
  const { typeId } = most
  const { id } = await w.register({ typeId, roomCode: w.roomCode, address: undefined })
  const handler = defined(w.handlers[0])
  await w.t.call(dispatchOrder, { id, handlerId: handler.id }, w.dispatcher)
  await w.t.call(acceptOrder, { id }, handler.as)
  const mistyped = [{ ...labour(asFen(999_999_999)), quantity: '99999' }]
  const fault = { Field: 'ItemJson', Message: '「上门维修」的金额超过 99999999.99 元，请核对数量与单价' }
  const finish = w.t.call(finishOrder, { id, resultText: '已更换', lines: mistyped }, handler.as)
  await expect(finish).rejects.toMatchObject({ data: [fault] })
  const change = { id, lines: mistyped, waiveCost: asFen(0), reason: '材料涨价' }
  await expect(w.t.call(modifyCost, change, w.supervisor)).rejects.toMatchObject({ data: [fault] })
  // As a company has them that entered such costs before they were refused.
  await w.t.database.tx(w.t.ownerId, tx =>
    tx.execute(sql`update work_order set total_cost = 999989999000.01 where owner_id = ${w.t.ownerId}`),
  )
  await w.t.database.tx(w.t.ownerId, tx =>
    tx.execute(sql`update work_order_charge set amount = 999989999000.01 where owner_id = ${w.t.ownerId}`),
  )
  await w.t.database.tx(w.t.ownerId, tx =>
    tx.execute(
      sql`update work_order_charge_line set amount = 999989999000.01 where owner_id = ${w.t.ownerId}`,
    ),
  )
  const charges = await w.t.call(listCharges, { state: ['unpaid'] }, w.owner)
  expect(charges.total).toBeGreaterThan(1)
  expect(charges.sum).toMatchObject({ amount: charges.total * 99_998_999_900_001 })
  const lines = await w.t.call(chargeLines.list, {}, w.owner)
  expect(lines.sum).toMatchObject({ amount: lines.total * 99_998_999_900_001 })
  expect((await w.t.call(listOrders, {}, w.owner)).total).toBeGreaterThan(1)
  expect(await w.t.callRaw(exportCharges.get, {}, w.owner)).toHaveProperty('body')
})
