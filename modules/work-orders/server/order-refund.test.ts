import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import { asFen } from '#kit/domain/money.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { auditRefund, listRefunds } from '#modules/payments/contract/refund.ts'
import { createPaymentOrder, listCharges, refundCharge } from '../contract/charge.ts'
import {
  acceptOrder,
  cancelOrder,
  closeOrder,
  decideClose,
  denyOrder,
  dispatchOrder,
  finishOrder,
  modifyCost,
  reopenOrder,
  requestExtension,
} from '../contract/order-actions.ts'
import { evaluateOrder } from '../contract/evaluation.ts'
import { listOrders } from '../contract/order-list.ts'
import { getOrder } from '../contract/order.ts'
import { setFunctionSettings } from '../contract/settings.ts'
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

const read = (order: WorkOrder) => w.t.call(getOrder, { id: order.id }, w.front)

const lastRecord = async (order: WorkOrder) => (await read(order)).records.at(-1)?.content

const close = (order: WorkOrder) =>
  w.t.call(closeOrder, { id: order.id, reason: '业主不再维修' }, w.dispatcher)

const askToClose = (enabled: boolean) =>
  w.t.call(setFunctionSettings, { settings: [{ key: 'closeApproval', enabled }] }, w.owner)

const changeCost = (order: WorkOrder, price: number) =>
  w.t.call(
    modifyCost,
    { id: order.id, lines: [labour(asFen(price))], waiveCost: asFen(0), reason: '核对后改价' },
    w.supervisor,
  )

/** Finished for 50.00, 20.00 of it paid and refunded, the bill owed again. */
async function owedAgain() {
  const order = await b.finished(asFen(5000))
  const { recordId } = await b.payCash(order, asFen(2000))
  await b.refund(recordId, 'owed')
  return order
}

it('WO-8: part of a payment refunded, the bill owed again, the cost is owed again and can be paid', async () => {
  const order = await owedAgain()
  expect(await b.chargeOf(order)).toMatchObject({ state: 'unpaid', paidAmount: 0 })
  expect(await read(order)).toMatchObject({ state: 'unpaid', payState: 'unpaid' })
  expect((await w.t.call(createPaymentOrder, { orderId: order.id }, w.supervisor)).amount).toBe(5000)
})

it('WO-8: a cost that is changed after such a refund leaves one bill', async () => {
  const order = await owedAgain()
  await changeCost(order, 4000)
  expect(await b.liveBills(order)).toMatchObject([{ amount: '40.00' }])
  expect((await w.t.call(listCharges, { orderId: [String(order.id)] }, w.owner)).total).toBe(1)
})

it('WO-8: an order that is closed after such a refund is owed no more', async () => {
  const order = await owedAgain()
  expect(await close(order)).toMatchObject({ state: 'closed', payState: 'abolished' })
  expect(await b.liveBills(order)).toEqual([])
})

it('WO-8: of a cost that was paid, the part that was refunded is due', async () => {
  const order = await b.finished(asFen(5000))
  const { recordId } = await b.payCash(order, asFen(5000))
  await b.refund(recordId, 'owed', asFen(2000))
  expect(await b.chargeOf(order)).toMatchObject({ state: 'unpaid', paidAmount: 3000 })
  expect(await lastRecord(order)).toBe('费用已退款，恢复欠费：已付 30.00 元，尚欠 20.00 元')
  const { sum } = await w.t.call(listCharges, { orderId: [String(order.id)] }, w.owner)
  expect(sum).toMatchObject({ amount: 5000, paidAmount: 3000 })
  expect((await w.t.call(createPaymentOrder, { orderId: order.id }, w.supervisor)).amount).toBe(2000)
})

it('WO-8: part of a cost that is paid shows, and holds the cost until it is refunded', async () => {
  const order = await b.finished(asFen(5000))
  await b.payCash(order, asFen(2000))
  expect(await b.chargeOf(order)).toMatchObject({ state: 'unpaid', paidAmount: 2000 })
  expect(await lastRecord(order)).toBe('已付 20.00 元，尚欠 30.00 元')
  expect(await refusalMessageOf(changeCost(order, 4000))).toContain('费用已部分支付')
  const { actions } = await w.t.call(getOrder, { id: order.id }, w.supervisor)
  expect(actions.map(a => a.action)).not.toContain('modifyCost')
  expect(actions.map(a => a.action)).toContain('refund')
})

it('WO-8: closed after two payments, the order gives both back and its bill goes with the last', async () => {
  const order = await b.finished(asFen(5000))
  await b.payCash(order, asFen(2000))
  await b.payCash(order, asFen(1000))
  expect(await close(order)).toMatchObject({ state: 'closed', payState: 'refunded' })
  expect(await b.liveBills(order)).toEqual([])
  expect(await b.chargeOf(order)).toMatchObject({ state: 'refunded', paidAmount: 0 })
})

it('WO-8: refunded whole with its bill, an order that waited for its payment goes on', async () => {
  const order = await b.finished(asFen(5000))
  const { recordId } = await b.payCash(order, asFen(2000))
  await b.refund(recordId, 'abolished')
  expect(await b.chargeOf(order)).toMatchObject({ state: 'refunded' })
  expect(await read(order)).toMatchObject({ state: 'unrated', payState: 'refunded' })
})

it('WO-8: an order whose bill is kept as paid without its money can be closed', async () => {
  const order = await b.finished(asFen(5000))
  const { recordId } = await b.payCash(order, asFen(2000))
  await b.refund(recordId, 'kept')
  expect(await close(order)).toMatchObject({ state: 'closed' })
  expect(await b.liveBills(order)).toEqual([])
})

it('WO-8: worked on again after its cost was refunded, an order has the lines of its new cost alone', async () => {
  const order = await b.finished(asFen(5000))
  const { recordId } = await b.payCash(order, asFen(5000))
  await w.t.call(
    evaluateOrder,
    { orderId: order.id, speedScore: 1, attitudeScore: 1, qualityScore: 1 },
    w.front,
  )
  await b.refund(recordId, 'abolished')
  await w.t.call(reopenOrder, { id: order.id, reason: '仍未修好' }, w.supervisor)
  const work = { id: order.id, resultText: '再修', lines: [labour(asFen(900))] }
  await w.t.call(finishOrder, work, defined(w.handlers[0]).as)
  const detail = await read(order)
  expect(detail.chargeLines.map(line => line.amount)).toEqual([900])
  expect(detail.charges.map(c => c.state)).toEqual(['unpaid', 'refunded'])
})

it('WO-8: cancelled when it waits for another person, a reopened order refunds what was paid', async () => {
  const order = await b.finished(asFen(5000))
  await b.payCash(order, asFen(5000))
  const low = { speedScore: 1, attitudeScore: 1, qualityScore: 1 }
  await w.t.call(evaluateOrder, { orderId: order.id, ...low }, w.front)
  await w.t.call(reopenOrder, { id: order.id, reason: '仍未修好' }, w.supervisor)
  await w.t.call(denyOrder, { id: order.id, reason: '手头工单较多' }, defined(w.handlers[0]).as)
  const cancelled = await w.t.call(cancelOrder, { id: order.id, reason: '业主不再维修' }, w.front)
  expect(cancelled).toMatchObject({ state: 'cancelled', payState: 'refunded' })
  expect(await b.chargeOf(order)).toMatchObject({ state: 'refunded', paidAmount: 0 })
  expect(await b.liveBills(order)).toEqual([])
})

it('C12.1: paid while its closing is asked for, an order goes on without the request', async () => {
  await askToClose(true)
  const order = await b.finished(asFen(5000))
  expect(await close(order)).toMatchObject({ state: 'unpaid', closeState: 'waiting' })
  await b.payCash(order, asFen(5000))
  const after = await read(order)
  expect(after).toMatchObject({ state: 'unrated', closeState: 'none' })
  expect(after.records.slice(-2)).toMatchObject([
    { action: 'pay', toState: 'unrated' },
    { action: 'note', fromState: 'unrated', content: '关闭申请未批准即失效：工单已为「待评价」' },
  ])
  await askToClose(false)
})

it('WO-6: finished while its extension is asked for, an order says that the request has lapsed', async () => {
  const type = await w.addType({ finishMinutes: 60 })
  const { id } = await w.register({ typeId: type.id })
  const own = defined(w.handlers[0])
  await w.t.call(dispatchOrder, { id, handlerId: own.id }, w.dispatcher)
  await w.t.call(acceptOrder, { id }, own.as)
  const deadline = addMinutes(fromInstant(w.t.app.clock()), 600)
  await w.t.call(requestExtension, { id, deadline, reason: '等待材料' }, own.as)
  await w.t.call(finishOrder, { id, resultText: '已处理' }, own.as)
  const { records, extensionState } = await w.t.call(getOrder, { id }, w.front)
  expect(extensionState).toBe('none')
  expect(records.at(-1)?.content).toBe('延期申请未批准即失效：工单已为「待评价」')
})

it('C12.1: given to another person while its closing is asked for, an order can still be refused it', async () => {
  await askToClose(true)
  const { id } = await w.register()
  await w.t.call(dispatchOrder, { id, handlerId: defined(w.handlers[0]).id }, w.dispatcher)
  await w.t.call(acceptOrder, { id }, defined(w.handlers[0]).as)
  await w.t.call(closeOrder, { id, reason: '业主不再维修' }, w.dispatcher)
  await w.t.call(dispatchOrder, { id, handlerId: defined(w.handlers[1]).id }, w.dispatcher)
  const decided = await w.t.call(decideClose, { id, isPassed: false, reason: '继续处理' }, w.supervisor)
  expect(decided).toMatchObject({ state: 'dispatched', closeState: 'none' })
  await askToClose(false)
})

it('C12.1: an order of which a part is paid can be closed when that is approved', async () => {
  await askToClose(true)
  const order = await b.finished(asFen(5000))
  await b.payCash(order, asFen(2000))
  await close(order)
  const closed = await w.t.call(decideClose, { id: order.id, isPassed: true }, w.supervisor)
  expect(closed).toMatchObject({ state: 'closed', payState: 'refunded' })
  await askToClose(false)
})

/** Part of it paid, closed while a refund has to be approved: the closed order and what is asked back. */
async function closedWaiting() {
  const order = await b.finished(asFen(5000))
  const { recordId } = await b.payCash(order, asFen(2000))
  await approveFrom('0')
  const closed = await close(order)
  await approveFrom('99999999')
  const { rows } = await w.t.call(listRefunds, { recordId: [String(recordId)] }, w.owner)
  return { order, closed, refund: defined(rows[0]) }
}

const approveFrom = (value: string) =>
  w.t.call(updateEstateSetting, { projectCode, key: 'RefundAuditFrom', value }, w.owner)

it('WO-8, REF-3: closed while its refund is to be approved, an order is owed nothing more; then it is refunded', async () => {
  const { order, closed, refund } = await closedWaiting()
  expect(closed).toMatchObject({ state: 'closed', payState: 'paid' })
  expect(refund).toMatchObject({ state: 'pending', amount: 2000, billAfter: 'abolished' })
  expect(await b.billOf(order)).toMatchObject({ payState: 'paid', unpaid: 0, discountAmount: 3000 })
  await w.t.call(auditRefund, { id: refund.id, pass: true }, w.owner)
  expect(await b.liveBills(order)).toEqual([])
  const [charge] = (await w.t.call(listCharges, { orderId: [String(order.id)] }, w.owner)).rows
  expect(charge).toMatchObject({ state: 'refunded', paidAmount: 0 })
  expect(await read(order)).toMatchObject({ state: 'closed', payState: 'refunded' })
})

it('WO-8, REF-3: is the refund of a closed order refused, what was paid is kept and no more is owed', async () => {
  const { order, refund } = await closedWaiting()
  await w.t.call(auditRefund, { id: refund.id, pass: false, note: '已上门，不退' }, w.owner)
  expect(await b.chargeOf(order)).toMatchObject({ state: 'paid', amount: 2000, paidAmount: 2000 })
  expect(await b.billOf(order)).toMatchObject({ payState: 'paid', unpaid: 0 })
  expect(await read(order)).toMatchObject({ state: 'closed', payState: 'paid' })
})

it('WO-8, REF-3: a refund that waits for its approval is not offered again; the order names it', async () => {
  const order = await b.finished(asFen(5000))
  await b.payCash(order, asFen(5000))
  const ask = () => w.t.call(refundCharge, { orderId: order.id, reason: '服务未完成' }, w.supervisor)
  const offered = async () => {
    const { actions, money } = await w.t.call(getOrder, { id: order.id }, w.supervisor)
    return { isOffered: actions.some(a => a.action === 'refund'), refunds: money?.refunds }
  }
  expect(await offered()).toEqual({ isOffered: true, refunds: [] })
  await approveFrom('0')
  await ask()
  await approveFrom('99999999')
  const { id, refundNo } = defined((await w.t.call(listRefunds, {}, w.owner)).rows[0])
  expect(await offered()).toEqual({
    isOffered: false,
    refunds: [expect.objectContaining({ refundNo, state: 'pending', amount: 5000 })],
  })
  expect(await b.chargeOf(order)).toMatchObject({ state: 'paid', refundingAmount: 5000, refundNo })
  expect(await refusalMessageOf(ask())).toBe(`已申请退款（${refundNo} 待审核），请勿重复申请`)
  await w.t.call(auditRefund, { id, pass: false, note: '已上门，不退' }, w.owner)
  expect(await offered()).toEqual({ isOffered: true, refunds: [] })
  const { records } = await w.t.call(getOrder, { id: order.id }, w.supervisor)
  const note = records.findLast(record => record.action === 'note')
  expect(note?.content).toBe(`退款 ${refundNo} 已驳回：已上门，不退`)
})

/** Paid in two parts and asked back, for somebody to approve; the order in which they are. */
async function askedBackInParts(amounts: readonly [number, number]) {
  const order = await b.finished(asFen(5000))
  for (const amount of amounts) {
    await b.payCash(order, asFen(amount))
  }
  await approveFrom('0')
  await w.t.call(refundCharge, { orderId: order.id, reason: '服务未完成' }, w.supervisor)
  await approveFrom('99999999')
  const { rows } = await w.t.call(listRefunds, { state: ['pending'] }, w.owner)
  const [newest, oldest] = rows.map(({ id }) => id)
  return { order, newest: defined(newest), oldest: defined(oldest) }
}

const approve = (id: Id) => w.t.call(auditRefund, { id, pass: true }, w.owner)

it.each(['oldest', 'newest'] as const)(
  'REF-2: paid in two parts, a cost is refunded whichever is approved first, here the %s; nobody is asked to pay',
  async first => {
    const { order, ...refunds } = await askedBackInParts([2000, 3000])
    await approve(refunds[first])
    expect(await read(order)).toMatchObject({ state: 'unrated', payState: 'paid' })
    const pay = w.t.call(createPaymentOrder, { orderId: order.id }, w.supervisor)
    expect(await refusalMessageOf(pay)).toBe('工单费用已支付')
    await approve(first === 'oldest' ? refunds.newest : refunds.oldest)
    expect(await b.liveBills(order)).toEqual([])
    expect(await b.chargeOf(order)).toMatchObject({
      state: 'refunded',
      amount: 5000,
      discountAmount: 0,
      paidAmount: 0,
    })
    expect(await b.billOf(order)).toMatchObject({ state: 'abolished', discountAmount: 0, paidPrincipal: 0 })
    expect(await read(order)).toMatchObject({ state: 'unrated', payState: 'refunded', totalCost: 5000 })
  },
)

it('REF-2: is the second refund refused, what is kept is paid and no more is owed', async () => {
  const { order, newest, oldest } = await askedBackInParts([2000, 3000])
  await approve(oldest)
  await w.t.call(auditRefund, { id: newest, pass: false, note: '已上门，不退' }, w.owner)
  expect(await b.chargeOf(order)).toMatchObject({ state: 'paid', amount: 3000, paidAmount: 3000 })
  expect(await read(order)).toMatchObject({ state: 'unrated', payState: 'paid', totalCost: 3000 })
})

it('WO-8: the rest of a cost is not asked for while what was paid of it is being refunded', async () => {
  const { order, newest, oldest } = await askedBackInParts([2000, 1000])
  const offered = async () =>
    (await w.t.call(getOrder, { id: order.id }, w.supervisor)).actions.map(({ action }) => action)
  const pay = () => w.t.call(createPaymentOrder, { orderId: order.id }, w.supervisor)
  expect(await offered()).not.toContain('pay')
  expect(await refusalMessageOf(pay())).toMatch(/^已申请退款（.* 待审核、.* 待审核），退款办结后才能收款$/)
  await approve(newest)
  expect(await offered()).not.toContain('pay')
  await approve(oldest)
  expect(await b.liveBills(order)).toEqual([])
  expect(await b.chargeOf(order)).toMatchObject({ state: 'refunded', amount: 5000, paidAmount: 0 })
  expect(await read(order)).toMatchObject({ state: 'unrated', payState: 'refunded' })
})

it('WO-8: the sum of a list counts what is owed or paid; not what a warranty covers or nobody owes', async () => {
  const paid = await b.finished(asFen(3000), { warrantyDays: 30 })
  await b.payCash(paid, asFen(3000))
  const covered = await b.finishedOf(paid.typeId, asFen(5000))
  const closed = await b.finished(asFen(700))
  await close(closed)
  const typeId = [paid, closed].map(order => String(order.typeId))
  const found = await w.t.call(listOrders, { typeId }, w.owner)
  expect(found.sum).toMatchObject({ payableCost: 3000 })
  expect(found.rows.find(row => row.id === covered.id)).toMatchObject({ totalCost: 5000, payableCost: 0 })
})
