import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { payOrderOffline } from '#modules/payments/contract/payment.ts'
import { createPaymentOrder, getCharge } from '../contract/charge.ts'
import { closeOrder } from '../contract/order-actions.ts'
import { getOrder, getOrderLink } from '../contract/order.ts'
import { followOrder, payAsResident } from '../contract/resident.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { openBillFixture, type BillFixture } from './order-bill.fixtures.ts'
import { projectCode, type OrderFixture } from './order.fixtures.ts'

let b: BillFixture
let w: OrderFixture
let feeItemId = 0 as Awaited<ReturnType<OrderFixture['t']['addFeeItem']>>

beforeAll(async () => {
  b = await openBillFixture()
  w = b.w
  feeItemId = await w.t.addFeeItem('GDL', {
    name: '逾期维修费',
    feeType: 'temporary',
    multi: true,
    late: true,
  })
})

afterAll(() => w?.close())

const minutesOfDays = (days: number): number => days * 24 * 60
const tokenOf = async ({ id }: WorkOrder) => (await w.t.call(getOrderLink, { id }, w.owner)).token
const approveFrom = (value: string) =>
  w.t.call(updateEstateSetting, { projectCode, key: 'RefundAuditFrom', value }, w.owner)
const read = (order: WorkOrder) => w.t.call(getOrder, { id: order.id }, w.supervisor)

/** Due for 600.00, and for the late fee of so many days. */
async function overdue(days: number) {
  const order = await b.finished(asFen(60000), { feeItemId })
  await w.advance(minutesOfDays(days))
  return order
}

it('WO-8, LATE-12: who follows an overdue order sees and pays what the cashier would charge', async () => {
  const order = await overdue(40)
  const { unpaid, lateFeeUnpaid } = await b.billOf(order)
  expect(lateFeeUnpaid).toBeGreaterThan(0)
  const token = await tokenOf(order)
  expect(await w.t.call(followOrder, { token })).toMatchObject({
    amount: unpaid,
    lateFee: lateFeeUnpaid,
    paidAmount: 0,
    canPay: true,
  })
  expect((await read(order)).money).toMatchObject({ lateFee: lateFeeUnpaid, paidTotal: 0, dueAmount: unpaid })
  expect((await w.t.call(createPaymentOrder, { orderId: order.id }, w.supervisor)).amount).toBe(unpaid)
  const pay = await w.t.call(payAsResident, { token })
  expect(pay.amount).toBe(unpaid)
  const methods = [{ method: 'cash', amount: unpaid }] as const
  await w.t.call(payOrderOffline, { orderNo: pay.orderNo, methods }, w.owner)
  expect(await w.t.call(followOrder, { token })).toMatchObject({
    state: 'unrated',
    payState: 'paid',
    lateFee: lateFeeUnpaid,
    amount: unpaid,
  })
})

it('WO-8: what was paid of an overdue order, its late fee too, is taken off what is shown', async () => {
  const order = await overdue(40)
  const before = await b.billOf(order)
  await b.payCash(order, asFen(20000))
  const after = await b.billOf(order)
  const token = await tokenOf(order)
  expect(await w.t.call(followOrder, { token })).toMatchObject({ amount: after.unpaid, paidAmount: 20000 })
  expect(after.unpaid).toBe(before.unpaid - 20000)
  const { records, money } = await read(order)
  expect(money).toMatchObject({ paidTotal: 20000, dueAmount: after.unpaid })
  expect(records.at(-1)?.content).toMatch(/^已付 .* 元，尚欠 .* 元$/)
  const charge = await b.chargeOf(order)
  expect(await w.t.call(getCharge, { id: charge.id }, w.owner)).toMatchObject({ dueAmount: after.unpaid })
})

it('WO-8, REF-3: closed while its refund is to be approved, an overdue order is owed no late fee either', async () => {
  const order = await overdue(40)
  await b.payCash(order, asFen(20000))
  expect((await b.billOf(order)).unpaid).toBeGreaterThan(0)
  await approveFrom('0')
  const closed = await w.t.call(closeOrder, { id: order.id, reason: '业主不再维修' }, w.dispatcher)
  await approveFrom('99999999')
  expect(closed).toMatchObject({ state: 'closed', payState: 'paid' })
  expect(await b.billOf(order)).toMatchObject({ payState: 'paid', unpaid: 0 })
})

it('WO-8: an overdue order of which the late fee alone is paid keeps its cost', async () => {
  const order = await overdue(40)
  await w.t.call(updateEstateSetting, { projectCode, key: 'AllocOrder', value: '1' }, w.owner)
  await b.payCash(order, asFen(100))
  expect((await b.billOf(order)).paidPrincipal).toBe(0)
  const { actions, money } = await read(order)
  expect(money).toMatchObject({ paidTotal: 100 })
  expect(actions.map(a => a.action)).not.toContain('modifyCost')
})
