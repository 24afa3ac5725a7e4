import type { OrderAction, OrderState } from '../domain/order-actions.ts'

type Edges = readonly (readonly [from: OrderState, to: OrderState])[]

const every = (from: readonly OrderState[], to: OrderState): Edges => from.map(state => [state, to] as const)

/**
 * C12.1 as the rules print it, written out here: it is not read from the product's own table. Money that is
 * taken back is the way of `paid` the other way round (PAY voided, REF-2 恢复欠费).
 */
const moves: { readonly [A in OrderAction]?: Edges } = {
  auditPass: [['pending', 'waiting']],
  auditRefuse: [['pending', 'rejected']],
  dispatch: every(['waiting', 'dispatched', 'processing', 'suspended'], 'dispatched'),
  grab: [['waiting', 'processing']],
  accept: [['dispatched', 'processing']],
  deny: every(['dispatched', 'processing'], 'waiting'),
  suspend: [['processing', 'suspended']],
  resume: [['suspended', 'processing']],
  finish: [
    ['processing', 'checking'],
    ['processing', 'unpaid'],
    ['processing', 'unrated'],
  ],
  checkPass: [
    ['checking', 'unpaid'],
    ['checking', 'unrated'],
  ],
  checkReject: [
    ['checking', 'processing'],
    // The handler may not have it any more.
    ['checking', 'waiting'],
  ],
  pay: [['unpaid', 'unrated']],
  oweAgain: [['unrated', 'unpaid']],
  refund: [
    ['unpaid', 'unrated'],
    ['unrated', 'unpaid'],
  ],
  // Nothing is left to pay.
  modifyCost: [['unpaid', 'unrated']],
  evaluate: [['unrated', 'completed']],
  close: every(
    ['pending', 'waiting', 'dispatched', 'processing', 'suspended', 'checking', 'unpaid'],
    'closed',
  ),
  cancel: every(['pending', 'waiting', 'dispatched'], 'cancelled'),
  reopen: [
    ['completed', 'processing'],
    ['completed', 'waiting'],
  ],
}

/** Actions that leave the state as it is, with the states in which the rules let them happen. */
const stays: { readonly [A in OrderAction]?: readonly OrderState[] } = {
  modifyCost: ['processing', 'suspended', 'checking', 'unpaid'],
  expedite: ['pending', 'waiting', 'dispatched', 'processing', 'suspended', 'checking', 'unpaid'],
  arrive: ['processing'],
  requestExtension: ['processing', 'suspended'],
  extend: ['processing', 'suspended'],
  refuseExtension: ['processing', 'suspended'],
  requestClose: ['processing', 'suspended', 'checking', 'unpaid'],
}

const changesNothing: ReadonlySet<OrderAction> = new Set([
  'edit',
  'note',
  'visit',
  'overtime',
  'refuseClose',
  'evaluate',
  'refund',
])

/** Whether the rules let an action lead an order from one state to another. */
export function isInTable(action: OrderAction, from: OrderState | undefined, to: OrderState): boolean {
  if (action === 'register') return from === undefined && (to === 'pending' || to === 'waiting')
  if (from === undefined) return false
  if (moves[action]?.some(([before, after]) => before === from && after === to)) return true
  return from === to && (changesNothing.has(action) || stays[action]?.includes(from) === true)
}
