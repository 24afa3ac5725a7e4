import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { addDays } from '#kit/domain/day.ts'
import { addMinutes, dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { asFen } from '#kit/domain/money.ts'
import { addHolidays } from '#modules/system/contract/holiday.ts'
import {
  acceptOrder,
  checkOrder,
  decideExtension,
  dispatchOrder,
  expediteOrder,
  finishOrder,
  requestExtension,
} from '../contract/order-actions.ts'
import { editOrder, getOrder } from '../contract/order.ts'
import type { OrderType } from '../contract/order-type.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { labour, openBillFixture, type BillFixture } from './order-bill.fixtures.ts'
import type { OrderFixture } from './order.fixtures.ts'

let b: BillFixture
let w: OrderFixture
/** With a warranty of 30 days that an order of the room has started, and without any. */
let covered: OrderType
let plain: OrderType

beforeAll(async () => {
  b = await openBillFixture()
  w = b.w
  plain = await w.addType({ isCharge: true, needAccept: true })
  covered = await w.addType({ isCharge: true, warrantyDays: 30 })
  const first = await working(covered)
  await w.t.call(finishOrder, { id: first.id, resultText: '已更换' }, handler().as)
  await w.advance(5)
})

afterAll(() => w?.close())

const handler = () => defined(w.handlers[0])

const registered = (type: OrderType): Promise<WorkOrder> =>
  w.register({ typeId: type.id, roomCode: w.roomCode, address: undefined })

async function working(type: OrderType): Promise<WorkOrder> {
  const { id } = await registered(type)
  await w.t.call(dispatchOrder, { id, handlerId: handler().id }, w.dispatcher)
  return w.t.call(acceptOrder, { id }, handler().as)
}

const editType = (order: WorkOrder, type: OrderType): Promise<WorkOrder> =>
  w.t.call(editOrder, { id: order.id, typeId: type.id }, w.owner)

const finish = (order: WorkOrder): Promise<WorkOrder> =>
  w.t.call(finishOrder, { id: order.id, resultText: '已更换', lines: [labour(asFen(5919))] }, handler().as)

it('WO-8: changed to a type without warranty, an order is charged', async () => {
  const order = await working(covered)
  expect(order.isWarranty).toBe(true)
  const edited = await editType(order, plain)
  expect(edited.isWarranty).toBe(false)
  expect(edited.relatedOrderId).toBeUndefined()
  expect(await finish(order)).toMatchObject({ state: 'checking', payState: 'unpaid' })
})

it('WO-8: changed to a type whose warranty covers it, an order is free', async () => {
  const order = await working(plain)
  const edited = await editType(order, covered)
  expect(edited.isWarranty).toBe(true)
  expect(edited.relatedOrderId).toBeDefined()
  expect(await finish(order)).toMatchObject({ state: 'unrated', payState: 'free' })
})

it('WO-8: a cost that was saved before the type is changed follows the new warranty', async () => {
  const order = await working(plain)
  await finish(order)
  await w.t.call(checkOrder, { id: order.id, isPassed: false, reason: '仍然漏水' }, w.supervisor)
  expect(await editType(order, covered)).toMatchObject({ isWarranty: true, payState: 'free' })
  expect(await b.chargeOf(order)).toMatchObject({ amount: 0, state: 'free' })
})

it('WO-8: a change of the level alone leaves the warranty as it is', async () => {
  const order = await registered(covered)
  const edited = await w.t.call(editOrder, { id: order.id, level: 'urgent' }, w.owner)
  expect(edited).toMatchObject({ isWarranty: true, relatedOrderId: order.relatedOrderId })
})

async function extend(order: WorkOrder, minutes: number): Promise<WorkOrder> {
  const deadline = addMinutes(fromInstant(w.t.app.clock()), minutes)
  await w.t.call(requestExtension, { id: order.id, deadline, reason: '等待材料' }, handler().as)
  return w.t.call(decideExtension, { id: order.id, isPassed: true }, w.supervisor)
}

it('WO-2: a change of the content leaves the deadlines where a calendar that was changed since would not', async () => {
  const type = await w.addType({ is24h: false, workdaysOnly: true, finishMinutes: 1200 })
  const order = await registered(type)
  const holidayDate = addDays(dayOfMoment(defined(order.finishDeadline)), -1)
  await w.t.call(addHolidays, { holidayDate, holidayName: '停工', dayType: 'own' }, w.owner)
  const edited = await w.t.call(editOrder, { id: order.id, content: '改后的内容' }, w.owner)
  const { finishDeadline, nextDeadline } = order
  expect(edited).toMatchObject({ finishDeadline, nextDeadline })
  await w.t.call(expediteOrder, { id: order.id }, w.front)
  expect(await w.t.call(getOrder, { id: order.id }, w.front)).toMatchObject({ finishDeadline })
})

it('WO-6: extended twice, an order keeps its first deadline through a change of its type', async () => {
  const order = await working(await w.addType({ finishMinutes: 60 }))
  await extend(order, 120)
  const extended = await extend(order, 240)
  expect(extended.originalFinishDeadline).toBe(order.finishDeadline)
  const edited = await editType(order, plain)
  expect(edited.originalFinishDeadline).toBe(order.finishDeadline)
})

it('what is emptied by an edit is empty afterwards', async () => {
  const order = await w.register({ typeId: plain.id, title: '漏水', reporterName: '王芳' })
  const { id, version, typeId, level, content } = order
  const edited = await w.t.call(editOrder, { id, version, typeId, level, content }, w.owner)
  expect(edited.title).toBeUndefined()
  expect(edited.reporterName).toBeUndefined()
  expect(edited.content).toBe(content)
})
