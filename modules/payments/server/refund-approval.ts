import type { ValueOf } from '#kit/contract/field.ts'
import { invalidField, refuse } from '#kit/contract/wire.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { negateFen, type Fen } from '#kit/domain/money.ts'
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
import { lockGroup, wholeOf, type RefundGroup } from './refund-members.ts'
import { addRefundingAmount, assertAction, lockRefund, recordAudit, setRefundState } from './refund-state.ts'
import { approvalFormOf, requestOf, subjectOfRefund, type RefundContext } from './refund-subjects.ts'
import { publishRefundDeclined, tenderProviderOf } from './tenders.ts'

/**
 * Has a refund approved where a definition of the company asks somebody for it; without one the refund goes
 * by the threshold of its project (REF-3).
 */
export async function askForApproval(
  tx: Tx,
  scope: Scope,
  group: RefundGroup,
  now: Moment,
): Promise<boolean> {
  const whole = wholeOf(group)
  if (!(await requiresApproval(tx, scope, refundKind, approvalFormOf(whole)))) return false
  for (const refund of group) {
    await setRefundState(tx, scope, refund, 'approving', {})
  }
  await requestApproval({ tx, scope, now }, refundKind, requestOf(whole))
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
  const { id: refundId, refundNo, lines, recordId } = refund
  const from = subjectOfRefund(refund)
  await from?.subject.release(c, from.request)
  if (recordId !== undefined) {
    await addRefundingAmount(tx, scope.ownerId, recordId, negateFen(refund.amount))
  }
  await setRefundState(tx, scope, refund, outcome.isRejected ? 'rejected' : 'cancelled', {}, outcome.reason)
  await reopenFollowUp(tx, scope, refund, outcome.reason)
  const billIds = lines.map(line => line.billId)
  await publishRefundDeclined(tx, scope, { refundId, refundNo, billIds, ...outcome })
}

type RefundForm = ValueOf<(typeof refundKind)['form']>

/** Which bills are refunded, and how much of each, is another refund (REF-2). */
const isOfBills = ({ subject = 'bills' }: Pick<RefundForm, 'subject'>): boolean => subject === 'bills'

/** Less money of an account or a deposit is asked for than before: what is reserved of it becomes less. */
async function lowerReserve(c: ApprovalContext, refund: FeeRefund, amount: Fen): Promise<void> {
  const from = subjectOfRefund(refund)
  if (!from || amount === refund.amount) return
  if (amount <= 0) throw invalidField('amount', '退款金额应大于 0')
  if (amount > refund.amount)
    throw invalidField('amount', '退款金额不能高于原申请，需要增加的请取消退款后重新申请')
  await from.subject.release(c, from.request)
  await from.subject.reserve(c, { ...from.request, amount })
}

/** What came back goes in again with what was amended of it. */
async function sendRefundAgain(
  c: ApprovalContext,
  { bizId, form }: Pick<ApprovalRecord<(typeof refundKind)['form']>, 'bizId' | 'form'>,
  chosen: ApprovalRequest['chosen'],
): Promise<void> {
  const { tx, scope, now } = c
  const refund = await lockRefund(tx, scope, bizId, now)
  assertAction(refund, 'approve')
  const { amount, refundWay, reason } = form
  if (refundWay === 'prestore' && !tenderProviderOf('prestore'))
    throw invalidField('refundWay', '未启用预存账户，不能转预存')
  await lowerReserve(c, refund, amount)
  const amend = ({ id }: FeeRefund): Promise<FeeRefund> =>
    update(tx, feeRefund, scope, id, {
      ...(isOfBills(refund) ? { refundWay } : { amount }),
      reason,
      isReturned: false,
      returnReason: undefined,
    })
  const [first, ...others] = await lockGroup(tx, scope, refund)
  const amended = await amend(first)
  for (const other of others) {
    await amend(other)
  }
  const whole = wholeOf([amended, ...others])
  const how = await resubmitApproval(c, refundKind, { ...requestOf(whole), chosen })
  if (how !== 'notRequired') return
  if (isOfBills(amended)) refuse('该退款已不需要按流程审批，请取消退款后重新申请')
  await startRefund(tx, scope, amended, now)
}

registerApprovalKind(refundKind, {
  // The day is before every row (day-lock.ts).
  lock: async ({ tx, scope, now }, { bizId }) => {
    await lockRefund(tx, scope, bizId, now)
  },
  onApproved: async (c, { bizId }) => {
    const refund = await lockRefund(c.tx, c.scope, bizId, c.now)
    for (const each of await lockGroup(c.tx, c.scope, refund)) {
      assertAction(each, 'approve')
      await recordAudit(c, each.id, '审批通过')
      await startRefund(c.tx, c.scope, each, c.now)
    }
  },
  onEnded: async (c, { bizId, opinion }, how) => {
    const refund = await lockRefund(c.tx, c.scope, bizId, c.now)
    // What was paid or given up without the approval keeps its state, and the request may end.
    if (refund.state !== 'approving') return
    const reason = opinion ? `${endReasons[how]}：${opinion}`.slice(0, 200) : endReasons[how]
    for (const each of await lockGroup(c.tx, c.scope, refund)) {
      if (how === 'refused') {
        await recordAudit(c, each.id, reason)
      }
      await declineRefund(c, each, { isRejected: how === 'refused', reason })
    }
  },
  onReturned: async ({ tx, scope, now }, { bizId, opinion }) => {
    const refund = await lockRefund(tx, scope, bizId, now)
    assertAction(refund, 'approve')
    for (const { id } of await lockGroup(tx, scope, refund)) {
      await update(tx, feeRefund, scope, id, { isReturned: true, returnReason: opinion })
    }
  },
  amendable: ({ form }) => (isOfBills(form) ? ['refundWay', 'reason'] : ['amount', 'reason']),
  resubmit: sendRefundAgain,
  link: ({ form }) => `${paths.refunds}?keyword=${form.refundNo}`,
})
