import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { refusalMessageOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { getBill } from '#modules/bills/contract/bill-detail.ts'
import { payOrderOffline } from '#modules/payments/contract/payment.ts'
import { auditRefund, listRefunds } from '#modules/payments/contract/refund.ts'
import { getRoomPanel } from '#modules/rooms/contract/room-board.ts'
import { golden } from '#db/golden/golden-data.ts'
import { createPaymentOrder, getCharge, listCharges, refundCharge, chargeLines } from '../contract/charge.ts'
import { evaluateOrder, listVisits, saveVisit } from '../contract/evaluation.ts'
import {
  acceptOrder,
  arriveOrder,
  auditOrder,
  cancelOrder,
  checkOrder,
  closeOrder,
  decideClose,
  decideExtension,
  denyOrder,
  dispatchOrder,
  dispatchOrders,
  expediteOrder,
  finishOrder,
  grabOrder,
  modifyCost,
  putOrderState,
  reopenOrder,
  requestExtension,
  resumeOrder,
  suspendOrder,
} from '../contract/order-actions.ts'
import { countOrders, listOrders } from '../contract/order-list.ts'
import {
  findDuplicateOrders,
  findReporters,
  getOrder,
  markOrdersViewed,
  registerRepair,
} from '../contract/order.ts'
import { personConfigs, saveOrderRole, savePersonConfig, setMyDuty } from '../contract/person-config.ts'
import { setFunctionSettings } from '../contract/settings.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { openOrderFixture, projectCode, type OrderFixture } from './order.fixtures.ts'

let w: OrderFixture

beforeAll(async () => {
  w = await openOrderFixture()
})

afterAll(() => w?.close())

const [first, second] = [0, 1]
const handler = (i = first) => defined(w.handlers[i])

/** Given to the first handler and accepted by them. */
async function working(overrides: Parameters<OrderFixture['register']>[0] = {}): Promise<WorkOrder> {
  const order = await w.register(overrides)
  await w.t.call(dispatchOrder, { id: order.id, handlerId: handler().id }, w.dispatcher)
  return w.t.call(acceptOrder, { id: order.id }, handler().as)
}

const finished = async (overrides: Parameters<OrderFixture['register']>[0] = {}): Promise<WorkOrder> => {
  const order = await working(overrides)
  return w.t.call(finishOrder, { id: order.id, resultText: '已处理' }, handler().as)
}

const labour = (price: number) =>
  ({ lineKind: 'labour', name: '上门维修', quantity: '1', price: asFen(price) }) as const

it('C12.1: registered, dispatched, accepted, arrived, suspended, resumed, finished, rated; the history says it all', async () => {
  const order = await working()
  await w.t.call(arriveOrder, { id: order.id, remark: '已到现场' }, handler().as)
  await w.t.call(
    suspendOrder,
    { id: order.id, reason: '等待材料', resumeTime: '2026-11-25 09:00:00' },
    handler().as,
  )
  expect(await w.t.call(getOrder, { id: order.id }, w.front)).toMatchObject({
    state: 'suspended',
    suspendReason: '等待材料',
  })
  await w.t.call(resumeOrder, { id: order.id }, handler().as)
  const done = await w.t.call(finishOrder, { id: order.id, resultText: '已劝阻' }, handler().as)
  expect(done).toMatchObject({ state: 'unrated', resultText: '已劝阻' })
  expect(done.suspendReason).toBeUndefined()
  const rated = await w.t.call(
    evaluateOrder,
    { orderId: order.id, speedScore: 5, attitudeScore: 4, qualityScore: 4 },
    w.front,
  )
  expect(rated).toMatchObject({ score: 4, isDefault: false })
  const detail = await w.t.call(getOrder, { id: order.id }, w.front)
  expect(detail.records.map(r => [r.action, r.fromState, r.toState])).toEqual([
    ['register', undefined, 'waiting'],
    ['dispatch', 'waiting', 'dispatched'],
    ['accept', 'dispatched', 'processing'],
    ['arrive', 'processing', 'processing'],
    ['suspend', 'processing', 'suspended'],
    ['resume', 'suspended', 'processing'],
    ['finish', 'processing', 'unrated'],
    ['evaluate', 'unrated', 'completed'],
  ])
  expect(detail.evaluation).toMatchObject({ score: 4 })
})

it('C12.1: what the state forbids is refused with the state and who may; others than the handler read who that is', async () => {
  const order = await w.register()
  expect(await refusalMessageOf(w.t.call(acceptOrder, { id: order.id }, handler().as))).toBe(
    '工单当前为「待派单」，不能接单；「待接单」时可以接单，由处理人办理',
  )
  await w.t.call(dispatchOrder, { id: order.id, handlerId: handler().id }, w.dispatcher)
  expect(await refusalMessageOf(w.t.call(acceptOrder, { id: order.id }, handler(second).as))).toContain(
    `工单由${handler().name}处理`,
  )
  expect(await refusalMessageOf(w.t.call(grabOrder, { id: order.id }, handler(second).as))).toBe(
    `工单已由${handler().name}接单，请选择其他工单`,
  )
})

it('audited first where its type asks for it; refused only with a reason', async () => {
  const type = await w.addType({ needAudit: true })
  const order = await w.register({ typeId: type.id })
  expect(order.state).toBe('pending')
  expect(
    await refusalTextOf(w.t.call(auditOrder, { id: order.id, isPassed: false }, w.dispatcher)),
  ).toContain('请填写原因')
  expect(
    await w.t.call(auditOrder, { id: order.id, isPassed: false, reason: '不属于物业' }, w.dispatcher),
  ).toMatchObject({ state: 'rejected', endTime: order.registerTime })
  const other = await w.register({ typeId: type.id })
  expect((await w.t.call(auditOrder, { id: other.id, isPassed: true }, w.dispatcher)).state).toBe('waiting')
})

it('a denied order is reported to its dispatcher once, who dispatched it and may dispatch', async () => {
  const order = await w.register()
  await w.t.call(dispatchOrder, { id: order.id, handlerId: handler().id }, w.dispatcher)
  await w.t.call(denyOrder, { id: order.id, reason: '不在现场' }, handler().as)
  const notices = await w.t.database.reader(w.t.ownerId).rows<{ n: number }>(sql`
    select count(*)::int as n
    from notification
    where biz_id = ${order.id} and kind = 'work-orders.denied'
    group by receiver_id
  `)
  expect(notices.length).toBeGreaterThan(1)
  expect(notices.every(row => row.n === 1)).toBe(true)
})

it('C12.1: denied three times, then the supervisor alone dispatches', async () => {
  const order = await w.register()
  for (let i = 0; i < 3; i++) {
    await w.t.call(dispatchOrder, { id: order.id, handlerId: handler().id }, w.dispatcher)
    await w.t.call(denyOrder, { id: order.id, reason: '不在现场' }, handler().as)
  }
  expect(
    await refusalMessageOf(w.t.call(dispatchOrder, { id: order.id, handlerId: handler().id }, w.dispatcher)),
  ).toContain('须由主管派单')
  await w.t.call(dispatchOrder, { id: order.id, handlerId: handler().id }, w.supervisor)
  expect(
    await refusalMessageOf(w.t.call(denyOrder, { id: order.id, reason: '仍不在' }, handler().as)),
  ).toContain('不能再拒单')
})

it('WO-5: T-WO-03 urged twice within minutes the second is refused; the third reaches the supervisors', async () => {
  const order = await working()
  await w.t.call(expediteOrder, { id: order.id }, w.front)
  w.t.advanceClock(5 * 60_000)
  expect(await refusalMessageOf(w.t.call(expediteOrder, { id: order.id }, w.front))).toBe(
    '刚刚催办过，请 5 分钟后再催办',
  )
  const countReceivers = async () =>
    defined(
      await w.t.database.reader(w.t.ownerId).one<{ n: number }>(sql`
        select count(distinct receiver_id)::int as n
        from notification
        where biz_id = ${order.id} and kind = 'work-orders.expedited'
      `),
    ).n
  w.t.advanceClock(10 * 60_000)
  await w.t.call(expediteOrder, { id: order.id }, w.front)
  expect(await countReceivers()).toBe(1)
  w.t.advanceClock(10 * 60_000)
  await w.t.call(expediteOrder, { id: order.id }, w.front)
  expect(await countReceivers()).toBeGreaterThan(1)
  expect((await w.t.call(getOrder, { id: order.id }, w.front)).expediteCount).toBe(3)
})

it('WO-6: an extension is decided by another person; the deadline moves, the first is kept', async () => {
  const type = await w.addType({ finishMinutes: 60 })
  const order = await working({ typeId: type.id })
  const deadline = '2026-11-28 09:00:00'
  expect(
    await refusalTextOf(
      w.t.call(
        requestExtension,
        { id: order.id, deadline: order.registerTime, reason: '材料未到' },
        handler().as,
      ),
    ),
  ).toContain('应晚于')
  await w.t.call(requestExtension, { id: order.id, deadline, reason: '材料未到' }, handler().as)
  const after = await w.t.call(decideExtension, { id: order.id, isPassed: true }, w.supervisor)
  expect(after).toMatchObject({
    finishDeadline: deadline,
    originalFinishDeadline: order.finishDeadline,
    extensionState: 'none',
  })
  expect(
    await refusalMessageOf(w.t.call(decideExtension, { id: order.id, isPassed: true }, w.supervisor)),
  ).toContain('没有待批准的延期申请')
})

it('the requester sends the work back and it is counted; the handler cannot accept it', async () => {
  const type = await w.addType({ needAccept: true })
  const order = await finished({ typeId: type.id })
  expect(order.state).toBe('checking')
  const back = await w.t.call(checkOrder, { id: order.id, isPassed: false, reason: '仍漏水' }, w.front)
  expect(back).toMatchObject({ state: 'processing', reworkCount: 1 })
  await w.t.call(finishOrder, { id: order.id, resultText: '重新处理' }, handler().as)
  expect((await w.t.call(checkOrder, { id: order.id, isPassed: true }, w.front)).state).toBe('unrated')
})

it('C12.1: closed at once before it is accepted; afterwards a second person decides', async () => {
  const waiting = await w.register()
  expect((await w.t.call(closeOrder, { id: waiting.id, reason: '重复登记' }, w.dispatcher)).state).toBe(
    'closed',
  )
  const order = await working()
  expect(await w.t.call(closeOrder, { id: order.id, reason: '业主撤回' }, w.dispatcher)).toMatchObject({
    state: 'processing',
    closeState: 'waiting',
  })
  expect(
    await refusalMessageOf(w.t.call(closeOrder, { id: order.id, reason: '业主撤回' }, w.dispatcher)),
  ).toContain('请勿重复申请')
  expect(await w.t.call(decideClose, { id: order.id, isPassed: true }, w.supervisor)).toMatchObject({
    state: 'closed',
    closeState: 'none',
  })
})

it('who asked for a closing does not decide about it', async () => {
  const order = await working()
  await w.t.call(closeOrder, { id: order.id, reason: '业主撤回' }, w.owner)
  expect(await refusalMessageOf(w.t.call(decideClose, { id: order.id, isPassed: true }, w.owner))).toContain(
    '不能批准自己的申请',
  )
})

it('cancelled by who registered it, before it is accepted', async () => {
  const order = await w.register()
  expect((await w.t.call(cancelOrder, { id: order.id, reason: '不用修了' }, w.front)).state).toBe('cancelled')
  const accepted = await working()
  expect(
    await refusalMessageOf(w.t.call(cancelOrder, { id: accepted.id, reason: '不用修了' }, w.front)),
  ).toContain('由报事人办理')
})

it('WO-10, WO-14: a low score makes a return visit and may be reopened; a handler rates nothing of their own', async () => {
  const order = await finished()
  await w.t.call(
    evaluateOrder,
    { orderId: order.id, speedScore: 2, attitudeScore: 2, qualityScore: 2, content: '没解决' },
    w.front,
  )
  const tasks = (await w.t.call(listVisits, { orderId: [String(order.id)] }, w.owner)).rows
  expect(tasks.map(v => [v.reason, v.state])).toEqual([['mandatory', 'waiting']])
  const reopened = await w.t.call(reopenOrder, { id: order.id, reason: '重新处理' }, w.supervisor)
  expect(reopened).toMatchObject({ state: 'processing', reworkCount: 1 })
  await w.t.call(finishOrder, { id: order.id, resultText: '再次处理' }, handler().as)
  await w.t.call(
    evaluateOrder,
    { orderId: order.id, speedScore: 5, attitudeScore: 5, qualityScore: 5 },
    w.front,
  )
  expect(
    await w.t.call(
      saveVisit,
      { id: defined(tasks[0]).id, result: 'satisfied', content: '满意' },
      w.supervisor,
    ),
  ).toMatchObject({
    state: 'done',
  })
})

it('WO-8: the cost becomes a bill that explains itself; paid, the order goes on; T-WO-04 it is not changed any more', async () => {
  const feeItemId = await w.t.addFeeItem('GDF', { name: '维修费', feeType: 'temporary', multi: true })
  const type = await w.addType({ isCharge: true, feeItemId })
  const order = await working({ typeId: type.id, roomCode: w.roomCode, address: undefined })
  const done = await w.t.call(
    finishOrder,
    {
      id: order.id,
      resultText: '更换角阀',
      lines: [
        labour(3000),
        { lineKind: 'material', name: '角阀', unit: '个', quantity: '2.5', price: asFen(1999) },
      ],
    },
    handler().as,
  )
  expect(done).toMatchObject({
    state: 'unpaid',
    laborCost: 3000,
    materialCost: 4998,
    totalCost: 7998,
    payState: 'unpaid',
  })
  expect(
    await refusalMessageOf(
      w.t.call(
        modifyCost,
        { id: order.id, lines: [labour(3000)], waiveCost: asFen(500), reason: '优惠' },
        handler().as,
      ),
    ),
  ).toContain('减免')
  const changed = await w.t.call(
    modifyCost,
    { id: order.id, lines: [labour(3000)], waiveCost: asFen(500), reason: '优惠' },
    w.supervisor,
  )
  expect(changed).toMatchObject({ totalCost: 2500, waiveCost: 500, state: 'unpaid' })
  const pay = await w.t.call(createPaymentOrder, { orderId: order.id }, w.supervisor)
  expect(pay.amount).toBe(2500)
  expect((await w.t.call(createPaymentOrder, { orderId: order.id }, w.supervisor)).orderNo).toBe(pay.orderNo)
  expect(
    await refusalMessageOf(
      w.t.call(
        modifyCost,
        { id: order.id, lines: [labour(1000)], waiveCost: 0, reason: '改价' },
        w.supervisor,
      ),
    ),
  ).toContain('费用正在支付')
  await w.t.call(
    payOrderOffline,
    { orderNo: pay.orderNo, methods: [{ method: 'cash', amount: asFen(2500) }] },
    w.owner,
  )
  const paid = await w.t.call(getOrder, { id: order.id }, w.front)
  expect(paid).toMatchObject({ state: 'unrated', payState: 'paid' })
  const [charge] = (await w.t.call(listCharges, { orderId: [String(order.id)] }, w.owner)).rows
  expect(charge).toMatchObject({ state: 'paid', paidAmount: 2500, discountAmount: 500 })
  const bill = await w.t.call(getBill, { id: defined(charge?.billId) }, w.owner)
  expect(bill).toMatchObject({
    billSource: 'workOrder',
    refType: 'workOrder',
    refId: order.id,
    receivable: 2500,
  })
  expect(bill.remark).toContain(order.orderNo)
  expect(
    await refusalMessageOf(
      w.t.call(modifyCost, { id: order.id, lines: [labour(1)], waiveCost: 0, reason: '改价' }, w.supervisor),
    ),
  ).toContain('费用已支付')
  expect((await w.t.call(getCharge, { id: defined(charge).id }, w.owner)).lines).toHaveLength(1)
  expect((await w.t.call(chargeLines.list, { orderId: [String(order.id)] }, w.owner)).sum).toMatchObject({
    amount: 3000,
  })
  await w.t.call(refundCharge, { orderId: order.id, reason: '质量问题' }, w.supervisor)
  // REF-3: the refund follows the rules of the cashier, its approval by another person too.
  const [refund] = (await w.t.call(listRefunds, { projectCode, state: ['pending'] }, w.owner)).rows
  if (refund) {
    await w.t.call(auditRefund, { id: refund.id, pass: true }, w.owner)
  }
  const [refunded] = (await w.t.call(listCharges, { orderId: [String(order.id)] }, w.owner)).rows
  expect(refunded?.state).toBe('refunded')
})

it('WO-8: an order that is closed after it was paid gives the money back by the rules of the cashier', async () => {
  const feeItemId = await w.t.addFeeItem('GDC', { name: '维修费二', feeType: 'temporary', multi: true })
  const type = await w.addType({ isCharge: true, feeItemId })
  const order = await working({ typeId: type.id, roomCode: w.roomCode, address: undefined })
  await w.t.call(finishOrder, { id: order.id, resultText: '已更换', lines: [labour(4000)] }, handler().as)
  const pay = await w.t.call(createPaymentOrder, { orderId: order.id }, w.supervisor)
  await w.t.call(
    payOrderOffline,
    { orderNo: pay.orderNo, methods: [{ method: 'cash', amount: asFen(4000) }] },
    w.owner,
  )
  await w.t.call(
    evaluateOrder,
    { orderId: order.id, speedScore: 1, attitudeScore: 1, qualityScore: 1 },
    w.front,
  )
  await w.t.call(reopenOrder, { id: order.id, reason: '仍未修好' }, w.supervisor)
  expect(
    await refusalMessageOf(
      w.t.call(finishOrder, { id: order.id, resultText: '再修', lines: [labour(100)] }, handler().as),
    ),
  ).toContain('费用已支付')
  await w.t.call(closeOrder, { id: order.id, reason: '业主不再修' }, w.dispatcher)
  const closed = await w.t.call(decideClose, { id: order.id, isPassed: true }, w.supervisor)
  expect(closed.state).toBe('closed')
  const refunds = (await w.t.call(listRefunds, { projectCode, size: 50 }, w.owner)).rows
  expect(refunds.filter(r => r.amount === 4000).map(r => r.billAfter)).toEqual(['abolished'])
})

it('WO-8: the bill of an order that is closed unpaid is owed no more', async () => {
  const feeItemId = await w.t.addFeeItem('GDA', { name: '维修费三', feeType: 'temporary', multi: true })
  const type = await w.addType({ isCharge: true, feeItemId })
  const order = await working({ typeId: type.id, roomCode: w.roomCode, address: undefined })
  await w.t.call(finishOrder, { id: order.id, resultText: '已更换', lines: [labour(700)] }, handler().as)
  await w.t.call(createPaymentOrder, { orderId: order.id }, w.supervisor)
  await w.t.call(closeOrder, { id: order.id, reason: '误登记' }, w.dispatcher)
  // The pay order holds the bill for a quarter of an hour.
  expect(
    await refusalMessageOf(w.t.call(decideClose, { id: order.id, isPassed: true }, w.supervisor)),
  ).toContain('费用正在支付')
  await w.advance(16)
  const closed = await w.t.call(decideClose, { id: order.id, isPassed: true }, w.supervisor)
  expect(closed).toMatchObject({ state: 'closed', payState: 'abolished' })
  const [charge] = (await w.t.call(listCharges, { orderId: [String(order.id)] }, w.owner)).rows
  expect(charge?.state).toBe('abolished')
  expect(await w.t.call(getBill, { id: defined(charge?.billId) }, w.owner)).toMatchObject({
    state: 'abolished',
  })
})

it('WO-8: a repeat within the warranty is free; the cost stays to be seen', async () => {
  const type = await w.addType({ warrantyDays: 30, isCharge: true })
  const place = { typeId: type.id, roomCode: w.roomCode, address: undefined }
  await finished(place)
  const order = await working(place)
  expect(order.isWarranty).toBe(true)
  const done = await w.t.call(
    finishOrder,
    { id: order.id, resultText: '免费返修', lines: [labour(5000)] },
    handler().as,
  )
  expect(done).toMatchObject({ state: 'unrated', totalCost: 5000, payState: 'free' })
})

it('WO-7: an open order of the same room and type is hinted at', async () => {
  const type = await w.addType()
  const place = { typeId: type.id, roomCode: w.roomCode }
  const order = await w.register({ ...place, address: undefined })
  const found = await w.t.call(findDuplicateOrders, { projectCode, ...place }, w.front)
  expect(found.map(o => o.orderNo)).toEqual([order.orderNo])
  await w.t.call(closeOrder, { id: order.id, reason: '重复' }, w.dispatcher)
  expect(await w.t.call(findDuplicateOrders, { projectCode, ...place }, w.front)).toEqual([])
})

it('WO-12: what others do is unread until it is read; the views count', async () => {
  const before = (await w.t.call(countOrders, { projectCode }, handler().as)).unread
  const order = await w.register()
  await w.t.call(dispatchOrder, { id: order.id, handlerId: handler().id }, w.dispatcher)
  expect((await w.t.call(countOrders, { projectCode }, handler().as)).unread).toBe(before + 1)
  await w.t.call(markOrdersViewed, { ids: [String(order.id)], isViewed: true }, handler().as)
  expect((await w.t.call(countOrders, { projectCode }, handler().as)).unread).toBe(before)
  // What has ended is news too: the count is that of the list.
  await w.t.call(closeOrder, { id: order.id, reason: '重复' }, w.dispatcher)
  const after = await w.t.call(countOrders, { projectCode }, handler().as)
  const { total } = await w.t.call(listOrders, { projectCode, view: 'unread' }, handler().as)
  expect(after.unread).toBe(before + 1)
  expect(after.views.find(({ view }) => view === 'unread')).toEqual({ view: 'unread', count: total })
})

it('WO-11: an account that sees only its own orders sees those registered, handled or copied to it', async () => {
  const order = await w.register()
  await w.t.call(
    saveOrderRole,
    { roleName: '只看本人', managerIds: [String(handler(second).id)], visibility: 'own' },
    w.owner,
  )
  expect(await refusalMessageOf(w.t.call(getOrder, { id: order.id }, handler(second).as))).toContain(
    '无权查看该工单',
  )
  await w.t.call(
    dispatchOrder,
    { id: order.id, handlerId: handler().id, observerIds: [String(handler(second).id)] },
    w.dispatcher,
  )
  expect((await w.t.call(getOrder, { id: order.id }, handler(second).as)).orderNo).toBe(order.orderNo)
  const seen = await w.t.call(listOrders, { projectCode, size: 100 }, handler(second).as)
  expect(seen.rows.map(o => o.id)).toContain(order.id)
  expect(seen.total).toBeLessThan((await w.t.call(listOrders, { projectCode }, handler().as)).total)
})

it('G-11: of several dispatched at once, one that is not there fails alone', async () => {
  const order = await w.register()
  const ids = [String(order.id), '999999']
  expect(await w.t.call(dispatchOrders, { ids, handlerId: handler().id }, w.dispatcher)).toEqual({
    success: 1,
    fail: 1,
    skipped: 0,
    rows: [{ id: 999_999, reason: '数据不存在或已被删除' }],
  })
})

it('WO-13: who has paused, or is full, is given nothing; the dispatcher reads why', async () => {
  await w.t.call(setMyDuty, { isPaused: true, reason: '午休' }, handler().as)
  const order = await w.register()
  expect(
    await refusalMessageOf(w.t.call(dispatchOrder, { id: order.id, handlerId: handler().id }, w.dispatcher)),
  ).toContain('已暂停接单')
  await w.t.call(setMyDuty, { isPaused: false }, handler().as)
  const type = await w.addType()
  await w.t.call(
    savePersonConfig,
    { projectCode, typeId: type.id, managerIds: [String(handler(second).id)], onlyOnDuty: false, maxOpen: 1 },
    w.owner,
  )
  const narrow = await w.register({ typeId: type.id })
  expect(
    await refusalMessageOf(w.t.call(dispatchOrder, { id: narrow.id, handlerId: handler().id }, w.dispatcher)),
  ).toContain('不在接单人配置内')
  await w.t.call(dispatchOrder, { id: narrow.id, handlerId: handler(second).id }, w.dispatcher)
  const full = await w.register({ typeId: type.id })
  expect(
    await refusalMessageOf(
      w.t.call(dispatchOrder, { id: full.id, handlerId: handler(second).id }, w.dispatcher),
    ),
  ).toContain('已达上限 1 单')
})

it('WO-13: one configuration for several types is saved for all of them, or for none', async () => {
  const types = [await w.addType(), await w.addType()]
  const config = { projectCode, managerIds: [String(handler().id)], onlyOnDuty: false, remark: '多类型' }
  const saved = async () => {
    const { rows } = await w.t.call(personConfigs.list, { keyword: '多类型', size: 50 }, w.owner)
    return rows.map(row => row.typeId).toSorted((a = 0, b = 0) => a - b)
  }
  const ids = types.map(type => String(type.id))
  await expect(
    w.t.call(savePersonConfig, { ...config, typeIds: [...ids, '99999999'] }, w.owner),
  ).rejects.toThrow()
  expect(await saved()).toEqual([])
  const copied = w.typeOf('TS01').id
  await w.t.call(savePersonConfig, { ...config, typeId: copied, typeIds: ids }, w.owner)
  expect(await saved()).toEqual(types.map(type => type.id).toSorted((a, b) => a - b))
})

it('wrong input is refused with a message: 30 photos, no place, a room that is gone, a negative cost, another company', async () => {
  expect(
    await refusalTextOf(w.register({ photos: Array.from({ length: 30 }, (_, i) => `k${i}`) })),
  ).toContain('9')
  expect(await refusalTextOf(w.register({ address: undefined }))).toContain('请选择房屋')
  expect(await refusalTextOf(w.register({ roomCode: 'NOROOM' }))).toBe('房屋不存在或已被删除，请重新选择')
  const order = await working()
  expect(
    await refusalTextOf(
      w.t.call(finishOrder, { id: order.id, resultText: '完成', lines: [labour(-1)] }, handler().as),
    ),
  ).not.toBe('')
  const stranger = await w.t.signedInAs(golden.second.owner)
  expect(await refusalMessageOf(w.t.call(getOrder, { id: order.id }, stranger))).toBe('数据不存在或已被删除')
})

it('PutState leads by the one action to the state, with its right and what it asks for', async () => {
  const order = await w.register()
  await w.t.call(putOrderState, { id: order.id, state: 'dispatched', handlerId: handler().id }, w.dispatcher)
  expect(
    await refusalMessageOf(w.t.call(putOrderState, { id: order.id, state: 'processing' }, w.dispatcher)),
  ).toContain('无权执行此操作')
  expect((await w.t.call(putOrderState, { id: order.id, state: 'processing' }, handler().as)).state).toBe(
    'processing',
  )
  expect(
    await refusalMessageOf(w.t.call(putOrderState, { id: order.id, state: 'cancelled' }, w.front)),
  ).toContain('不能变更为「已取消」')
})

it('the old form registers by the name of a type', async () => {
  const order = await w.t.call(
    registerRepair,
    { projectCode, repairType: '水路维修', content: '水管漏水', address: '1栋' },
    w.front,
  )
  expect(order).toMatchObject({ typeName: '水路维修', source: 'phone' })
})

it('the panel of a room shows its orders; a phone number finds the reporter and their rooms', async () => {
  const room = defined(
    await w.t.database.reader(w.t.ownerId).one<{ id: Id; code: string; mobile: string }>(sql`
      select r.id, r.code, u.mobile
      from room r
      join user_room l on l.owner_id = r.owner_id and l.room_id = r.id and l.delete_tag = 0
      join resident u on u.owner_id = r.owner_id and u.id = l.user_id and u.mobile is not null
      where r.project_code = ${projectCode}
      limit 1
    `),
  )
  await w.register({ roomCode: room.code, address: undefined })
  const panel = await w.t.call(getRoomPanel, { id: room.id }, w.owner)
  expect(panel.sections.find(s => s.key === 'workOrders')).toMatchObject({ title: '工单' })
  const found = await w.t.call(findReporters, { projectCode, phone: room.mobile }, w.owner)
  expect(found.map(r => r.roomCode)).toContain(room.code)
})

it('settings: a switch that is off is kept', async () => {
  await w.t.call(setFunctionSettings, { settings: [{ key: 'duplicateHint', enabled: false }] }, w.owner)
  expect(
    await w.t.call(
      findDuplicateOrders,
      { projectCode, typeId: w.typeOf('TS01').id, roomCode: w.roomCode },
      w.front,
    ),
  ).toEqual([])
})
