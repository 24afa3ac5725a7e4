import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { weekday } from '#kit/domain/day.ts'
import { addMinutes, dayOfMoment, fromInstant, timeOf, type Moment } from '#kit/domain/moment.ts'
import { asFen } from '#kit/domain/money.ts'
import { Refused } from '#kit/contract/wire.ts'
import { evaluateOrder } from '../contract/evaluation.ts'
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
  suspendOrder,
} from '../contract/order-actions.ts'
import { getOrder } from '../contract/order.ts'
import type { OrderType } from '../contract/order-type.ts'
import { openOrderFixture, type OrderFixture } from './order.fixtures.ts'
import { isInTable } from './state-table.fixtures.ts'

let w: OrderFixture
let type: OrderType

beforeAll(async () => {
  w = await openOrderFixture()
  type = await w.addType({
    is24h: false,
    workdaysOnly: true,
    serviceBegin: '08:00',
    serviceEnd: '20:00',
    needAudit: true,
    needAccept: true,
    responseMinutes: 45,
    arriveMinutes: 90,
    finishMinutes: 600,
  })
})

afterAll(() => w?.close())

/** A small generator, so that a failure can be run again by its seed. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const reason = '试验原因'
const now = (): Moment => fromInstant(w.t.app.clock())
const handler = (i: number) => defined(w.handlers[i % w.handlers.length])

type ModelAction = (id: Awaited<ReturnType<OrderFixture['register']>>['id'], pick: number) => Promise<unknown>

/** Whatever anybody may try, whatever the account. */
const listActions = (): readonly ModelAction[] => {
  const by = (pick: number) =>
    [w.front, w.dispatcher, w.supervisor, handler(0).as, handler(1).as, w.owner][pick % 6]
  const own = (pick: number) => handler(pick).as
  return [
    (id, p) => w.t.call(auditOrder, { id, isPassed: p % 9 > 0, reason }, by(p)),
    (id, p) => w.t.call(dispatchOrder, { id, handlerId: handler(p).id }, p % 2 ? w.dispatcher : w.supervisor),
    (id, p) => w.t.call(grabOrder, { id }, own(p)),
    (id, p) => w.t.call(acceptOrder, { id }, own(p)),
    (id, p) => w.t.call(arriveOrder, { id }, own(p)),
    (id, p) => w.t.call(denyOrder, { id, reason }, own(p)),
    (id, p) => w.t.call(suspendOrder, { id, reason, resumeTime: addMinutes(now(), 600) }, own(p)),
    (id, p) => w.t.call(resumeOrder, { id }, own(p)),
    (id, p) => w.t.call(requestExtension, { id, deadline: addMinutes(now(), 3000), reason }, own(p)),
    (id, p) => w.t.call(decideExtension, { id, isPassed: p % 5 === 0, reason }, w.supervisor),
    (id, p) => w.t.call(finishOrder, { id, resultText: '已处理' }, own(p)),
    (id, p) => w.t.call(checkOrder, { id, isPassed: p % 2 > 0, reason }, by(p)),
    (id, p) =>
      w.t.call(
        modifyCost,
        {
          id,
          lines: [{ lineKind: 'labour', name: '人工', quantity: '1', price: asFen(p % 3 ? 0 : 1000) }],
          waiveCost: 0,
          reason,
        },
        by(p),
      ),
    (id, p) =>
      w.t.call(evaluateOrder, { orderId: id, speedScore: 2, attitudeScore: 2, qualityScore: 1 }, by(p)),
    (id, p) => w.t.call(closeOrder, { id, reason }, p % 9 ? w.front : w.dispatcher),
    (id, p) => w.t.call(decideClose, { id, isPassed: p % 3 === 0, reason }, w.supervisor),
    (id, p) => w.t.call(cancelOrder, { id, reason }, p % 9 ? handler(0).as : w.front),
    (id, p) => w.t.call(reopenOrder, { id, reason }, by(p)),
    (id, p) => w.t.call(expediteOrder, { id }, by(p)),
  ]
}

/** Whether the minute that begins then is one of the type's service. */
const isServed = (minute: Moment): boolean => {
  const time = timeOf(minute).slice(0, 5)
  return weekday(dayOfMoment(minute)) <= 5 && time >= '08:00' && time < '20:00'
}

interface Step {
  readonly action: string
  readonly to: string
  readonly at: Moment
}

/**
 * The allowance for finishing, minute by minute: what is used up while the order waits or is worked on, in
 * minutes of service. Undefined once an extension has set another deadline.
 */
function plainUsage(steps: readonly Step[], until: Moment): number | undefined {
  if (steps.some(s => s.action === 'extend')) return undefined
  const counts = new Set(['waiting', 'dispatched', 'processing'])
  const begin = steps.findLast(s => s.action === 'reopen') ?? steps.find(s => s.to === 'waiting')
  if (!begin) return undefined
  let used = 0
  for (let at = begin.at; at < until; at = addMinutes(at, 1)) {
    const state = steps.findLast(s => s.at <= at)?.to ?? ''
    if (counts.has(state) && isServed(at)) {
      used++
    }
  }
  return used
}

/** What the history and the clocks of an order say; whether the clock could be compared. */
async function verify(id: Parameters<ModelAction>[0], run: string): Promise<boolean> {
  const detail = await w.t.call(getOrder, { id }, w.owner)
  for (const [i, record] of detail.records.entries()) {
    expect(isInTable(record.action, record.fromState, record.toState), `${run}: ${record.action}`).toBe(true)
    expect(record.fromState).toBe(detail.records[i - 1]?.toState)
  }
  expect(detail.records.at(-1)?.toState).toBe(detail.state)
  const steps = detail.records.map(r => ({ action: r.action, to: r.toState, at: r.actionTime }))
  const used = plainUsage(steps, now())
  if (used === undefined || detail.finishMinutesLeft === undefined) return false
  expect(detail.finishMinutesLeft, run).toBe(Math.max(0, 600 - used))
  return true
}

it('C12.1: whatever random people do, no history leaves the table; WO-2: clocks equal a plain count', async () => {
  const states = new Set<string>()
  let compared = 0
  for (let run = 0; run < 12; run++) {
    const next = random(run + 1)
    const order = await w.register({ typeId: type.id })
    const all = listActions()
    for (let i = 0; i < 34; i++) {
      const pick = Math.floor(next() * 1000)
      await defined(all[Math.floor(next() * all.length)])(order.id, pick).catch((error: unknown) => {
        if (!(error instanceof Refused)) throw error
      })
      // Whole minutes, so that the plain count looks at each of them.
      await w.advance(Math.floor(next() * 120))
      if (await verify(order.id, `run ${run}, step ${i}`)) {
        compared++
      }
    }
    states.add((await w.t.call(getOrder, { id: order.id }, w.owner)).state)
  }
  expect(compared).toBeGreaterThan(50)
  expect(states.size).toBeGreaterThan(2)
}, 240_000)
