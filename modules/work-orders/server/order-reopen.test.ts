import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { listNotifications } from '#modules/system/contract/notification.ts'
import { evaluateOrder, evaluations } from '../contract/evaluation.ts'
import {
  acceptOrder,
  checkOrder,
  dispatchOrder,
  finishOrder,
  putOrderState,
  reopenOrder,
} from '../contract/order-actions.ts'
import { listOrders } from '../contract/order-list.ts'
import { getOrder } from '../contract/order.ts'
import { personConfigs, savePersonConfig, setMyDuty } from '../contract/person-config.ts'
import { setFunctionSettings } from '../contract/settings.ts'
import type { OrderType } from '../contract/order-type.ts'
import { getDealEfficiency, getMyAssessment, getOrderStatistics } from '../contract/statistics.ts'
import { openOrderFixture, projectCode, type OrderFixture } from './order.fixtures.ts'

let w: OrderFixture

beforeAll(async () => {
  w = await openOrderFixture()
})

afterAll(() => w?.close())

const first = () => defined(w.handlers[0])
const second = () => defined(w.handlers[1])

const setAccount = (columns: string) =>
  w.t.database.tx('*', tx => tx.execute(sql`update manager set ${sql.raw(columns)} where id = ${first().id}`))

/** Everybody works, in every project, and nothing is dispatched by itself. */
beforeEach(async () => {
  await setAccount('state = 10, all_project = true')
  await w.t.call(setMyDuty, { isPaused: false }, first().as)
  const { rows } = await w.t.call(personConfigs.list, { projectCode }, w.owner)
  if (rows.length) {
    await w.t.call(
      personConfigs.delete,
      { ids: rows.map(row => String(row.id)), reason: '不再负责' },
      w.owner,
    )
  }
  await autoDispatch(false)
})

const autoDispatch = (enabled: boolean) =>
  w.t.call(setFunctionSettings, { settings: [{ key: 'autoDispatch', enabled }] }, w.owner)

async function finished(more: Partial<OrderType> = {}) {
  const type = await w.addType({ responseMinutes: 30, finishMinutes: 120, ...more })
  const { id } = await w.register({ typeId: type.id })
  await w.t.call(dispatchOrder, { id, handlerId: first().id }, w.dispatcher)
  await w.t.call(acceptOrder, { id }, first().as)
  return w.t.call(finishOrder, { id, resultText: '已处理' }, first().as)
}

async function completed(more: Partial<OrderType> = {}) {
  const { id } = await finished(more)
  const low = { speedScore: 2, attitudeScore: 2, qualityScore: 2 }
  await w.t.call(evaluateOrder, { orderId: id, ...low }, w.front)
  return id
}

const reopen = (id: Awaited<ReturnType<typeof completed>>) =>
  w.t.call(reopenOrder, { id, reason: '仍未修好' }, w.supervisor)

const configure = (config: object) =>
  w.t.call(savePersonConfig, { projectCode, managerIds: [], onlyOnDuty: true, ...config }, w.owner)

const absences = {
  'has left': () => setAccount('state = 20'),
  'takes no orders now': () => w.t.call(setMyDuty, { isPaused: true }, first().as),
  'has the project no more': () => setAccount('all_project = false'),
  'is off duty': async () => {
    await configure({ managerIds: [String(second().id)] })
    await configure({ managerIds: [String(first().id)], shiftBegin: '23:00', shiftEnd: '23:30' })
  },
}

it.each(Object.entries(absences))(
  'C12.1, WO-13: reopened while its handler %s, an order waits for another person',
  async (_, leave) => {
    const id = await completed()
    await leave()
    const reopened = await reopen(id)
    expect(reopened).toMatchObject({ state: 'waiting', reworkCount: 1 })
    expect([reopened.handlerId, reopened.handlerName, reopened.acceptTime]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    // Who gets it next has to respond, and has the whole time to finish.
    expect(reopened.responseDeadline).toBeDefined()
    expect(reopened.finishDeadline).toBeDefined()
    const { records, actions } = await w.t.call(getOrder, { id }, w.supervisor)
    expect(records.at(-1)?.content).toContain(`原处理人${first().name}不能接单`)
    expect(actions.map(a => a.action)).toContain('dispatch')
    const heard = await w.t.call(listNotifications, {}, w.dispatcher)
    expect(heard.rows.some(row => row.title.startsWith('工单重新处理') && row.bizId === id)).toBe(true)
    expect((await w.t.call(dispatchOrder, { id, handlerId: second().id }, w.dispatcher)).state).toBe(
      'dispatched',
    )
  },
)

it('C12.1: reopened while its handler works, an order is theirs again', async () => {
  expect(await reopen(await completed())).toMatchObject({ state: 'processing', handlerId: first().id })
})

it('WO-13: reopened without its handler, an order goes to somebody else by the mode of its type', async () => {
  const id = await completed({ dispatchMode: 'turn' })
  await absences['has left']()
  await autoDispatch(true)
  const reopened = await reopen(id)
  expect(reopened.state).toBe('dispatched')
  expect(reopened.handlerId).not.toBe(first().id)
})

it('C12.1: PutState reopens such an order too', async () => {
  const id = await completed()
  await absences['has left']()
  const after = await w.t.call(putOrderState, { id, state: 'processing', reason: '仍未修好' }, w.owner)
  expect(after.state).toBe('waiting')
})

const rate = (orderId: Awaited<ReturnType<typeof completed>>, score: number) =>
  w.t.call(evaluateOrder, { orderId, speedScore: score, attitudeScore: score, qualityScore: score }, w.front)

/** Handled by another, and rated once more. */
async function ratedAgain(id: Awaited<ReturnType<typeof completed>>, score: number): Promise<void> {
  await w.t.call(dispatchOrder, { id, handlerId: second().id }, w.dispatcher)
  await w.t.call(acceptOrder, { id }, second().as)
  await w.t.call(finishOrder, { id, resultText: '重新处理' }, second().as)
  await rate(id, score)
}

it('WO-10: the rating of an order stays when it is reopened, beside the one that it gets then', async () => {
  const id = await completed()
  await reopen(id)
  const read = () => w.t.call(getOrder, { id }, w.supervisor)
  const open = await read()
  expect([open.evaluation, open.score]).toEqual([undefined, undefined])
  expect(open.earlierEvaluations).toMatchObject([{ score: 2, handlerId: first().id }])
  await ratedAgain(id, 5)
  const done = await read()
  expect(done).toMatchObject({ score: 5, evaluation: { score: 5, handlerId: second().id } })
  // Each is of the handler at the time.
  expect(done.evaluation?.handlerName).not.toBe(open.earlierEvaluations[0]?.handlerName)
  expect(done.earlierEvaluations).toMatchObject([
    { score: 2, handlerName: open.earlierEvaluations[0]?.handlerName },
  ])
  const { rows } = await w.t.call(evaluations.list, { orderId: [String(id)] }, w.owner)
  expect(rows.map(row => [row.score, row.reopenTime !== undefined])).toEqual([
    [5, false],
    [2, true],
  ])
  // Still only the requester changes it, and only the last one.
  expect(await refusalMessageOf(rate(id, 4))).toContain('员工不能修改')
})

it('STAT-10: every real rating counts, each for the handler at the time', async () => {
  const type = await w.addType({})
  const { id } = await w.register({ typeId: type.id })
  await w.t.call(dispatchOrder, { id, handlerId: first().id }, w.dispatcher)
  await w.t.call(acceptOrder, { id }, first().as)
  await w.t.call(finishOrder, { id, resultText: '已处理' }, first().as)
  await rate(id, 2)
  await reopen(id)
  await ratedAgain(id, 5)
  const asked = { projectCode, typeIds: [String(type.id)] }
  const satisfactionOf = async (figures: Promise<readonly { key: string }[]>) =>
    (await figures).find(figure => figure.key === 'satisfaction')
  expect(await satisfactionOf(w.t.call(getOrderStatistics, asked, w.owner))).toMatchObject({
    value: '3.5',
    count: 1,
  })
  expect(await satisfactionOf(w.t.call(getMyAssessment, asked, first().as))).toMatchObject({ value: '2' })
  expect(await satisfactionOf(w.t.call(getMyAssessment, asked, second().as))).toMatchObject({ value: '5' })
  const rows = await w.t.call(getDealEfficiency, { ...asked, by: 'type' }, w.owner)
  expect(rows).toMatchObject([{ score: '3.5' }])
  const listed = (filter: object) =>
    w.t.call(listOrders, { ...filter, typeId: [String(type.id)] }, w.owner).then(page => page.total)
  expect(await listed({ ratedHandlerId: first().id })).toBe(1)
  expect(await listed({ ratedHandlerId: second().id })).toBe(1)
  expect(await listed({ hasRating: false })).toBe(0)
})

const reject = (id: Awaited<ReturnType<typeof completed>>) =>
  w.t.call(checkOrder, { id, isPassed: false, reason: '仍漏水' }, w.supervisor)

it('C12.1: sent back at the check, work waits for another person only where its handler can do none', async () => {
  const withoutProject = await finished({ needAccept: true })
  await absences['has the project no more']()
  expect(await reject(withoutProject.id)).toMatchObject({ state: 'waiting', reworkCount: 1 })
  await setAccount('all_project = true')
  const paused = await finished({ needAccept: true })
  await absences['takes no orders now']()
  expect(await reject(paused.id)).toMatchObject({ state: 'processing', handlerId: first().id })
})
