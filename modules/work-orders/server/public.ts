import type { Id } from '#kit/domain/id.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { orderSource } from '../contract/choices.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { systemContext, type OrderContext } from './order-context.ts'
import { register, type NewOrder } from './registration.ts'

/** An order that something else of the product asks for: an inspection, an alarm, a patrol, a bill. */
export interface OrderRequest extends Omit<NewOrder, 'source' | 'ref' | 'isDispatched'> {
  readonly source: ChoiceOf<typeof orderSource>
  /** The record that asks; `onOrderEnded` gives it back. */
  readonly ref: { readonly type: string; readonly id: Id }
}

/**
 * Registers an order from another module, in the caller's transaction: by the person at work, or by the
 * product itself (`asSystem`). It goes the way of every order of its type.
 */
export const createOrder = (c: OrderContext, request: OrderRequest): Promise<WorkOrder> =>
  register(c, request)

export const asSystem = systemContext
export { staffContext, type OrderContext } from './order-context.ts'
export { onOrderEnded, onWorkAccepted, onWorkReopened } from './transition.ts'
export { closeUnneeded } from './order-requests.ts'
export { registerDutyLookup, type DutyLookup } from './receivers.ts'
