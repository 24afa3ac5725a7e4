import type { WorkOrder } from '../contract/work-order.ts'
import { dispatchAutomatically, findAssignRefusal } from './dispatching.ts'
import { nameOrder, tellAccounts, tellSubscribers } from './notices.ts'
import type { OrderContext } from './order-context.ts'
import { findHandlers } from './receivers.ts'
import { applyStep, type OrderStep } from './transition.ts'

interface Rework extends OrderStep {
  readonly content: string
}

const withoutHandler = {
  handlerId: undefined,
  handlerName: undefined,
  acceptTime: undefined,
  arriveTime: undefined,
} as const

const cannotHandle = '已停用、没有接单权限，或数据范围不含该位置'

/** Why the handler may not be given it again, days after it was done (WO-13). */
export const findReopenRefusal = async (c: OrderContext, order: WorkOrder): Promise<string | undefined> =>
  order.handlerId ? findAssignRefusal(c, order, order.handlerId) : '工单没有处理人'

/** The same of work that is still in their hands: their shift and their load are no reason. */
export async function findReworkRefusal(c: OrderContext, order: WorkOrder): Promise<string | undefined> {
  const handlers = await findHandlers(c.tx, c.scope.ownerId, order)
  return handlers.some(handler => handler.operatorId === order.handlerId) ? undefined : cannotHandle
}

/**
 * C12.1: work that is taken up again goes back to its handler. Where they may not have it, it waits for
 * another person, who is found as for a new order.
 */
export async function takeUpAgain(
  c: OrderContext,
  order: WorkOrder,
  step: Rework,
  refusal: string | undefined,
): Promise<WorkOrder> {
  const title = `${step.action === 'reopen' ? '工单重新处理' : '验收退回'}：${nameOrder(order)}`
  if (refusal === undefined) {
    const after = await applyStep(c, order, { ...step, to: 'processing' })
    await tellAccounts(c, after, 'rework', [order.handlerId], { title, text: step.content })
    return after
  }
  const waiting = await applyStep(c, order, {
    ...step,
    to: 'waiting',
    set: { ...step.set, ...withoutHandler },
  })
  const noted = await applyStep(c, waiting, {
    action: 'note',
    content: `原处理人${order.handlerName ?? ''}不能接单（${refusal}），待重新派单`,
  })
  const after = await dispatchAutomatically(c, noted)
  if (after.state === 'waiting') {
    const message = { title: `${title}，待派单`, text: step.content }
    await tellSubscribers(c, after, 'registered', message, { fallback: 'dispatch' })
  }
  return after
}
