import { afterAll, beforeAll, expect, it } from 'vitest'
import { keysOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import { asFen } from '#kit/domain/money.ts'
import { Refused } from '#kit/contract/wire.ts'
import type { Database } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { createPaymentOrder, listCharges, refundCharge } from '../contract/charge.ts'
import { orderAction, orderState } from '../contract/choices.ts'
import { evaluateOrder, saveVisit, visits } from '../contract/evaluation.ts'
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
  expediteOrder,
  finishOrder,
  grabOrder,
  modifyCost,
  reopenOrder,
  requestExtension,
  resumeOrder,
  setObservers,
  suspendOrder,
} from '../contract/order-actions.ts'
import { editOrder, getOrder, getOrderLink } from '../contract/order.ts'
import type { OrderType } from '../contract/order-type.ts'
import { evaluateAsResident } from '../contract/resident.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import type { OrderAction } from '../domain/order-actions.ts'
import { openOrderFixture, projectCode, type OrderFixture } from './order.fixtures.ts'

let w: OrderFixture
let type: OrderType
let grabType: OrderType

beforeAll(async () => {
  w = await openOrderFixture()
  const feeItemId = await w.t.addFeeItem('GDM', { name: '维修费', feeType: 'temporary', multi: true })
  type = await w.addType({ isCharge: true, feeItemId, needAudit: true, needAccept: true })
  grabType = await w.addType({ dispatchMode: 'grab' })
})

afterAll(() => w?.close())

class RolledBack extends Error {}

/** A database on which everything happens and nothing stays. */
const withoutCommit = (database: Database): Database => ({
  ...database,
  tx: (ownerId, work) =>
    database.tx(ownerId, async tx => {
      await work(tx)
      throw new RolledBack()
    }),
})

/** Whether the call goes through; nothing of it stays. */
async function isAccepted(action: () => Promise<unknown>): Promise<boolean> {
  const app: { database: Database } = w.t.app
  app.database = withoutCommit(w.t.database)
  try {
    await action()
    throw new Error('the call wrote nothing')
  } catch (error) {
    if (error instanceof RolledBack) return true
    if (error instanceof Refused) return false
    throw error
  } finally {
    app.database = w.t.database
  }
}

const reason = '试验原因'
const handler = (i = 0) => defined(w.handlers[i])
const inHours = (hours: number) => addMinutes(fromInstant(w.t.app.clock()), hours * 60)
const cost = [{ lineKind: 'labour', name: '人工', quantity: '1', price: asFen(3000) }] as const
const scores = { speedScore: 2, attitudeScore: 2, qualityScore: 2 }

/** The call back that waits; where none does, an id that nothing has. */
const waitingVisit = async (orderId: Id): Promise<Id> => {
  const query = { orderId: [String(orderId)], state: ['waiting' as const] }
  const [task] = (await w.t.call(visits.list, query, w.owner)).rows
  return task?.id ?? asId(999_999_999)
}

type Try = (order: WorkOrder, as: CallOptions) => Promise<unknown>

/** How each action is asked for, with input that only the rules of the order can refuse. */
const tries: { readonly [A in OrderAction]?: Try } = {
  edit: ({ id }, as) => w.t.call(editOrder, { id, content: '改后的内容' }, as),
  auditPass: ({ id }, as) => w.t.call(auditOrder, { id, isPassed: true }, as),
  auditRefuse: ({ id }, as) => w.t.call(auditOrder, { id, isPassed: false, reason }, as),
  dispatch: ({ id }, as) => w.t.call(dispatchOrder, { id, handlerId: handler(1).id }, as),
  grab: ({ id }, as) => w.t.call(grabOrder, { id }, as),
  accept: ({ id }, as) => w.t.call(acceptOrder, { id }, as),
  deny: ({ id }, as) => w.t.call(denyOrder, { id, reason }, as),
  arrive: ({ id }, as) => w.t.call(arriveOrder, { id }, as),
  suspend: ({ id }, as) => w.t.call(suspendOrder, { id, reason, resumeTime: inHours(9) }, as),
  resume: ({ id }, as) => w.t.call(resumeOrder, { id }, as),
  requestExtension: ({ id }, as) => w.t.call(requestExtension, { id, deadline: inHours(900), reason }, as),
  extend: ({ id }, as) => w.t.call(decideExtension, { id, isPassed: true }, as),
  refuseExtension: ({ id }, as) => w.t.call(decideExtension, { id, isPassed: false, reason }, as),
  finish: ({ id }, as) => w.t.call(finishOrder, { id, resultText: '已处理' }, as),
  checkPass: ({ id }, as) => w.t.call(checkOrder, { id, isPassed: true }, as),
  checkReject: ({ id }, as) => w.t.call(checkOrder, { id, isPassed: false, reason }, as),
  modifyCost: ({ id }, as) => w.t.call(modifyCost, { id, lines: [...cost], waiveCost: 0, reason }, as),
  pay: ({ id: orderId }, as) => w.t.call(createPaymentOrder, { orderId }, as),
  refund: ({ id: orderId }, as) => w.t.call(refundCharge, { orderId, reason }, as),
  expedite: ({ id }, as) => w.t.call(expediteOrder, { id }, as),
  evaluate: ({ id: orderId }, as) => w.t.call(evaluateOrder, { orderId, ...scores }, as),
  visit: async ({ id }, as) =>
    w.t.call(saveVisit, { id: await waitingVisit(id), result: 'satisfied', content: '已回访' }, as),
  refuseClose: ({ id }, as) => w.t.call(decideClose, { id, isPassed: false, reason }, as),
  close: ({ id }, as) => w.t.call(closeOrder, { id, reason }, as),
  cancel: ({ id }, as) => w.t.call(cancelOrder, { id, reason }, as),
  reopen: ({ id }, as) => w.t.call(reopenOrder, { id, reason }, as),
  note: ({ id }, as) => w.t.call(setObservers, { id, observerIds: [String(handler(1).id)] }, as),
}

type Step = (id: Id) => Promise<unknown>

const register = () => w.register({ typeId: type.id, roomCode: w.roomCode, address: undefined })
const audit: Step = id => w.t.call(auditOrder, { id, isPassed: true }, w.dispatcher)
const dispatch: Step = id => w.t.call(dispatchOrder, { id, handlerId: handler().id }, w.dispatcher)
const accept: Step = id => w.t.call(acceptOrder, { id }, handler().as)
const finish: Step = id => w.t.call(finishOrder, { id, resultText: '已处理', lines: [...cost] }, handler().as)
const pass: Step = id => w.t.call(checkOrder, { id, isPassed: true }, w.supervisor)
const suspend: Step = id => defined(tries.suspend)({ ...blank, id }, handler().as)
const rate: Step = orderId => w.t.call(evaluateOrder, { orderId, ...scores }, w.front)
const changeRating: Step = async id => {
  const { token } = await w.t.call(getOrderLink, { id }, w.owner)
  return w.t.call(evaluateAsResident, { token, ...scores })
}
const approveFrom = (value: string) =>
  w.t.call(updateEstateSetting, { projectCode, key: 'RefundAuditFrom', value }, w.owner)
const askBack: Step = async orderId => w.t.call(refundCharge, { orderId, reason }, w.supervisor)
const refundPayment: Step = async orderId => {
  await approveFrom('99999999')
  await w.t.call(refundCharge, { orderId, reason }, w.supervisor)
  await approveFrom('0')
}

async function pay(orderId: Id): Promise<void> {
  const [owed] = (await w.t.call(listCharges, { orderId: [String(orderId)] }, w.owner)).rows
  await w.t.call(
    payBills,
    {
      projectCode,
      billIds: [String(defined(owed).billId)],
      expectAmount: asFen(3000),
      methods: [{ method: 'cash', amount: asFen(3000) }],
    },
    w.owner,
  )
}

async function denyThrice(id: Id): Promise<void> {
  for (let i = 0; i < 3; i++) {
    await dispatch(id)
    await w.t.call(denyOrder, { id, reason }, handler().as)
  }
}

let blank: WorkOrder

/** Ways that lead an order to each state, and to what changes the answer within one. */
const stepsByState: Readonly<Record<string, readonly Step[]>> = {
  pending: [],
  rejected: [id => w.t.call(auditOrder, { id, isPassed: false, reason }, w.dispatcher)],
  cancelled: [id => w.t.call(cancelOrder, { id, reason }, w.front)],
  waiting: [audit],
  'waiting, denied three times': [audit, denyThrice],
  closed: [audit, id => w.t.call(closeOrder, { id, reason }, w.dispatcher)],
  dispatched: [audit, dispatch],
  'dispatched, denied three times': [
    audit,
    denyThrice,
    id => w.t.call(dispatchOrder, { id, handlerId: handler().id }, w.supervisor),
  ],
  processing: [audit, dispatch, accept],
  'processing, arrived': [audit, dispatch, accept, id => w.t.call(arriveOrder, { id }, handler().as)],
  'processing, extension asked': [
    audit,
    dispatch,
    accept,
    id => w.t.call(requestExtension, { id, deadline: inHours(900), reason }, handler().as),
  ],
  'processing, close asked': [
    audit,
    dispatch,
    accept,
    id => w.t.call(closeOrder, { id, reason }, w.dispatcher),
  ],
  suspended: [audit, dispatch, accept, suspend],
  checking: [audit, dispatch, accept, finish],
  unpaid: [audit, dispatch, accept, finish, pass],
  unrated: [audit, dispatch, accept, finish, pass, pay],
  completed: [audit, dispatch, accept, finish, pass, pay, rate],
  'completed, rated and changed': [audit, dispatch, accept, finish, pass, pay, rate, changeRating],
  'unrated, refund asked': [audit, dispatch, accept, finish, pass, pay, askBack],
  'unrated, given back': [audit, dispatch, accept, finish, pass, pay, refundPayment],
}

const roles = (): readonly (readonly [string, CallOptions])[] => [
  ['front', w.front],
  ['dispatcher', w.dispatcher],
  ['supervisor', w.supervisor],
  ['handler', handler(0).as],
  ['other handler', handler(1).as],
  ['owner', w.owner],
]

/** What is offered beside what the calls accept, by role. */
async function compare(order: WorkOrder): Promise<void> {
  for (const [role, as] of roles()) {
    const detail = await w.t.call(getOrder, { id: order.id }, as)
    const offered = detail.actions.map(a => a.action).toSorted()
    const accepted: OrderAction[] = []
    for (const action of keysOf(orderAction)) {
      const attempt = tries[action]
      if (attempt && (await isAccepted(() => attempt(order, as)))) {
        accepted.push(action)
      }
    }
    expect([detail.state, role, offered]).toEqual([detail.state, role, accepted.toSorted()])
  }
}

it.each(Object.entries(stepsByState))(
  'C12.1: of an order that is %s everybody is offered what the calls accept, no more, no less',
  async (name, steps) => {
    const order = await register()
    blank = order
    for (const step of steps) {
      await step(order.id)
    }
    expect((await w.t.call(getOrder, { id: order.id }, w.owner)).state).toBe(name.split(',')[0])
    await compare(order)
  },
  60_000,
)

it('every state is among the ways', () => {
  const states = new Set(Object.keys(stepsByState).map(name => name.split(',')[0]))
  expect(states).toEqual(new Set(keysOf(orderState)))
})

it('C12.1: an order of a type that is grabbed is offered to those who may have it', async () => {
  const order = await w.register({ typeId: grabType.id })
  const offers = async (as: CallOptions) =>
    (await w.t.call(getOrder, { id: order.id }, as)).actions.some(a => a.action === 'grab')
  expect(await Promise.all([handler().as, w.front, w.dispatcher].map(offers))).toEqual([true, false, false])
  await compare(order)
})
