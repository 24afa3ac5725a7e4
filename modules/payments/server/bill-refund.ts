import type { Id } from '#kit/domain/id.ts'
import { addFen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { recordState } from '../contract/choices.ts'
import type { FeeRefund } from '../contract/refund.ts'
import { findDetails } from './record.ts'
import { maxRefundOf, refundablePartsOf } from '../domain/refund.ts'
import { applyForRefund, type RefundRequest } from './refund.ts'
import { findPendingAmounts } from './refund-state.ts'

/** The payments that a bill was paid by and that still stand, the first first. */
const findPayments = (tx: Tx, ownerId: Id, billId: Id): Promise<{ id: Id }[]> =>
  tx.rows<{ id: Id }>(sql`
    select r.id
    from pay_detail d
    join pay_record r on r.owner_id = ${ownerId} and r.id = d.record_id
    where d.owner_id = ${ownerId}
      and d.bill_id = ${billId}
      and r.state in ${codes(recordState, 'normal', 'partRefunded')}
      and ${notDeleted('d')}
      and ${notDeleted('r')}
    group by r.id
    order by r.id
  `)

/**
 * Asks for all that was paid for one bill to go back the way it came, the bill abolished with it (REF-2).
 * Returns the refunds; each follows the rules of the cashier's own, its approval too (REF-3).
 */
export async function refundPaidBill(
  tx: Tx,
  scope: Scope,
  billId: Id,
  reason: string,
  now: Moment,
): Promise<FeeRefund[]> {
  const requests: Pick<RefundRequest, 'recordId' | 'lines'>[] = []
  for (const { id: recordId } of await findPayments(tx, scope.ownerId, billId)) {
    const details = (await findDetails(tx, scope.ownerId, recordId)).filter(d => d.billId === billId)
    const parts = refundablePartsOf(details, await findPendingAmounts(tx, scope.ownerId, recordId))
    const lines = parts
      .map(part => ({ detailId: part.id, ...maxRefundOf(part) }))
      .filter(line => addFen(line.principal, line.late) > 0)
    if (lines.length) {
      requests.push({ recordId, lines })
    }
  }
  if (!requests.length) refuse('该费用没有可以退还的收款，可能正在退款')
  const refunds: FeeRefund[] = []
  for (const [i, request] of requests.entries()) {
    // A bill can be abolished only with the last of what was paid for it.
    const billAfter = i < requests.length - 1 ? 'owed' : 'abolished'
    const rest = { refundWay: 'original', billAfter, periodAfter: 'waived', reason } as const
    refunds.push(await applyForRefund(tx, scope, { ...request, ...rest }, now))
  }
  return refunds
}
