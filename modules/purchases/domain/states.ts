import { labelOf } from '#kit/contract/field.ts'
import type { Decimal } from '#kit/domain/decimal.ts'
import { keysOfRecord } from '#kit/domain/records.ts'
import { orderState, purchaseState, type OrderState, type PurchaseState } from '../contract/choices.ts'
import { isPositive } from './amounts.ts'

export type PurchaseAction =
  | 'edit'
  | 'delete'
  | 'submit'
  | 'withdraw'
  | 'decide'
  | 'cancel'
  | 'order'
  | 'receive'
  | 'close'

/**
 * From which states each action may be done (C16). An urgent request is ordered and received in 20, too; one
 * that came back to its applicant is changed and sent in again in 20.
 */
const allowedStates: Readonly<Record<PurchaseAction, readonly PurchaseState[]>> = {
  edit: ['draft', 'refused', 'approved'],
  delete: ['draft'],
  submit: ['draft', 'refused'],
  withdraw: ['approving'],
  decide: ['approving'],
  cancel: ['approving', 'approved', 'refused'],
  order: ['approved', 'ordering', 'partial'],
  receive: ['ordering', 'partial', 'done'],
  close: ['ordering', 'partial'],
}

const actionLabels: Readonly<Record<PurchaseAction, string>> = {
  edit: '修改',
  delete: '删除',
  submit: '提交',
  withdraw: '撤回',
  decide: '审批',
  cancel: '取消',
  order: '下单',
  receive: '收货',
  close: '关闭余量',
}

/** Whether an urgent request may go ahead of its approval: the setting allows it. */
export interface Ahead {
  readonly isUrgent: boolean
  readonly allowsAhead: boolean
}

/** What of a request counts beside its state. */
export interface ActionFacts {
  readonly isUrgent?: boolean
  readonly allowsAhead?: boolean
  readonly isReturned?: boolean
}

function isAllowedInApproval(action: PurchaseAction, facts: ActionFacts): boolean {
  const goesAhead = Boolean(facts.isUrgent && facts.allowsAhead)
  if (action === 'order') return goesAhead && !facts.isReturned
  if (action === 'receive') return goesAhead
  if (action === 'edit' || action === 'submit') return Boolean(facts.isReturned)
  return allowedStates[action].includes('approving') && !(action === 'withdraw' && facts.isReturned)
}

export const statesOf = (action: PurchaseAction, facts: ActionFacts = {}): readonly PurchaseState[] => [
  ...(isAllowedInApproval(action, facts) ? (['approving'] as const) : []),
  ...allowedStates[action].filter(state => state !== 'approving'),
]

export const canDo = (action: PurchaseAction, state: PurchaseState, facts?: ActionFacts): boolean =>
  statesOf(action, facts).includes(state)

/** Why the state forbids the action, and which states allow it. */
export function actionRefusal(
  action: PurchaseAction,
  state: PurchaseState,
  facts: ActionFacts = {},
): string | undefined {
  if (canDo(action, state, facts)) return undefined
  if (state === 'approving' && facts.isReturned)
    return `采购已退回，不能${actionLabels[action]}；请由申请人修改后重新提交，或取消采购`
  const ofReturned = canDo(action, 'approving', { ...facts, isReturned: true }) && !canDo(action, 'approving')
  const allowed = [
    ...statesOf(action, facts).map(s => labelOf(purchaseState, s)),
    ...(ofReturned ? ['已退回'] : []),
  ]
  return `采购状态为「${labelOf(purchaseState, state)}」，不能${actionLabels[action]}；仅「${allowed.join('」「')}」可以`
}

/** Whether orders hold any line of a request: then it is neither taken back nor cancelled. */
export const isOrdered = (lines: readonly { readonly orderedQuantity: Decimal }[]): boolean =>
  lines.some(line => isPositive(line.orderedQuantity))

export const isCancellable = (row: {
  readonly state: PurchaseState
  readonly lines: Parameters<typeof isOrdered>[0]
}): boolean => canDo('cancel', row.state) && !isOrdered(row.lines)

/** Orders whose remainder is still awaited. */
export const awaitedOrderStates = ['open', 'partial'] as const satisfies readonly OrderState[]

export const isAwaited = (state: OrderState): boolean => state === 'open' || state === 'partial'

export const orderRefusal = (action: '收货' | '关闭', state: OrderState): string | undefined => {
  const allows = action === '收货' ? isAwaited(state) || state === 'done' : isAwaited(state)
  return allows ? undefined : `采购订单状态为「${labelOf(orderState, state)}」，不能${action}`
}

export const purchaseStates = keysOfRecord(purchaseState.rows)
