import { labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { orderAction, orderState, type chargeState } from '../contract/choices.ts'

export type OrderState = ChoiceOf<typeof orderState>
export type OrderAction = ChoiceOf<typeof orderAction>

/** Who may do something to an order, beside holding the permission of the call. */
export type ActorRole =
  | 'anyone'
  | 'auditor'
  | 'dispatcher'
  | 'candidate'
  | 'assignee'
  | 'requester'
  | 'supervisor'
  | 'payment'
  | 'system'

interface ActionRule {
  readonly from: readonly OrderState[]
  /** Where it leads; several where what the order needs decides, none where the state stays. */
  readonly to: readonly OrderState[]
  readonly by: readonly ActorRole[]
}

const beforeAccepted = ['pending', 'waiting', 'dispatched'] as const
const working = ['processing', 'suspended'] as const
const afterWork = ['checking', 'unpaid', 'unrated'] as const

/** Orders that somebody still has to do something about. */
export const openStates = [...beforeAccepted, ...working, 'checking', 'unpaid'] as const
/** States that no action leaves but `reopen`. */
export const endStates = ['completed', 'closed', 'rejected', 'cancelled'] as const

/** C12.1. Server, screens and the resident's page ask this table alone. */
export const actionRules: { readonly [A in OrderAction]: ActionRule } = {
  register: { from: [], to: ['pending', 'waiting'], by: ['anyone'] },
  edit: { from: [...beforeAccepted, ...working], to: [], by: ['dispatcher', 'assignee', 'requester'] },
  auditPass: { from: ['pending'], to: ['waiting'], by: ['auditor'] },
  auditRefuse: { from: ['pending'], to: ['rejected'], by: ['auditor'] },
  dispatch: { from: ['waiting', 'dispatched', ...working], to: ['dispatched'], by: ['dispatcher', 'system'] },
  grab: { from: ['waiting'], to: ['processing'], by: ['candidate'] },
  accept: { from: ['dispatched'], to: ['processing'], by: ['assignee'] },
  deny: { from: ['dispatched', 'processing'], to: ['waiting'], by: ['assignee'] },
  arrive: { from: ['processing'], to: [], by: ['assignee'] },
  suspend: { from: ['processing'], to: ['suspended'], by: ['assignee'] },
  resume: { from: ['suspended'], to: ['processing'], by: ['assignee'] },
  requestExtension: { from: working, to: [], by: ['assignee'] },
  extend: { from: working, to: [], by: ['supervisor'] },
  refuseExtension: { from: working, to: [], by: ['supervisor'] },
  finish: { from: ['processing'], to: afterWork, by: ['assignee'] },
  checkPass: { from: ['checking'], to: ['unpaid', 'unrated'], by: ['requester', 'supervisor'] },
  checkReject: { from: ['checking'], to: ['processing', 'waiting'], by: ['requester', 'supervisor'] },
  modifyCost: { from: [...working, 'checking', 'unpaid'], to: ['unrated'], by: ['assignee', 'dispatcher'] },
  pay: { from: ['unpaid'], to: ['unrated'], by: ['payment'] },
  oweAgain: { from: ['unrated'], to: ['unpaid'], by: ['system'] },
  refund: {
    from: [...working, ...afterWork, ...endStates],
    to: ['unpaid', 'unrated'],
    by: ['supervisor', 'system'],
  },
  expedite: { from: openStates, to: [], by: ['requester', 'anyone'] },
  evaluate: { from: ['unrated', 'completed'], to: ['completed'], by: ['requester', 'system'] },
  visit: { from: ['unrated', ...endStates], to: [], by: ['supervisor'] },
  requestClose: { from: [...working, 'checking', 'unpaid'], to: [], by: ['dispatcher'] },
  // Wherever it could still be approved: the order may be given to another person while it is asked.
  refuseClose: { from: openStates, to: [], by: ['supervisor'] },
  close: { from: openStates, to: ['closed'], by: ['dispatcher', 'supervisor'] },
  cancel: { from: beforeAccepted, to: ['cancelled'], by: ['requester'] },
  // To who did the work, or to nobody where they may not be given it now.
  reopen: { from: ['completed'], to: ['processing', 'waiting'], by: ['supervisor'] },
  note: { from: [...openStates, 'unrated', ...endStates], to: [], by: ['anyone'] },
  overtime: { from: [...beforeAccepted, ...working], to: [], by: ['system'] },
}

const roleLabels: { readonly [R in ActorRole]: string } = {
  anyone: '所有人',
  auditor: '审核人',
  dispatcher: '派单人',
  candidate: '该类型的接单人',
  assignee: '处理人',
  requester: '报事人',
  supervisor: '主管',
  payment: '收款',
  system: '系统',
}

export const isOpen = (state: OrderState): boolean => openStates.some(s => s === state)
export const isEnded = (state: OrderState): boolean => endStates.some(s => s === state)

/** The work is not done and accepted yet. */
export const isUnfinished = (state: OrderState): boolean => isOpen(state) && state !== 'unpaid'

/** Closing at once is for orders that nobody has accepted; later a second person decides (C12.1). */
export const needsCloseApproval = (state: OrderState): boolean => !beforeAccepted.some(s => s === state)

/** Whether the state of an order lets the action happen. */
export const canApply = (action: OrderAction, state: OrderState): boolean =>
  actionRules[action].from.includes(state)

/**
 * Why an action may not happen in this state, with what is and who may do it when: as text.
 * Nothing when it may.
 */
export function actionRefusal(action: OrderAction, state: OrderState): string | undefined {
  if (canApply(action, state)) return undefined
  const { from, by } = actionRules[action]
  const states = from.map(s => `「${labelOf(orderState, s)}」`).join('、')
  const actors = by.filter(role => role !== 'anyone' && role !== 'system' && role !== 'payment')
  const actorText = actors.length ? `，由${actors.map(role => roleLabels[role]).join('或')}办理` : ''
  return `工单当前为「${labelOf(orderState, state)}」，不能${labelOf(orderAction, action)}；${states}时可以${labelOf(orderAction, action)}${actorText}`
}

/** What is left to do once the work is done: to accept it, to pay, to rate (C12.1, finish). */
export function stateAfterWork(order: {
  readonly needsCheck: boolean
  readonly isPayable: boolean
}): 'checking' | 'unpaid' | 'unrated' {
  if (order.needsCheck) return 'checking'
  return order.isPayable ? 'unpaid' : 'unrated'
}

/** The state of an order that waits to be paid or rated, once its cost is owed or not (C12.1). */
export function stateByDebt(state: OrderState, isOwed: boolean): OrderState {
  if (state === 'unrated' && isOwed) return 'unpaid'
  return state === 'unpaid' && !isOwed ? 'unrated' : state
}

/** Whether the work is done and accepted: what is left is to pay for it and to rate it. */
export const isWorkAccepted = (state: OrderState): boolean =>
  state === 'unpaid' || state === 'unrated' || state === 'completed'

/** Whether the cost is to be paid now: once the work is done, and for as long as it is not paid. */
export const isChargeDue = (order: {
  readonly state: OrderState
  readonly payState?: ChoiceOf<typeof chargeState> | undefined
}): boolean => order.payState === 'unpaid' && isWorkAccepted(order.state)

/** Whether one history row may be behind another: what every history obeys. */
export function isLegalStep(action: OrderAction, from: OrderState | undefined, to: OrderState): boolean {
  const rule = actionRules[action]
  if (from === undefined) return rule.from.length === 0 && rule.to.includes(to)
  if (!rule.from.includes(from)) return false
  return rule.to.includes(to) || (from === to && staysPossible(action))
}

/** Actions that do not always change the state. */
const staysPossible = (action: OrderAction): boolean =>
  actionRules[action].to.length === 0 ||
  action === 'modifyCost' ||
  action === 'evaluate' ||
  action === 'refund'

/**
 * The action that the old PutState means by a state, from where the order is; nothing where none leads there.
 */
export function actionToState(from: OrderState, to: OrderState): OrderAction | undefined {
  const byTarget: { readonly [S in OrderState]?: readonly OrderAction[] } = {
    waiting: ['auditPass', 'deny'],
    dispatched: ['dispatch'],
    processing: ['accept', 'grab', 'resume', 'checkReject', 'reopen'],
    suspended: ['suspend'],
    checking: ['finish'],
    unpaid: ['checkPass', 'finish'],
    unrated: ['checkPass', 'finish'],
    closed: ['close'],
    rejected: ['auditRefuse'],
    cancelled: ['cancel'],
  }
  return byTarget[to]?.find(action => canApply(action, from))
}
