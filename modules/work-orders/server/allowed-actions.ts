import type { Permission } from '#kit/contract/call.ts'
import { keysOf } from '#kit/contract/field.ts'
import { hasPermission } from '#kit/server/scope.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { ReadContext } from '#kit/server/handler.ts'
import { orderAction } from '../contract/choices.ts'
import type { Evaluation, Visit } from '../contract/evaluation.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { costTimeRefusal } from '../domain/cost.ts'
import { evaluationRefusal, reopenRefusal } from '../domain/evaluation.ts'
import type { Functions } from '../domain/function-settings.ts'
import { canApply, isChargeDue, needsCloseApproval, type OrderAction } from '../domain/order-actions.ts'
import { menu } from '../module.ts'
import { canChangeCost } from './cost-change.ts'
import { loadFunctions } from './function-settings.ts'
import { findGrabRefusal } from './handling.ts'

type ActionContext = Pick<ReadContext, 'db' | 'scope' | 'now'>

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

const byOthers: ReadonlySet<OrderAction> = new Set(['checkPass', 'checkReject', 'evaluate', 'visit'])

/** What refers to the order, and how the company has set it. */
interface ActionFacts {
  /** What was paid of the valid cost, with its late fee. */
  readonly paidAmount: Fen
  /** What of it may still be asked back: what a refund that is open asks for is not. */
  readonly refundable: Fen
  /** A refund of it is open: nobody is asked to pay until it is decided. */
  readonly isRefunding: boolean
  readonly functions: Functions
  readonly rating: Evaluation | undefined
  readonly visits: readonly Visit[]
}

type Fit = (order: WorkOrder, c: ActionContext, facts: ActionFacts) => boolean

const isOtherPerson = (order: WorkOrder, { scope }: ActionContext): boolean =>
  !order.requesterId || order.requesterId !== scope.operatorId

const canDecideExtension: Fit = (order, c) => order.extensionState === 'waiting' && isOtherPerson(order, c)

const isDeniedOut = (order: WorkOrder, { denyLimit }: Functions): boolean =>
  order.denyCount >= denyLimit.value

/** What only makes sense while something is asked, or has not been done yet. */
const fits: { readonly [A in OrderAction]?: Fit } = {
  dispatch: (order, { scope }, { functions }) =>
    !isDeniedOut(order, functions) || hasPermission(scope, permissions.supervise),
  deny: (order, _, { functions }) => !isDeniedOut(order, functions),
  arrive: order => order.arriveTime === undefined,
  requestExtension: order => order.extensionState === 'none' && order.closeState === 'none',
  extend: canDecideExtension,
  refuseExtension: canDecideExtension,
  requestClose: () => false,
  close: (order, _, { functions }) => {
    const isAsked = needsCloseApproval(order.state) && functions.closeApproval.isOn
    return !isAsked || (order.closeState === 'none' && order.extensionState === 'none')
  },
  refuseClose: (order, c) => order.closeState === 'waiting' && isOtherPerson(order, c),
  modifyCost: (order, { scope }, { paidAmount }) =>
    costTimeRefusal(order) === undefined &&
    order.payState !== 'paid' &&
    paidAmount === 0 &&
    canChangeCost(order, scope),
  pay: (_, __, { isRefunding }) => !isRefunding,
  refund: (_, __, { refundable }) => refundable > 0,
  evaluate: (_, { now }, { rating }) => evaluationRefusal('staff', rating, now) === undefined,
  visit: (_, __, { visits }) => visits.some(visit => visit.state === 'waiting'),
  cancel: (order, { scope }) =>
    order.registrarId === scope.operatorId || hasPermission(scope, permissions.close),
  reopen: (order, { now }) => reopenRefusal(order, now) === undefined,
}

/** Whether the state lets it happen; money that is due is taken after the rating as well. */
const suits = (action: OrderAction, order: WorkOrder): boolean =>
  action === 'pay' ? isChargeDue(order) : canApply(action, order.state)

/** What the caller may do to the order now, as the calls themselves decide. */
export async function findAllowedActions(
  c: ActionContext,
  order: WorkOrder,
  found: Omit<ActionFacts, 'functions'>,
): Promise<OrderAction[]> {
  const { db, scope } = c
  const facts = { ...found, functions: await loadFunctions(db, scope.ownerId) }
  const allowed = keysOf(orderAction).filter(action => {
    const needs = needsOf[action]
    if (!needs || !hasPermission(scope, needs) || !suits(action, order)) return false
    if (byAssignee.has(action) && order.handlerId !== scope.operatorId) return false
    if (byOthers.has(action) && order.handlerId === scope.operatorId) return false
    return fits[action]?.(order, c, facts) ?? true
  })
  if (!allowed.includes('grab')) return allowed
  // Who may grab is asked last: it looks at everybody who could have the order.
  const refusal = await findGrabRefusal(c, order, scope.operatorId)
  return refusal === undefined ? allowed : allowed.filter(action => action !== 'grab')
}
