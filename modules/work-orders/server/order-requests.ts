import type { Id } from '#kit/domain/id.ts'
import { invalidField, refuse } from '#kit/contract/wire.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { hasPermission, unrestrictedDomain } from '#kit/server/scope.ts'
import { requireById } from '#kit/server/table.ts'
import { workOrder, type WorkOrder } from '../contract/work-order.ts'
import { escalates, expediteRefusal, expediteWait } from '../domain/expedite.ts'
import { actionRefusal, needsCloseApproval } from '../domain/order-actions.ts'
import { reopenRefusal } from '../domain/evaluation.ts'
import { menu } from '../module.ts'
import { endWithoutCharge } from './charge-end.ts'
import { supersedeEvaluation } from './evaluation.ts'
import { loadFunctions } from './function-settings.ts'
import { assertAssignee, requireReason } from './handling.ts'
import { nameOrder, tellAccounts, tellSubscribers, tellSupervisors } from './notices.ts'
import type { OrderContext } from './order-context.ts'
import { lockMoney } from './payment.ts'
import { findReopenRefusal, takeUpAgain } from './rework.ts'
import { applyStep } from './transition.ts'

/** WO-6 */
export async function requestExtension(
  c: OrderContext,
  order: WorkOrder,
  { deadline, reason }: { readonly deadline: Moment; readonly reason: string },
): Promise<WorkOrder> {
  if (!actionRefusal('requestExtension', order.state)) {
    assertAssignee(c, order)
  }
  if (order.extensionState === 'waiting') refuse('延期申请正在等待批准，请勿重复申请')
  if (order.closeState === 'waiting') refuse('关闭申请正在等待批准，请先处理')
  if (deadline <= c.now) throw invalidField('Deadline', '延期至的时间应晚于现在')
  if (order.finishDeadline !== undefined && deadline <= order.finishDeadline)
    throw invalidField('Deadline', `延期至的时间应晚于当前完成时限（${order.finishDeadline}）`)
  const after = await applyStep(c, order, {
    action: 'requestExtension',
    content: reason,
    deadline,
    set: {
      extensionState: 'waiting',
      extensionDeadline: deadline,
      requestReason: reason,
      requesterId: c.actor.id || undefined,
    },
  })
  const message = { title: `申请延期至 ${deadline}：${nameOrder(after)}`, text: reason }
  await tellSubscribers(c, after, 'approval', message, { fallback: 'supervise' })
  return after
}

/** What one person asks for is decided by another. */
const assertOtherPerson = (c: OrderContext, order: WorkOrder): void => {
  if (order.requesterId && order.requesterId === c.actor.id)
    refuse('不能批准自己的申请，请由另一位有督办权限的人办理')
}

interface Decision {
  readonly isPassed: boolean
  readonly reason?: string | undefined
}

export async function decideExtension(
  c: OrderContext,
  order: WorkOrder,
  decision: Decision,
): Promise<WorkOrder> {
  if (order.extensionState !== 'waiting') refuse('工单没有待批准的延期申请')
  assertOtherPerson(c, order)
  const set = { extensionState: 'none', extensionDeadline: undefined } as const
  const reason = decision.isPassed ? decision.reason : requireReason(decision.reason, '驳回')
  const after = decision.isPassed
    ? await applyStep(c, order, { action: 'extend', content: reason, deadline: order.extensionDeadline, set })
    : await applyStep(c, order, { action: 'refuseExtension', content: reason, set })
  await tellAccounts(c, after, 'decided', [order.requesterId], {
    title: `延期申请${decision.isPassed ? '已批准' : '被驳回'}：${nameOrder(after)}`,
    text: reason,
  })
  return after
}

/** Before anything of its money moves. */
function assertApplies(action: 'close' | 'cancel', order: WorkOrder): void {
  const refusal = actionRefusal(action, order.state)
  if (refusal) refuse(refusal)
}

async function closeNow(c: OrderContext, order: WorkOrder, reason: string | undefined): Promise<WorkOrder> {
  assertApplies('close', order)
  const after = await endWithoutCharge(c, order, reason ?? '工单关闭', set =>
    applyStep(c, order, {
      action: 'close',
      to: 'closed',
      content: reason,
      set: { closeState: 'none', ...set },
    }),
  )
  await tellAccounts(c, after, 'ended', [order.handlerId, order.registrarId], {
    title: `工单已关闭：${nameOrder(after)}`,
    text: reason,
  })
  return after
}

const unfinishedStates: readonly WorkOrder['state'][] = [
  'pending',
  'waiting',
  'dispatched',
  'processing',
  'suspended',
]

/** Closes an order that nobody needs any more; one that is done waits for its check and its money. */
export async function closeUnneeded(c: OrderContext, id: Id, reason: string): Promise<void> {
  await lockMoney(c, id)
  const order = await requireById(c.tx, workOrder, { ...c.scope, domain: unrestrictedDomain }, id, {
    lock: true,
  })
  if (unfinishedStates.includes(order.state)) {
    await closeNow(c, order, reason)
  }
}

/** C12.1: at once before anybody has accepted it; later a second person decides. */
export async function close(c: OrderContext, order: WorkOrder, reason: string): Promise<WorkOrder> {
  const { closeApproval } = await loadFunctions(c.tx, c.scope.ownerId)
  if (actionRefusal('close', order.state) || !needsCloseApproval(order.state) || !closeApproval.isOn)
    return closeNow(c, order, reason)
  if (order.closeState === 'waiting') refuse('关闭申请正在等待批准，请勿重复申请')
  if (order.extensionState === 'waiting') refuse('延期申请正在等待批准，请先处理')
  const after = await applyStep(c, order, {
    action: 'requestClose',
    content: reason,
    set: { closeState: 'waiting', requestReason: reason, requesterId: c.actor.id || undefined },
  })
  const message = { title: `申请关闭工单：${nameOrder(after)}`, text: reason }
  await tellSubscribers(c, after, 'approval', message, { fallback: 'supervise' })
  return after
}

export async function decideClose(c: OrderContext, order: WorkOrder, decision: Decision): Promise<WorkOrder> {
  if (order.closeState !== 'waiting') refuse('工单没有待批准的关闭申请')
  assertOtherPerson(c, order)
  if (decision.isPassed) return closeNow(c, order, decision.reason ?? order.requestReason)
  const reason = requireReason(decision.reason, '驳回')
  const after = await applyStep(c, order, {
    action: 'refuseClose',
    content: reason,
    set: { closeState: 'none' },
  })
  await tellAccounts(c, after, 'decided', [order.requesterId], {
    title: `关闭申请被驳回：${nameOrder(after)}`,
    text: reason,
  })
  return after
}

/** By who reported it, or in their name by those who may close orders. */
export async function cancel(c: OrderContext, order: WorkOrder, reason: string): Promise<WorkOrder> {
  const isOwn = c.actor.kind !== 'staff' || order.registrarId === c.actor.id
  if (!isOwn && !hasPermission(c.scope, menu.order.permissions.close))
    refuse('只有登记人可以取消工单；也可以由有关闭权限的人关闭')
  assertApplies('cancel', order)
  const after = await endWithoutCharge(c, order, reason, set =>
    applyStep(c, order, { action: 'cancel', to: 'cancelled', content: reason, set }),
  )
  await tellAccounts(c, after, 'ended', [order.handlerId], {
    title: `工单已取消：${nameOrder(after)}`,
    text: reason,
  })
  return after
}

/** C12.1: within 7 days, after a low score or of a complaint. */
export async function reopen(c: OrderContext, order: WorkOrder, reason: string): Promise<WorkOrder> {
  if (order.state === 'completed') {
    const refusal = reopenRefusal(order, c.now)
    if (refusal) refuse(refusal)
  }
  const set = {
    endTime: undefined,
    finishTime: undefined,
    score: undefined,
    isDefaultScore: false,
    reworkCount: order.reworkCount + 1,
  }
  const step = { action: 'reopen', content: reason, set } as const
  const after = await takeUpAgain(c, order, step, await findReopenRefusal(c, order))
  await supersedeEvaluation(c, order.id)
  return after
}

/** WO-5: no change of state; the third and later ones reach the supervisors as well. */
export async function expedite(c: OrderContext, order: WorkOrder, remark?: string): Promise<WorkOrder> {
  const { expediteInterval } = await loadFunctions(c.tx, c.scope.ownerId)
  const refusal = expediteRefusal(expediteWait(order.lastExpediteTime, expediteInterval.value, c.now))
  if (!actionRefusal('expedite', order.state) && refusal) refuse(refusal)
  const count = order.expediteCount + 1
  const after = await applyStep(c, order, {
    action: 'expedite',
    content: remark,
    set: { expediteCount: count, lastExpediteTime: c.now },
  })
  const message = { title: `第 ${count} 次催办：${nameOrder(after)}`, text: remark ?? after.content }
  await tellSubscribers(c, after, 'expedited', message, {
    to: [after.handlerId ?? after.dispatcherId],
    ...(after.handlerId ? {} : { fallback: 'dispatch' as const }),
  })
  if (escalates(count)) {
    await tellSupervisors(c, after, 'expedited', message)
  }
  return after
}
