import type { Id } from '#kit/domain/id.ts'
import { addFen, parseYuan, subtractFen, type Fen } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
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

/**
 * Of the bills of a refund that abolishes them: what was paid, what other refunds that abolish them too still
 * ask for, and what such refunds have given back since this one was asked for, by the clock that writes rows.
 * Uses pay_detail's bills and fee_refund_record.
 */
const findJoint = (tx: Tx, ownerId: Id, refund: FeeRefund): Promise<JointRow[]> =>
  tx.rows<JointRow>(sql`
    select b.id as bill_id, b.paid_principal::text as paid_principal, b.late_fee_paid::text as paid_late,
      o.open_principal, o.open_late, o.done_principal, o.done_late
    from bill b
    cross join lateral (
      select coalesce(sum(l.principal) filter (where l.is_open), 0)::bigint as open_principal,
        coalesce(sum(l.late) filter (where l.is_open), 0)::bigint as open_late,
        coalesce(sum(l.principal) filter (where not l.is_open), 0)::bigint as done_principal,
        coalesce(sum(l.late) filter (where not l.is_open), 0)::bigint as done_late
      from (
        select f.state in ${codes(refundState, ...openRefundStates)} as is_open,
          (line->>'principal')::bigint as principal, (line->>'late')::bigint as late
        from pay_detail d
        join fee_refund f on f.owner_id = ${ownerId} and f.record_id = d.record_id and f.id <> ${refund.id}
        join fee_refund own on own.owner_id = ${ownerId} and own.id = ${refund.id}
        left join pay_record n on n.owner_id = ${ownerId} and n.id = f.neg_record_id
        cross join lateral jsonb_array_elements(f.lines) line
        where d.owner_id = ${ownerId}
          and d.bill_id = b.id
          and (line->>'detailId')::bigint = d.id
          and f.bill_after = ${code(billAfterRefund, 'abolished')}
          and ${notDeleted('f')}
          and (
            f.state in ${codes(refundState, ...openRefundStates)}
            or f.state = ${code(refundState, 'done')} and n.create_time >= own.create_time
          )
      ) l
    ) o
    where b.owner_id = ${ownerId} and b.id = any(${refund.lines.map(line => line.billId)}::bigint[])
  `)

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
