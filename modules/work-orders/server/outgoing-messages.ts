import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, requireById, update } from '#kit/server/table.ts'
import { defineMessageSource, type MessageOutcome } from '#modules/messaging/server/public.ts'
import { charge } from '../contract/charge.ts'
import { workOrder } from '../contract/work-order.ts'
import { findCharge } from './order-cost.ts'
import { applyStep, loadHistory } from './transition.ts'

const systemName = '系统'

/** The reminder reached nobody: the order's history has it, and another need not wait (WO-8). */
async function noteUnreached(tx: Tx, scope: Scope, orderId: Id, reason: string | undefined): Promise<void> {
  const [known] = await findByIds(tx, workOrder, scope, [orderId])
  if (!known) return
  const order = await requireById(tx, workOrder, scope, orderId, { lock: true })
  const owed = await findCharge(tx, scope, orderId)
  if (owed?.state === 'unpaid' && owed.remindTime !== undefined) {
    await update(tx, charge, scope, owed.id, { remindTime: undefined })
  }
  const actor = { kind: 'system', id: 0, name: systemName } as const
  const reported = fromInstant(Date.parse(scope.time))
  const last = (await loadHistory(tx, scope.ownerId, orderId)).at(-1)?.at
  const now = last !== undefined && last > reported ? last : reported
  await applyStep({ tx, scope: { ...scope, name: systemName }, now, actor }, order, {
    action: 'note',
    content: `催付短信未送达${reason ? `：${reason}` : ''}，请电话联系或重新催付`,
  })
}

/** The row lock of the order is taken in the order of the numbers. */
async function followReminders(tx: Tx, scope: Scope, outcomes: readonly MessageOutcome[]): Promise<void> {
  const lost = outcomes.filter(({ state }) => state === 'failed' || state === 'refused')
  const reasons = new Map(lost.map(({ bizId, reason }) => [bizId, reason]))
  for (const [orderId, reason] of [...reasons].toSorted(([one], [other]) => one - other)) {
    await noteUnreached(tx, scope, orderId, reason)
  }
}

/** What work orders send to people outside, at the cost of the company's quota. */
export const orderMessages = {
  payment: defineMessageSource({
    key: 'workOrders.payment',
    label: '工单催付',
    purpose: 'service',
    onOutcomes: followReminders,
  }),
  /** Its receivers have the message in the product in any case. */
  warning: defineMessageSource({ key: 'workOrders.warning', label: '工单预警', purpose: 'service' }),
} as const
