import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, fromInstant, type Moment } from '#kit/domain/moment.ts'
import {
  acceptOrder,
  arriveOrder,
  dispatchOrder,
  finishOrder,
  resumeOrder,
  suspendOrder,
} from '../contract/order-actions.ts'
import { getOrder } from '../contract/order.ts'
import { markCrossings } from './overtime.ts'
import { openOrderFixture, type OrderFixture } from './order.fixtures.ts'

let fixture: OrderFixture
beforeAll(async () => {
  fixture = await openOrderFixture({ handlerCount: 1 })
})
afterAll(() => fixture.close())

const now = (): Moment => fromInstant(fixture.t.app.clock())

it('WO-3: steps done without a network are in the history at the time when they were done', async () => {
  const { t, dispatcher, handlers } = fixture
  const engineer = defined(handlers[0])
  const { id } = await fixture.register()
  await t.call(dispatchOrder, { id, handlerId: engineer.id }, dispatcher)
  const start = now()
  const at = (minutes: number): Moment => addMinutes(start, minutes)
  await fixture.advance(60)
  const { as } = engineer
  await t.call(acceptOrder, { id, doneTime: at(5) }, as)
  await t.call(arriveOrder, { id, doneTime: at(15) }, as)
  await t.call(suspendOrder, { id, reason: '等待材料', resumeTime: at(40), doneTime: at(20) }, as)
  const after = await t.call(resumeOrder, { id, doneTime: at(50) }, as)
  expect([after.state, after.acceptTime, after.arriveTime]).toEqual(['processing', at(5), at(15)])
  const { records } = await t.call(getOrder, { id }, as)
  const own = records.filter(r => ['accept', 'arrive', 'suspend', 'resume'].includes(r.action))
  expect(own.map(r => r.actionTime).toSorted()).toEqual([at(5), at(15), at(20), at(50)])
})

it('a time in the future, over a day ago or before the previous step is refused with a message', async () => {
  const { t, dispatcher, handlers } = fixture
  const engineer = defined(handlers[0])
  const { id } = await fixture.register()
  await t.call(dispatchOrder, { id, handlerId: engineer.id }, dispatcher)
  const accept = (minutes: number) =>
    t.call(acceptOrder, { id, doneTime: addMinutes(now(), minutes) }, engineer.as)
  await expect(accept(1)).rejects.toThrow('实际时间不能晚于现在')
  await expect(accept(-1441)).rejects.toThrow('实际时间不能早于一天之前')
  await expect(accept(-30)).rejects.toThrow('时间不能早于上一步')
})

it('WO-3: an order that was accepted offline in time is not late when that is uploaded', async () => {
  const { t, dispatcher, handlers } = fixture
  const engineer = defined(handlers[0])
  const type = await fixture.addType({ responseMinutes: 30, finishMinutes: 60 })
  const dispatched = async () => {
    const { id } = await fixture.register({ typeId: type.id })
    await t.call(dispatchOrder, { id, handlerId: engineer.id }, dispatcher)
    return id
  }
  const [early, late] = [await dispatched(), await dispatched()]
  const start = now()
  await fixture.advance(90)
  await t.database.tx(t.ownerId, tx => markCrossings(tx, t.app, t.ownerId))
  const flagsOf = async (id: Id) => {
    const { respOvertime, finishOvertime, records } = await t.call(getOrder, { id }, engineer.as)
    const marks = records.filter(r => r.action === 'overtime').map(r => r.content)
    return { respOvertime, finishOvertime, marks: marks.toSorted((a, b) => (a ?? '').localeCompare(b ?? '')) }
  }
  expect(await flagsOf(early)).toMatchObject({ respOvertime: true, finishOvertime: true })
  await t.call(acceptOrder, { id: early, doneTime: addMinutes(start, 29) }, engineer.as)
  expect(await flagsOf(early)).toEqual({ respOvertime: false, finishOvertime: true, marks: ['完成超时'] })
  await t.call(finishOrder, { id: early, resultText: '已处理', doneTime: addMinutes(start, 59) }, engineer.as)
  expect(await flagsOf(early)).toEqual({ respOvertime: false, finishOvertime: false, marks: [] })
  await t.call(acceptOrder, { id: late, doneTime: addMinutes(start, 31) }, engineer.as)
  expect(await flagsOf(late)).toEqual({
    respOvertime: true,
    finishOvertime: true,
    marks: ['完成超时', '响应超时'].toSorted(),
  })
})
