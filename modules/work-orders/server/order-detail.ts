import { keysOf, labelOf } from '#kit/contract/field.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import type { Permission } from '#kit/contract/call.ts'
import { sql } from '#kit/server/db.ts'
import { reads, type ReadContext } from '#kit/server/handler.ts'
import { findAll } from '#kit/server/table.ts'
import { charge, chargeLine } from '../contract/charge.ts'
import { orderAction } from '../contract/choices.ts'
import { evaluation, visit } from '../contract/evaluation.ts'
import { getOrder, getOrderLink } from '../contract/order.ts'
import { orderRecord } from '../contract/record.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { computeClocks } from '../domain/clocks.ts'
import { canApply, type OrderAction } from '../domain/order-actions.ts'
import { describeService } from '../domain/service-calendar.ts'
import { menu } from '../module.ts'
import { findAccountNames, namesOf } from './accounts.ts'
import { linkOfOrder } from './resident-token.ts'
import { requireOrder } from './order-access.ts'
import { loadCalendar } from './order-types.ts'
import { presentOrders } from './order-list.ts'
import { loadHistory } from './transition.ts'

const { permissions } = menu.order

/** What a person needs for an action beside the state of the order; the same that the calls ask. */
const needsOf: { readonly [A in OrderAction]?: Permission } = {
  edit: permissions.edit,
  auditPass: permissions.audit,
  auditRefuse: permissions.audit,
  dispatch: permissions.dispatch,
  grab: permissions.handle,
  accept: permissions.handle,
  deny: permissions.handle,
  arrive: permissions.handle,
  suspend: permissions.handle,
  resume: permissions.handle,
  requestExtension: permissions.handle,
  extend: permissions.supervise,
  refuseExtension: permissions.supervise,
  finish: permissions.handle,
  checkPass: permissions.check,
  checkReject: permissions.check,
  modifyCost: menu.charge.permissions.cost,
  pay: menu.charge.permissions.pay,
  refund: menu.charge.permissions.refund,
  expedite: permissions.follow,
  evaluate: menu.evaluation.permissions.add,
  visit: menu.evaluation.permissions.visit,
  requestClose: permissions.close,
  refuseClose: permissions.supervise,
  close: permissions.close,
  cancel: permissions.add,
  reopen: permissions.supervise,
  note: permissions.follow,
}

const byAssignee: ReadonlySet<OrderAction> = new Set([
  'accept',
  'deny',
  'arrive',
  'suspend',
  'resume',
  'requestExtension',
  'finish',
])

const byOthers: ReadonlySet<OrderAction> = new Set(['checkPass', 'checkReject', 'evaluate'])

/** What only makes sense while something is asked, or has not been done yet. */
const fits: { readonly [A in OrderAction]?: (order: WorkOrder, scope: Scope) => boolean } = {
  arrive: order => order.arriveTime === undefined,
  requestExtension: order => order.extensionState === 'none',
  extend: (order, { operatorId }) => order.extensionState === 'waiting' && order.requesterId !== operatorId,
  refuseExtension: (order, { operatorId }) =>
    order.extensionState === 'waiting' && order.requesterId !== operatorId,
  requestClose: () => false,
  close: order => order.closeState === 'none',
  refuseClose: (order, { operatorId }) => order.closeState === 'waiting' && order.requesterId !== operatorId,
  modifyCost: order => order.payState !== 'paid',
  pay: order => order.payState === 'unpaid',
  refund: order => order.payState === 'paid',
  evaluate: order => order.state === 'unrated' || !order.isDefaultScore,
  cancel: (order, scope) => order.registrarId === scope.operatorId || hasPermission(scope, permissions.close),
}

/** What the caller may do to the order now; the calls decide for themselves once more. */
export const allowedActions = (order: WorkOrder, scope: Scope): OrderAction[] =>
  keysOf(orderAction).filter(action => {
    const needs = needsOf[action]
    if (!needs || !hasPermission(scope, needs) || !canApply(action, order.state)) return false
    if (byAssignee.has(action) && order.handlerId !== scope.operatorId) return false
    if (byOthers.has(action) && order.handlerId === scope.operatorId) return false
    return fits[action]?.(order, scope) ?? true
  })

async function loadDetail(id: WorkOrder['id'], { db, scope, now }: ReadContext) {
  const order = await requireOrder(db, scope, id)
  const ofOrder = { where: [sql`t.order_id = ${id}`], limit: 500 }
  const [presented = order] = await presentOrders([order], { db, scope, now })
  const records = await findAll(db, orderRecord, scope, {}, ofOrder)
  const charges = await findAll(db, charge, scope, { order: 'id' }, ofOrder)
  const chargeLines = await findAll(db, chargeLine, scope, { order: 'id' }, ofOrder)
  const [rating] = await findAll(db, evaluation, scope, {}, ofOrder)
  const visits = await findAll(db, visit, scope, {}, ofOrder)
  const names = await findAccountNames(db, scope.ownerId, [
    ...(order.assistIds ?? []),
    ...(order.observerIds ?? []),
  ])
  const calendar = await loadCalendar(db, scope.ownerId, order.limits)
  const clocks = computeClocks(await loadHistory(db, scope.ownerId, id), order.limits, calendar, now)
  const { secondsLeft } = clocks.finish
  return {
    ...presented,
    actions: allowedActions(order, scope).map(action => ({ action, label: labelOf(orderAction, action) })),
    records,
    charges,
    chargeLines,
    ...(rating ? { evaluation: rating } : {}),
    visits,
    assistNames: namesOf(names, order.assistIds),
    observerNames: namesOf(names, order.observerIds),
    ...(secondsLeft === undefined || order.finishTime !== undefined
      ? {}
      : { finishMinutesLeft: Math.floor(secondsLeft / 60) }),
    serviceText: describeService(order.limits),
    photoCount: order.limits.photoCount,
    needAccept: order.limits.needAccept,
  }
}

export const orderDetailHandlers = [
  reads(getOrder, ({ id }, c) => loadDetail(id, c)),
  reads(getOrderLink, async ({ id }, { db, scope, app }) => {
    const order = await requireOrder(db, scope, id)
    return linkOfOrder(app, scope.ownerId, order.id)
  }),
]
