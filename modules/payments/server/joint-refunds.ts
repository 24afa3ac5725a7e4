import type { Id } from '#kit/domain/id.ts'
import { addFen, parseYuan, subtractFen, type Fen } from '#kit/domain/money.ts'
import type { Tx } from '#kit/server/db.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import type { RefundAllocation } from '#modules/bills/server/public.ts'
import { billAfterRefund } from '#modules/bills/contract/choices.ts'
import { refundState } from '../contract/choices.ts'
import type { FeeRefund } from '../contract/refund.ts'
import { openRefundStates } from '../domain/refund.ts'

interface JointRow {
  readonly billId: Id
  readonly paidPrincipal: string
  readonly paidLate: string
  readonly openPrincipal: Fen
  readonly openLate: Fen
  readonly donePrincipal: Fen
  readonly doneLate: Fen
}

const jointRefunds = sqlFile(import.meta.dirname, 'joint-refunds.sql', [
  'abolished',
  'bills',
  'done',
  'liveRefund',
  'openStates',
  'ownerId',
  'refund',
])

/**
 * Of the bills of a refund that abolishes them: what was paid, what other refunds that abolish them too still
 * ask for, and what such refunds have paid out since this one was asked for, by the clock that writes rows.
 * Uses pay_detail's bills and fee_refund_record.
 */
const findJoint = (tx: Tx, ownerId: Id, refund: FeeRefund): Promise<JointRow[]> =>
  tx.rows(
    jointRefunds<JointRow>({
      ownerId,
      refund: refund.id,
      bills: refund.lines.map(line => line.billId),
      openStates: codes(refundState, ...openRefundStates),
      done: code(refundState, 'done'),
      abolished: code(billAfterRefund, 'abolished'),
      liveRefund: notDeleted('f'),
    }),
  )

export interface JointRefund {
  /** The last of what was paid for these goes back: they are abolished. */
  readonly last: readonly RefundAllocation[]
  /** Others give back the rest of these: until then nobody is asked to pay what has gone back. */
  readonly interim: readonly RefundAllocation[]
}

/**
 * REF-2: a bill that was paid in several parts is abolished with the last of their refunds, in whatever order
 * they are approved. Those before leave it as paid; the last takes back what they let off.
 */
export async function splitJointRefund(
  tx: Tx,
  ownerId: Id,
  refund: FeeRefund,
  allocations: readonly RefundAllocation[],
): Promise<JointRefund> {
  const joint = new Map((await findJoint(tx, ownerId, refund)).map(row => [row.billId, row]))
  const isInterim = ({ billId, principal, late }: RefundAllocation): boolean => {
    const row = joint.get(billId)
    if (!row) return false
    const restPrincipal = subtractFen(parseYuan(row.paidPrincipal), principal)
    const restLate = subtractFen(parseYuan(row.paidLate), late)
    const isCovered = restPrincipal <= row.openPrincipal && restLate <= row.openLate
    return addFen(restPrincipal, restLate) > 0 && isCovered
  }
  const withLetOff = (allocation: RefundAllocation): RefundAllocation => {
    const row = joint.get(allocation.billId)
    return row ? { ...allocation, letOff: { principal: row.donePrincipal, late: row.doneLate } } : allocation
  }
  return {
    interim: allocations.filter(isInterim),
    last: allocations.filter(allocation => !isInterim(allocation)).map(withLetOff),
  }
}
