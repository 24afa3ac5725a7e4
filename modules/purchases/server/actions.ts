import type { BulkResult } from '#kit/contract/bulk-result.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { invalidField, notFound, refuse } from '#kit/contract/wire.ts'
import { bulkResultOf, judgeRecords } from '#kit/server/bulk-result.ts'
import type { Tx } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById, remove, update } from '#kit/server/table.ts'
import { cancelApproval, waitsForApproval, withdrawApproval } from '#modules/approvals/server/public.ts'
import {
  cancelOwnPurchase,
  cancelPurchase,
  closePurchase,
  decidePurchase,
  deletePurchases,
  submitPurchase,
  withdrawPurchase,
} from '../contract/actions.ts'
import { purchaseKind } from '../contract/approval-kind.ts'
import { purchaseOrder } from '../contract/order.ts'
import { purchase, type Purchase } from '../contract/purchase.ts'
import { compare } from '#kit/domain/decimal.ts'
import { actionRefusal, isAwaited } from '../domain/states.ts'
import { notifyApplicant } from './notices.ts'
import { assertNoOrderInForce, everywhere, findOrdered } from './ordered.ts'
import { lockPurchase, ordersOf, settle } from './progress.ts'
import { lockOwn, lockOwnRows } from './purchase.ts'
import { submit } from './submission.ts'

async function withdraw(id: Id, { tx, scope, now, app }: WriteContext): Promise<Purchase> {
  const locked = await lockOwn(tx, scope, id, 'withdraw')
  if (locked.way === 'process') {
    await withdrawApproval({ tx, scope, now, app }, purchaseKind, locked.id)
    return requireById(tx, purchase, everywhere(scope), locked.id)
  }
  await assertNoOrderInForce(tx, scope, locked, '撤回')
  return settle(tx, scope, locked, { state: 'draft', submitTime: undefined })
}

type Decision = NonNullable<typeof decidePurchase.input.T>

async function decide({ id, isApproved, reason }: Decision, c: WriteContext): Promise<Purchase> {
  const { tx, scope, now } = c
  const locked = await lockPurchase(tx, scope, asId(id))
  const refusal = actionRefusal('decide', locked.state)
  if (refusal) refuse(refusal)
  if (await waitsForApproval(tx, scope, purchaseKind, locked.id))
    refuse('该采购按审批流程审批，请在「我的审批」中处理')
  if (locked.applicantId === scope.operatorId) refuse('不能审批自己的采购申请')
  if (!isApproved && (reason?.trim().length ?? 0) < 2) throw invalidField('Reason', '驳回请填写原因')
  const decided = { approverName: scope.name, approveTime: now }
  const changed = await (isApproved
    ? settle(tx, scope, locked, { ...decided, state: 'approved' }, reason)
    : settle(tx, scope, locked, { ...decided, state: 'refused', endReason: reason }, reason))
  await notifyApplicant(c, changed, 'decided', {
    title: `采购${isApproved ? '已批准' : '已驳回'}：${changed.title}`,
    text: reason,
  })
  return changed
}

/** Why a purchase cannot be cancelled: open orders, and goods that were received. */
async function assertNothingOrdered(tx: Tx, scope: Scope, row: Purchase): Promise<void> {
  const orders = await ordersOf(tx, scope, row.id)
  const awaited = orders.filter(order => isAwaited(order.state)).map(order => order.orderNo)
  if (awaited.length) refuse(`请先取消采购订单 ${awaited.join('、')}`)
  if (row.lines.some(line => compare(line.receivedQuantity, '0') > 0))
    refuse('已有收货，不能取消；确需取消的请先冲销收货并取消采购订单')
}

async function cancel(c: WriteContext, locked: Purchase, reason: string): Promise<Purchase> {
  const { tx, scope, now, app } = c
  const refusal = actionRefusal('cancel', locked.state)
  if (refusal) refuse(refusal)
  await assertNothingOrdered(tx, scope, locked)
  await cancelApproval({ tx, scope, now, app }, purchaseKind, locked.id, reason)
  return settle(tx, scope, locked, { state: 'cancelled', endReason: reason }, reason)
}

async function close(id: Id, reason: string, c: WriteContext): Promise<Purchase> {
  const { tx, scope, now } = c
  const locked = await lockPurchase(tx, scope, id)
  const refusal = actionRefusal('close', locked.state)
  if (refusal) refuse(refusal)
  if (!locked.lines.some(line => compare(line.receivedQuantity, '0') > 0))
    refuse('尚未收货；不再需要的请先取消采购订单，再取消采购')
  for (const order of await ordersOf(tx, scope, id)) {
    if (isAwaited(order.state)) {
      const state = order.lines.some(line => compare(line.receivedQuantity, '0') > 0) ? 'closed' : 'cancelled'
      await update(tx, purchaseOrder, scope, order.id, { state, endReason: reason }, { reason })
    }
  }
  return settle(tx, scope, locked, { closeTime: now, endReason: reason }, reason)
}

async function deleteDrafts(
  ids: readonly string[],
  reason: string,
  { tx, scope }: WriteContext,
): Promise<BulkResult> {
  const found = await lockOwnRows(tx, scope, ids)
  if (!found.length) throw notFound()
  const ordered = await findOrdered(tx, scope, found)
  const { allowed, refused } = judgeRecords(
    found,
    row => actionRefusal('delete', row.state) ?? ordered.get(row.id),
    row => row.purchaseNo,
  )
  const removable = allowed.map(row => row.id)
  await remove(tx, purchase, everywhere(scope), removable, reason)
  return bulkResultOf(ids, found, refused)
}

export const actionHandlers = [
  writes(submitPurchase, async ({ id, version, chosen }, c) => {
    const locked = await lockOwn(c.tx, c.scope, asId(id), 'submit', version)
    return submit(c, locked, chosen)
  }),
  writes(withdrawPurchase, ({ id }, c) => withdraw(id, c)),
  writes(decidePurchase, decide),
  writes(cancelOwnPurchase, async ({ id, reason }, c) =>
    cancel(c, await lockOwn(c.tx, c.scope, asId(id), 'cancel'), reason),
  ),
  writes(cancelPurchase, async ({ id, reason }, c) =>
    cancel(c, await lockPurchase(c.tx, c.scope, asId(id)), reason),
  ),
  writes(closePurchase, ({ id, reason }, c) => close(asId(id), reason, c)),
  writes(deletePurchases, ({ ids, reason }, c) => deleteDrafts(ids, reason, c)),
]
