import type { WorkOrder } from '../contract/work-order.ts'
import { dispatchAutomatically } from './dispatching.ts'
import { requireReason } from './handling.ts'
import { nameOrder, tellAccounts } from './notices.ts'
import type { OrderContext } from './order-context.ts'
import { applyStep } from './transition.ts'

/** C12.1: it then waits for a person, or it is refused with the reason. */
export async function auditPassed(
  c: OrderContext,
  order: WorkOrder,
  { isPassed, reason }: { readonly isPassed: boolean; readonly reason?: string | undefined },
): Promise<WorkOrder> {
  if (isPassed) {
    const passed = await applyStep(c, order, { action: 'auditPass', to: 'waiting', content: reason })
    return dispatchAutomatically(c, passed)
  }
  const refusalReason = requireReason(reason, '驳回')
  const after = await applyStep(c, order, { action: 'auditRefuse', to: 'rejected', content: refusalReason })
  await tellAccounts(c, after, 'ended', [order.registrarId], {
    title: `工单被驳回：${nameOrder(after)}`,
    text: refusalReason,
  })
  return after
}
