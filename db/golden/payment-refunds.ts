import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { asFen, formatYuan } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, requireById } from '#kit/server/table.ts'
import { payRecord } from '#modules/payments/contract/record.ts'
import { feeRefund } from '#modules/payments/contract/refund.ts'
import { finishRefund } from '#modules/payments/server/refund-completion.ts'

/** Requests a refund of a record's first line. */
export async function requestRefund(
  tx: Tx,
  cashier: Scope,
  project: string,
  recordId: Id,
  reason: string,
  no: string,
): Promise<{ readonly id: Id }> {
  const detail = await tx.one<{ id: Id; billId: Id; principal: string }>(
    sql`
      select id, bill_id, (principal * 100)::bigint as principal
      from pay_detail
      where owner_id = ${cashier.ownerId} and record_id = ${recordId}
      order by id
      limit 1
    `,
  )
  const source = await requireById(tx, payRecord, cashier, recordId)
  const amount = asFen(Number(defined(detail).principal))
  await tx.execute(
    sql`
      update pay_record
      set refunding_amount = ${formatYuan(amount)}
      where owner_id = ${cashier.ownerId} and id = ${recordId}
    `,
  )
  return insert(tx, feeRefund, cashier, {
    projectCode: project,
    refundNo: no,
    recordId,
    sourceName: source.sourceName,
    buildCode: source.buildCode,
    payerName: source.payerName,
    lines: [{ detailId: defined(detail).id, billId: defined(detail).billId, principal: amount, late: 0 }],
    amount,
    refundWay: 'cash',
    billAfter: 'owed',
    reason,
    applyBy: cashier.operatorId,
    applyName: cashier.name,
    state: 'pending',
  })
}

/** Approves a refund and pays it out at a moment. */
export async function completeRefund(
  tx: Tx,
  cashier: Scope,
  supervisor: Scope,
  refundId: Id,
  at: Moment,
): Promise<void> {
  await tx.execute(
    sql`
      update fee_refund
      set audit_by = ${supervisor.operatorId}, audit_name = ${supervisor.name}, audit_time = ${at},
        audit_note = '已核对', create_time = least(create_time, ${at}::timestamptz - interval '1 day')
      where owner_id = ${cashier.ownerId} and id = ${refundId}
    `,
  )
  await finishRefund(tx, cashier, await requireById(tx, feeRefund, cashier, refundId), at)
}
