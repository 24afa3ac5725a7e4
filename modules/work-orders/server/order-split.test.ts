import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { addFamily } from '#modules/residents/contract/resident.ts'
import { addRoom } from '#modules/rooms/contract/room.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { abolishBills, recoverBills } from '#modules/bills/contract/actions.ts'
import { mergeBill, setDiscount, splitBill } from '#modules/bills/contract/adjustments.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { voidRecord } from '#modules/payments/contract/record.ts'
import { auditRefund, listRefunds } from '#modules/payments/contract/refund.ts'
import { createPaymentOrder, getChargeOfBill, refundCharge } from '../contract/charge.ts'
import { closeOrder, modifyCost } from '../contract/order-actions.ts'
import { getOrder, getOrderLink } from '../contract/order.ts'
import { followOrder } from '../contract/resident.ts'
import type { WorkOrder } from '../contract/work-order.ts'
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

const split = async (id: Id, amount: number) => {
  const halves = await w.t.call(splitBill, { id, amount: asFen(amount), reason: '分两次付' }, w.owner)
  return halves.map(half => half.id)
}

/** Due for 100.00, its bill split into 30.00 and 70.00. */
async function splitOrder() {
  const order = await b.finished(asFen(10000))
  const whole = defined((await b.chargeOf(order)).billId)
  const [small, large] = await split(whole, 3000)
  return { order, whole, small: defined(small), large: defined(large) }
}

const pay = (billId: Id, amount: number, expected = amount) =>
  w.t.call(
    payBills,
    {
      projectCode,
      billIds: [String(billId)],
      expectAmount: asFen(expected),
      methods: [{ method: 'cash', amount: asFen(amount) }],
    },
    w.owner,
  )

const abolish = (billId: Id) =>
  w.t.call(abolishBills, { ids: [String(billId)], reason: '误操作', periodAfter: 'waived' }, w.owner)

it('WO-8, BILL-12: the parts of a split bill pay the order, the last of them whole', async () => {
  const { order, small, large } = await splitOrder()
  await pay(small, 3000)
  expect(await b.chargeOf(order)).toMatchObject({ state: 'unpaid', amount: 10000, paidAmount: 3000 })
  expect(await read(order)).toMatchObject({ state: 'unpaid', money: { paidTotal: 3000, dueAmount: 7000 } })
  const { token } = await w.t.call(getOrderLink, { id: order.id }, w.owner)
  expect(await w.t.call(followOrder, { token })).toMatchObject({ amount: 7000, paidAmount: 3000 })
  const { recordId } = await pay(large, 7000)
  expect(await read(order)).toMatchObject({ state: 'unrated', payState: 'paid' })
  expect(await b.chargeOf(order)).toMatchObject({ state: 'paid', paidAmount: 10000 })
  // Taken back, a part is owed again.
  await w.t.call(voidRecord, { id: recordId, reason: '录错了' }, w.owner)
  expect(await read(order)).toMatchObject({ state: 'unpaid', payState: 'unpaid' })
  expect(await b.chargeOf(order)).toMatchObject({ paidAmount: 3000 })
})

it('WO-8: a pay order takes all parts that are owed, of parts split again too', async () => {
  const { order, large } = await splitOrder()
  await split(large, 2000)
  const all = await w.t.call(createPaymentOrder, { orderId: order.id }, w.supervisor)
  expect(all.amount).toBe(10000)
  expect(await b.liveBills(order)).toHaveLength(3)
})

it('WO-8: a bill of a part, and the payment of it, explain themselves by the order', async () => {
  const { order, small } = await splitOrder()
  const { recordId } = await pay(small, 3000)
  for (const key of [{ billId: small }, { recordId }]) {
    const explained = await w.t.call(getChargeOfBill, key, w.owner)
    expect(explained).toMatchObject({ orderNo: order.orderNo, lines: [{ amount: 10000 }] })
  }
})

it('WO-8: what is paid of the parts goes back by the order, once', async () => {
  const { order, small, large } = await splitOrder()
  await pay(small, 3000)
  await pay(large, 7000)
  await w.t.call(refundCharge, { orderId: order.id, reason: '服务未完成' }, w.supervisor)
  expect(await b.liveBills(order)).toEqual([])
  expect(await read(order)).toMatchObject({ state: 'unrated', payState: 'refunded' })
})

it('WO-8: closed, an order refunds what was paid of a part and is owed no other', async () => {
  const { order, small } = await splitOrder()
  await pay(small, 1000, 3000)
  const closed = await w.t.call(closeOrder, { id: order.id, reason: '业主不再维修' }, w.dispatcher)
  expect(closed).toMatchObject({ state: 'closed', payState: 'refunded' })
  expect(await b.liveBills(order)).toEqual([])
  const unpaid = await splitOrder()
  const other = await w.t.call(closeOrder, { id: unpaid.order.id, reason: '业主不再维修' }, w.dispatcher)
  expect(other).toMatchObject({ state: 'closed', payState: 'abolished' })
  expect(await b.liveBills(unpaid.order)).toEqual([])
})

const approveFrom = (value: string) =>
  w.t.call(updateEstateSetting, { projectCode, key: 'RefundAuditFrom', value }, w.owner)

/** The smaller part paid, and asked back for somebody to approve. */
async function askedBack(billAfter: 'owed' | 'abolished') {
  const { order, small } = await splitOrder()
  const { recordId } = await pay(small, 3000)
  await approveFrom('0')
  await b.refund(recordId, billAfter)
  await approveFrom('99999999')
  const { rows } = await w.t.call(listRefunds, { recordId: [String(recordId)] }, w.owner)
  return { order, refund: defined(rows[0]) }
}

/** Nobody approves a refund of their own. */
async function approve(id: Id) {
  const approver = await w.t.addClerk(['payments.refund.view', 'payments.refund.audit'])
  await w.t.call(auditRefund, { id, pass: true }, approver.as)
}

const close = (order: WorkOrder) =>
  w.t.call(closeOrder, { id: order.id, reason: '业主不再维修' }, w.dispatcher)

const lastRecords = async (order: WorkOrder, count: number) =>
  (await read(order)).records.slice(-count).map(record => record.content)

it('WO-8, REF-3: an order is closed while the refund of a paid part is to be approved; the other is owed no more', async () => {
  const { order, refund } = await askedBack('abolished')
  expect(await close(order)).toMatchObject({ state: 'closed', payState: 'paid' })
  expect(await b.liveBills(order)).toMatchObject([{ amount: '30.00' }])
  await approve(refund.id)
  expect(await b.liveBills(order)).toEqual([])
  expect(await read(order)).toMatchObject({ state: 'closed', payState: 'refunded' })
  expect(await b.chargeOf(order)).toMatchObject({ state: 'refunded', paidAmount: 0 })
})

it('WO-8: a refund that will leave its bill owed holds the closing, and is named', async () => {
  const { order, refund } = await askedBack('owed')
  expect(await refusalMessageOf(close(order))).toBe(
    `已申请退款（${refund.refundNo} 待审核），退款后账单不作废；请先办结或取消退款，再关闭或取消工单`,
  )
  expect(await read(order)).toMatchObject({ state: 'unpaid' })
})

it('WO-8: the history says what is owed after the refund of a part that was abolished with it', async () => {
  const { order, refund } = await askedBack('abolished')
  await approve(refund.id)
  expect(await lastRecords(order, 1)).toEqual(['费用已退款，退款部分不再收取：尚欠 70.00 元'])
  expect(await read(order)).toMatchObject({ state: 'unpaid', money: { dueAmount: 7000 } })
})

it('WO-8: a changed cost replaces all parts; none of them comes back', async () => {
  const { order, whole, small, large } = await splitOrder()
  const change = { id: order.id, waiveCost: asFen(0), reason: '核对后改价' }
  await w.t.call(modifyCost, { ...change, lines: [labour(asFen(4500))] }, w.supervisor)
  expect(await b.liveBills(order)).toMatchObject([{ amount: '45.00' }])
  for (const id of [whole, small, large]) {
    const recovered = await w.t.call(recoverBills, { ids: [String(id)], reason: '误作废' }, w.owner)
    expect([id, recovered.success]).toEqual([id, 0])
  }
})

it('WO-8: the cost of an order is not changed once a part of it is paid', async () => {
  const { order, small } = await splitOrder()
  await pay(small, 3000)
  expect((await read(order)).actions.map(a => a.action)).not.toContain('modifyCost')
})

it('WO-8: a part that is abolished or waived on the bills screen is owed no more; the rest pays the order', async () => {
  const { order, small, large } = await splitOrder()
  expect((await abolish(small)).success).toBe(1)
  expect(await read(order)).toMatchObject({ state: 'unpaid', money: { dueAmount: 7000 } })
  const off = { ids: [String(large)], kind: 'amount', amount: asFen(500), reason: '协商' } as const
  await w.t.call(setDiscount, off, w.owner)
  expect((await read(order)).money).toMatchObject({ dueAmount: 6500 })
  await pay(large, 6500)
  expect(await read(order)).toMatchObject({ state: 'unrated', payState: 'paid', totalCost: 6500 })
})

it('WO-8: when all parts are abolished on the bills screen, payment makes one bill of the whole', async () => {
  const { order, small, large } = await splitOrder()
  await abolish(small)
  await abolish(large)
  const pays = await w.t.call(createPaymentOrder, { orderId: order.id }, w.supervisor)
  expect(pays.amount).toBe(10000)
  expect(await b.liveBills(order)).toMatchObject([{ amount: '100.00' }])
})

it('BILL-12: parts that are merged again leave the order as it was', async () => {
  const { order, whole } = await splitOrder()
  await w.t.call(mergeBill, { id: whole, reason: '合并缴费' }, w.owner)
  await pay(whole, 10000)
  expect(await read(order)).toMatchObject({ state: 'unrated', payState: 'paid' })
})

it('BASE-17: a bill that named no payer is replaced by one of the person who is to pay on that day', async () => {
  const room = await w.t.call(
    addRoom,
    {
      projectCode,
      buildCode: 'B2',
      unitName: '1',
      floorNum: 1,
      roomNo: 'S101',
      roomType: 'home',
      roomState: 'vacant',
      state: 'on',
    },
    w.owner,
  )
  const order = await b.finished(asFen(6000), {}, { roomCode: room.code })
  expect((await b.billOf(order)).payerId).toBeFalsy()
  await w.t.call(
    addFamily,
    {
      projectCode,
      roomIds: [String(room.id)],
      inDate: '2025-01-01',
      people: [{ name: '后登记业主', mobile: '13600009001', relation: 'owner' }],
    },
    w.owner,
  )
  const change = { id: order.id, waiveCost: asFen(0), reason: '核对后改价' }
  await w.t.call(modifyCost, { ...change, lines: [labour(asFen(4500))] }, w.supervisor)
  expect(await b.billOf(order)).toMatchObject({ payerName: '后登记业主', receivable: 4500 })
})
