import { refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { negateFen } from '#kit/domain/money.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import {
  cancelApproval,
  findWaitingRecords,
  registerApprovalKind,
  requestApproval,
  requiresApproval,
  waitsForApproval,
  type ApprovalEnd,
} from '#modules/approvals/server/public.ts'
import { refundKind } from '../contract/approval-kinds.ts'
import type { FeeRefund } from '../contract/refund.ts'
import { paths } from '../module.ts'
import { startRefund } from './refund-completion.ts'
import { addRefundingAmount, lockRefund, setRefundState } from './refund-state.ts'
import { publishRefundDeclined } from './tenders.ts'

const formOf = (refund: FeeRefund) => {
  const { refundNo, sourceName, payerName, amount, refundWay, billAfter, reason } = refund
  return { refundNo, sourceName, payerName, amount, refundWay, billAfter, reason }
}

/**
 * Has a refund approved where a definition of the company asks somebody for it; without one the refund goes
 * by the threshold of its project (REF-3).
 */
export async function askForApproval(tx: Tx, scope: Scope, refund: FeeRefund, now: Moment): Promise<boolean> {
  const form = formOf(refund)
  if (!(await requiresApproval(tx, scope, refundKind, form))) return false
  await requestApproval({ tx, scope, now }, refundKind, {
    bizId: refund.id,
    title: `${refund.sourceName} 退款 ${refund.refundNo}`,
    form,
    projectCode: refund.projectCode,
  })
  return true
}

/** Refunds as screens show them: whether an approval decides on them. */
export async function markInApproval(
  db: Db,
  scope: Scope,
  refunds: readonly FeeRefund[],
): Promise<FeeRefund[]> {
  const pending = refunds.filter(refund => refund.state === 'pending').map(refund => refund.id)
  const waiting = pending.length ? await findWaitingRecords(db, scope, refundKind, pending) : new Set<Id>()
  return refunds.map(refund => ({ ...refund, inApproval: waiting.has(refund.id) }))
}

/** What an approval decides on is decided by nobody beside it. */
export async function assertNotInApproval(tx: Tx, scope: Scope, refund: FeeRefund): Promise<void> {
  if (refund.state === 'pending' && (await waitsForApproval(tx, scope, refundKind, refund.id)))
    refuse('该退款正在审批，请在「我的审批」中处理')
}

export const endApproval = (
  tx: Tx,
  scope: Scope,
  refund: FeeRefund,
  reason: string,
  now: Moment,
): Promise<void> => cancelApproval({ tx, scope, now }, refundKind, refund.id, reason)

const endReasons: Record<ApprovalEnd, string> = {
  refused: '审批驳回',
  withdrawn: '申请人撤回',
  terminated: '审批终止',
}

/** The refund claims its money no longer; those who wait for it are notified. */
export async function declineRefund(
  tx: Tx,
  scope: Scope,
  refund: FeeRefund,
  outcome: { readonly isRejected: boolean; readonly reason: string },
): Promise<void> {
  const { refundNo, lines } = refund
  await addRefundingAmount(tx, scope.ownerId, refund.recordId, negateFen(refund.amount))
  await setRefundState(tx, scope, refund, outcome.isRejected ? 'rejected' : 'cancelled', {}, outcome.reason)
  await publishRefundDeclined(tx, scope, { refundNo, billIds: lines.map(line => line.billId), ...outcome })
}

registerApprovalKind(refundKind, {
  // The day stands before every row (day-lock.ts).
  lock: async ({ tx, scope, now }, { bizId }) => {
    await lockRefund(tx, scope, bizId, now)
  },
  onApproved: async ({ tx, scope, now }, { bizId }) => {
    const refund = await lockRefund(tx, scope, bizId, now)
    await tx.execute(sql`
      update fee_refund
      set audit_by = ${scope.operatorId}, audit_name = ${scope.name}, audit_time = ${now}, audit_note = '审批通过'
      where owner_id = ${scope.ownerId} and id = ${bizId}
    `)
    await startRefund(tx, scope, refund, now)
  },
  onEnded: async ({ tx, scope, now }, { bizId }, how) => {
    const refund = await lockRefund(tx, scope, bizId, now)
    await declineRefund(tx, scope, refund, { isRejected: how === 'refused', reason: endReasons[how] })
  },
  link: ({ form }) => `${paths.refunds}?keyword=${form.refundNo}`,
})
