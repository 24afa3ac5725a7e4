import { labelOf, type ValueOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { QueuedItem } from '#kit/web/phone/use-stored-queue.ts'
import { type SendOptions, newUuid, send } from '#kit/web/send.ts'
import type { chargeLineInput } from '../contract/charge.ts'
import { orderAction } from '../contract/choices.ts'
import {
  acceptOrder,
  arriveOrder,
  denyOrder,
  finishOrder,
  requestExtension,
  resumeOrder,
  suspendOrder,
} from '../contract/order-actions.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { computeCost, paidBeforeRefusal, payableCost } from '../domain/cost.ts'
import { canApply, stateAfterWork } from '../domain/order-actions.ts'

export type ChargeLine = ValueOf<typeof chargeLineInput>

/**
 * One step of the work with what was entered for it. Stored in the browser: the names of its members stay.
 */
export type StepValues =
  | { readonly action: 'accept' | 'arrive' | 'resume' }
  | { readonly action: 'suspend'; readonly reason: string; readonly resumeTime: Moment }
  | { readonly action: 'deny'; readonly reason: string }
  | { readonly action: 'requestExtension'; readonly reason: string; readonly deadline: Moment }
  | { readonly action: 'finish'; readonly resultText: string; readonly lines: readonly ChargeLine[] }

export type StepAction = StepValues['action']

/** A step that the server does not have yet; a refused one and what follows it wait for a decision. */
export interface QueuedStep extends QueuedItem {
  readonly orderId: Id
  readonly orderNo: string
  readonly doneTime: Moment
  readonly values: StepValues
  /** Pictures that wait in the browser, by their keys there. */
  readonly photos: readonly string[]
}

/** On a weak network a step is kept before the person gives up. */
const stepTimeout = 20_000

/** Sends one step; its pictures are stored already. Returns the order as it is then. */
export function sendStep(
  { orderId: id, doneTime, values, uuid }: QueuedStep,
  photos: readonly string[],
): Promise<WorkOrder> {
  const options: SendOptions = { quiet: true, project: 0, uuid, timeout: stepTimeout }
  const pictures = photos.length ? { photos: [...photos] } : {}
  switch (values.action) {
    case 'accept':
      return send(acceptOrder, { id, doneTime }, options)
    case 'arrive':
      return send(arriveOrder, { id, doneTime, ...pictures }, options)
    case 'resume':
      return send(resumeOrder, { id, doneTime }, options)
    case 'suspend': {
      const { reason, resumeTime } = values
      return send(suspendOrder, { id, doneTime, reason, resumeTime }, options)
    }
    case 'deny':
      return send(denyOrder, { id, reason: values.reason }, options)
    case 'requestExtension': {
      const { reason, deadline } = values
      return send(requestExtension, { id, reason, deadline }, options)
    }
    case 'finish': {
      const { resultText, lines } = values
      return send(finishOrder, { id, doneTime, resultText, lines: [...lines], ...pictures }, options)
    }
  }
}

/** The order as it will be once the server has the step. */
function applyStep(order: WorkOrder, { values, doneTime }: QueuedStep): WorkOrder {
  const { nextDeadline: _nextDeadline, minutesLeft: _minutesLeft, ...withoutClock } = order
  switch (values.action) {
    case 'accept':
      return { ...order, state: 'processing', acceptTime: doneTime }
    case 'arrive':
      return { ...order, arriveTime: doneTime }
    case 'resume':
      return { ...order, state: 'processing' }
    case 'suspend':
      return {
        ...withoutClock,
        state: 'suspended',
        suspendReason: values.reason,
        resumeTime: values.resumeTime,
      }
    case 'deny':
      return { ...withoutClock, state: 'waiting' }
    case 'requestExtension':
      return { ...order, extensionState: 'waiting', extensionDeadline: values.deadline }
    case 'finish': {
      const totalCost = values.lines.length
        ? computeCost(values.lines, order.waiveCost).totalCost
        : order.totalCost
      const isPayable = payableCost({ totalCost, isWarranty: order.isWarranty }) > 0
      return {
        ...withoutClock,
        state: stateAfterWork({ needsCheck: order.limits.needAccept, isPayable }),
        totalCost,
        resultText: values.resultText,
        finishTime: doneTime,
      }
    }
  }
}

export const applySteps = (order: WorkOrder, steps: readonly QueuedStep[]): WorkOrder =>
  steps.filter(step => step.orderId === order.id).reduce(applyStep, order)

/** What has to be done with the order next, the likeliest first: one thumb, one large button. */
export function offeredSteps(order: WorkOrder): readonly StepAction[] {
  const { state, arriveTime, extensionState, closeState } = order
  const wanted: readonly StepAction[] =
    arriveTime === undefined
      ? ['accept', 'resume', 'arrive', 'finish', 'suspend', 'deny', 'requestExtension']
      : ['accept', 'resume', 'finish', 'suspend', 'deny', 'requestExtension']
  return wanted.filter(
    action =>
      canApply(action, state) &&
      (action !== 'requestExtension' || (extensionState === 'none' && closeState === 'none')),
  )
}

/** Why no cost can be entered with the work: what was paid before it was reopened stays paid (T-WO-04). */
export const costRefusal = ({ payState }: Pick<WorkOrder, 'payState'>): string | undefined =>
  payState === 'paid' ? paidBeforeRefusal : undefined

export const stepLabel = (action: StepAction): string => labelOf(orderAction, action)

/** A step never happened before what it follows, whatever the clock of the phone says. */
export const timeOfStep = (order: WorkOrder, queued: readonly QueuedStep[], now: Moment): Moment =>
  [
    order.dispatchTime,
    order.acceptTime,
    order.arriveTime,
    ...queued.filter(step => step.orderId === order.id).map(step => step.doneTime),
  ].reduce<Moment>((latest, time) => (time !== undefined && time > latest ? time : latest), now)

/** Those that may be sent: of each order, all before the first that was refused. */
export function sendableSteps(queued: readonly QueuedStep[]): readonly QueuedStep[] {
  const stopped = new Set<Id>()
  return queued.filter(step => {
    if (step.refusal !== undefined) {
      stopped.add(step.orderId)
    }
    return !stopped.has(step.orderId)
  })
}

/** The queue once a refused step is given up: nothing that follows it can happen either. */
export const withoutStep = (queued: readonly QueuedStep[], uuid: string): readonly QueuedStep[] => {
  const index = queued.findIndex(step => step.uuid === uuid)
  const dropped = queued[index]
  return queued.filter((step, i) => i < index || step.orderId !== dropped?.orderId)
}

/** A refused step as if it were done now, under a new key; what follows it cannot have been done earlier. */
export function retryStep(queued: readonly QueuedStep[], uuid: string, now: Moment): readonly QueuedStep[] {
  const index = queued.findIndex(step => step.uuid === uuid)
  const retried = queued[index]
  return queued.map((step, i) => {
    if (i < index || step.orderId !== retried?.orderId) return step
    return i === index
      ? { ...step, refusal: undefined, uuid: newUuid(), doneTime: now }
      : { ...step, doneTime: now }
  })
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Orders whose deadline runs, by it; then those whose clock is paused. */
export const byDeadline = (a: WorkOrder, b: WorkOrder): number =>
  compareTexts(a.nextDeadline ?? '~', b.nextDeadline ?? '~') || a.id - b.id
