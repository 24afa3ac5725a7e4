import { refuse } from '#kit/contract/wire.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { negateFen } from '#kit/domain/money.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { update } from '#kit/server/table.ts'
import {
  cancelApproval,
  registerApprovalKind,
  requestApproval,
  requiresApproval,
  resubmitApproval,
  type ApprovalContext,
  type ApprovalEnd,
  type ApprovalRecord,
  type ApprovalRequest,
} from '#modules/approvals/server/public.ts'
import { reopenEnding } from '#modules/bills/server/public.ts'
import { refundKind } from '../contract/approval-kinds.ts'
import { feeRefund, type FeeRefund } from '../contract/refund.ts'
import { paths } from '../module.ts'
import { startRefund } from './refund-completion.ts'
import { addRefundingAmount, assertAction, lockRefund, recordAudit, setRefundState } from './refund-state.ts'
import { approvalFormOf, requestOf, subjectOfRefund, type RefundContext } from './refund-subjects.ts'
import { publishRefundDeclined } from './tenders.ts'

/**
 * Has a refund approved where a definition of the company asks somebody for it; without one the refund goes
 * by the threshold of its project (REF-3).
 */
export async function askForApproval(tx: Tx, scope: Scope, refund: FeeRefund, now: Moment): Promise<boolean> {
  const form = approvalFormOf(refund)
  if (!(await requiresApproval(tx, scope, refundKind, form))) return false
  await setRefundState(tx, scope, refund, 'approving', {})
  await requestApproval({ tx, scope, now }, refundKind, requestOf(refund))
  return true
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

/** What ended before its day was to be returned by this refund, which does not return it (CYC-9). */
export const reopenFollowUp = (tx: Tx, scope: Scope, refund: FeeRefund, reason: string): Promise<void> =>
  reopenEnding(tx, scope, {
    billIds: refund.lines.map(line => line.billId),
    documentNo: refund.refundNo,
    amount: refund.amount,
    reason,
  })

/** The refund claims its money no longer; those who wait for it are notified. */
export async function declineRefund(
  c: RefundContext,
  refund: FeeRefund,
  outcome: { readonly isRejected: boolean; readonly reason: string },
): Promise<void> {
  const { tx, scope } = c
  const { refundNo, lines, recordId } = refund
  const from = subjectOfRefund(refund)
  await from?.subject.release(c, from.request)
  if (recordId !== undefined) {
    await addRefundingAmount(tx, scope.ownerId, recordId, negateFen(refund.amount))
  }
  await setRefundState(tx, scope, refund, outcome.isRejected ? 'rejected' : 'cancelled', {}, outcome.reason)
  await reopenFollowUp(tx, scope, refund, outcome.reason)
  await publishRefundDeclined(tx, scope, { refundNo, billIds: lines.map(line => line.billId), ...outcome })
}

/** What came back goes in again as it is: another content is another refund (REF-2). */
async function sendRefundAgain(
  c: ApprovalContext,
  { bizId }: Pick<ApprovalRecord, 'bizId'>,
  chosen: ApprovalRequest['chosen'],
): Promise<void> {
  const { tx, scope, now } = c
  const refund = await lockRefund(tx, scope, bizId, now)
  assertAction(refund, 'approve')
  await update(tx, feeRefund, scope, refund.id, { isReturned: false, returnReason: undefined })
  const how = await resubmitApproval(c, refundKind, { ...requestOf(refund), chosen })
  if (how === 'notRequired') refuse('该退款已不需要按流程审批，请取消退款后重新申请')
}

registerApprovalKind(refundKind, {
  // The day stands before every row (day-lock.ts).
  lock: async ({ tx, scope, now }, { bizId }) => {
    await lockRefund(tx, scope, bizId, now)
  },
  onApproved: async (c, { bizId }) => {
    const refund = await lockRefund(c.tx, c.scope, bizId, c.now)
    assertAction(refund, 'approve')
    await recordAudit(c, refund.id, '审批通过')
    await startRefund(c.tx, c.scope, refund, c.now)
  },
  onEnded: async (c, { bizId, opinion }, how) => {
    const refund = await lockRefund(c.tx, c.scope, bizId, c.now)
    // What was paid or given up without the approval keeps its state, and the request may end.
    if (refund.state !== 'approving') return
    const reason = opinion ? `${endReasons[how]}：${opinion}`.slice(0, 200) : endReasons[how]
    if (how === 'refused') {
      await recordAudit(c, refund.id, reason)
    }
    await declineRefund(c, refund, { isRejected: how === 'refused', reason })
  },
  onReturned: async ({ tx, scope, now }, { bizId, opinion }) => {
    const refund = await lockRefund(tx, scope, bizId, now)
    assertAction(refund, 'approve')
    await update(tx, feeRefund, scope, refund.id, { isReturned: true, returnReason: opinion })
  },
  resubmit: sendRefundAgain,
  link: ({ form }) => `${paths.refunds}?keyword=${form.refundNo}`,
})
