import { sumFen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { AskedRefund } from './refund.ts'
import { askForApproval } from './refund-approval.ts'
import { startRefund } from './refund-completion.ts'
import { joinGroup } from './refund-members.ts'
import { getRefundAuditThreshold } from './settings.ts'

/**
 * Goes on with refunds that were asked for together, as one decision: they are approved by their sum, so that
 * what was paid in parts does not go back unseen (REF-3). Done at once where nobody has to approve it.
 */
export async function startGroup(
  tx: Tx,
  scope: Scope,
  asked: readonly [AskedRefund, ...AskedRefund[]],
  now: Moment,
): Promise<void> {
  const [first, ...others] = asked
  const group = await joinGroup(tx, scope, [first.refund, ...others.map(({ refund }) => refund)])
  const isAsked = await askForApproval(tx, scope, group, now)
  const threshold = await getRefundAuditThreshold(tx, scope.ownerId, first.refund.projectCode)
  const total = sumFen(group.map(({ amount }) => amount))
  if (isAsked || total >= threshold || asked.some(({ needsApproval }) => needsApproval)) return
  for (const refund of group) {
    await startRefund(tx, scope, refund, now)
  }
}
