import { refuse, Refused, resultCode } from '#kit/contract/wire.ts'
import { hasPermission, requirePermission, type Scope } from '#kit/server/scope.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { costTimeRefusal, payableCost } from '../domain/cost.ts'
import { stateByDebt } from '../domain/order-actions.ts'
import { menu } from '../module.ts'
import { billWhenDue } from './order-bill.ts'
import { saveCost, type CostInput } from './order-cost.ts'
import type { OrderContext } from './order-context.ts'
import { applyStep } from './transition.ts'

const { permissions } = menu.order

/** C12.1: who handles the order, or those who dispatch and supervise. */
export const canChangeCost = (order: WorkOrder, scope: Scope): boolean =>
  order.handlerId === scope.operatorId ||
  hasPermission(scope, permissions.dispatch) ||
  hasPermission(scope, permissions.supervise)

/**
 * WO-8: the history keeps what it was and what it is. What is owed then gets a bill of its own; where nothing
 * is left to pay, the order goes on.
 */
export async function changeCost(
  c: OrderContext,
  order: WorkOrder,
  input: CostInput & { readonly reason: string },
): Promise<WorkOrder> {
  if (c.actor.kind === 'staff' && !canChangeCost(order, c.scope))
    throw new Refused(resultCode.forbidden, '只有处理人或派单人可以修改费用')
  const isMoreWaived = input.waiveCost > order.waiveCost || (input.isWarranty === true && !order.isWarranty)
  if (isMoreWaived && c.actor.kind === 'staff') {
    requirePermission(c.scope, menu.charge.permissions.waive)
  }
  const refusal = costTimeRefusal(order)
  if (refusal) refuse(refusal)
  const before = payableCost(order)
  const cost = await saveCost(c, order, input)
  const after = payableCost({ totalCost: cost.totalCost ?? 0, isWarranty: cost.isWarranty === true })
  const changed = await applyStep(c, order, {
    action: 'modifyCost',
    to: stateByDebt(order.state, after > 0),
    content: input.reason,
    cost: { before, after },
    set: cost,
  })
  return billWhenDue(c, changed)
}
