import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import {
  applySteps,
  byDeadline,
  costRefusal,
  offeredSteps,
  retryStep,
  sendableSteps,
  timeOfStep,
  withoutStep,
  type QueuedStep,
  type StepValues,
} from './mobile-steps.ts'

const order: WorkOrder = {
  id: asId(1),
  version: 1,
  projectCode: 'P',
  orderNo: 'GD1',
  typeId: asId(2),
  typeName: '水路维修',
  category: 'repair',
  source: 'resident',
  content: '漏水',
  level: 'normal',
  state: 'dispatched',
  registerTime: '2026-11-24 09:00:00',
  dispatchTime: '2026-11-24 09:05:00',
  nextDeadline: '2026-11-24 09:20:00',
  respOvertime: false,
  arriveOvertime: false,
  finishOvertime: false,
  suspendMinutes: 0,
  expediteCount: 0,
  reworkCount: 0,
  denyCount: 0,
  extensionState: 'none',
  closeState: 'none',
  laborCost: 0,
  materialCost: 0,
  waiveCost: 0,
  totalCost: 0,
  payableCost: 0,
  isWarranty: false,
  isDefaultScore: false,
  limits: {
    is24h: true,
    workdaysOnly: false,
    serviceBegin: '00:00',
    serviceEnd: '24:00',
    photoCount: 1,
    needAccept: false,
    needVisit: false,
    evaluateDays: 7,
  },
}

const step = (uuid: string, values: StepValues, overrides: Partial<QueuedStep> = {}): QueuedStep => ({
  uuid,
  orderId: order.id,
  orderNo: order.orderNo,
  doneTime: '2026-11-24 10:00:00',
  values,
  photos: [],
  ...overrides,
})

const accept = step('a', { action: 'accept' })
const arrive = step('b', { action: 'arrive' })
const faucet = { lineKind: 'material', name: '水龙头', quantity: '2', price: asFen(6850) } as const
const finish = (lines: Extract<StepValues, { action: 'finish' }>['lines']): QueuedStep =>
  step('c', { action: 'finish', resultText: '已更换', lines })

it('C12.1: steps that wait lead on without a network: accepted, arrived, finished and to be paid', () => {
  const offered = (steps: readonly QueuedStep[]) => offeredSteps(applySteps(order, steps))
  expect(offered([])).toEqual(['accept', 'deny'])
  expect(offered([accept])).toEqual(['arrive', 'finish', 'suspend', 'deny', 'requestExtension'])
  expect(offered([accept, arrive])[0]).toBe('finish')
  expect(offered([accept, arrive, finish([])])).toEqual([])
  expect(applySteps(order, [accept, finish([faucet])])).toMatchObject({ state: 'unpaid', totalCost: 13_700 })
  expect(applySteps({ ...order, isWarranty: true }, [accept, finish([faucet])]).state).toBe('unrated')
  expect(applySteps({ ...order, id: asId(9) }, [accept]).state).toBe('dispatched')
})

it('an extension that waits for its decision is not asked for again', () => {
  const asked = step('d', { action: 'requestExtension', reason: '等材料', deadline: '2026-11-25 09:00:00' })
  expect(offeredSteps(applySteps(order, [accept, asked]))).not.toContain('requestExtension')
})

it('what follows a refused step of an order waits; other orders go on', () => {
  const other = step('e', { action: 'accept' }, { orderId: asId(7) })
  const queue = [accept, { ...arrive, refusal: '工单已改派' }, other, finish([])]
  expect(sendableSteps(queue).map(s => s.uuid)).toEqual(['a', 'e'])
})

it('a step that is given up takes along what follows it of the same order', () => {
  const other = step('e', { action: 'accept' }, { orderId: asId(7) })
  const queue = [accept, arrive, other, finish([])]
  expect(withoutStep(queue, 'b').map(s => s.uuid)).toEqual(['a', 'e'])
})

it('a step sent again is of now, under a new key, and nothing after it is earlier', () => {
  const now = '2026-11-24 12:00:00'
  const [first, second, third] = retryStep([accept, { ...arrive, refusal: '有误' }, finish([])], 'b', now)
  expect([first, second?.refusal, second?.doneTime, third?.doneTime, third?.uuid]).toEqual([
    accept,
    undefined,
    now,
    now,
    'c',
  ])
  expect(second?.uuid).not.toBe('b')
})

it('WO-3: a step is never earlier than what it follows, though the clock of the phone is slow', () => {
  expect(timeOfStep(order, [], '2026-11-24 09:00:00')).toBe('2026-11-24 09:05:00')
  expect(timeOfStep(order, [accept], '2026-11-24 09:30:00')).toBe('2026-11-24 10:00:00')
  expect(timeOfStep(order, [accept], '2026-11-24 10:30:00')).toBe('2026-11-24 10:30:00')
})

it('orders stand by their deadline; those whose clock is paused come last', () => {
  const { nextDeadline: _, ...still } = { ...order, id: asId(2) }
  const later: WorkOrder = { ...order, id: asId(3), nextDeadline: '2026-11-24 18:00:00' }
  expect([still, later, order].toSorted(byDeadline).map(o => o.id)).toEqual([1, 3, 2])
})

it('T-WO-04: no cost is entered with work that was paid before it was taken up again', () => {
  expect(costRefusal(order)).toBeUndefined()
  expect(costRefusal({ payState: 'paid' })).toBe(
    '此前的费用已支付，不能修改；本次新增的费用请登记关联工单收取',
  )
})
