import { sql } from '#kit/server/db.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import { live, codes } from '#kit/server/sql.ts'
import { onPaid } from '#modules/payments/server/public.ts'
import { invoiceRecord } from '../contract/record.ts'
import { applyCancel } from './red-invoice.ts'
import { hasRedDue } from './red-due.ts'
import { changeState } from './invoice-state.ts'
import { invoiceState } from '../contract/choices.ts'

const refundReason = '收款已退款'

// REF-7 with RefundWithInvoice: money went back of what is on an invoice. What is not issued yet is
// cancelled, what is becomes 待红冲, what is under way follows when it is there.
onPaid(async (tx, scope, { recordId, billIds, kind }) => {
  if (kind !== 'refunded') return
  const found = (
    await tx.rows<Record<string, unknown>>(sql`
      select *
      from invoice_record i
      where i.owner_id = ${scope.ownerId}
        and not i.is_red
        and i.state in ${codes(invoiceState, 'pending', 'doing', 'issued', 'failed')}
        and ${live('i')}
        and i.id in (
          select p.invoice_id
          from invoice_part p
          where p.owner_id = ${scope.ownerId}
            and p.record_id = ${recordId}
            and p.bill_id = any(${[...billIds]}::int[])
        )
      order by i.id
      for update
    `)
  ).map(r => toEntityRow(invoiceRecord, r))
  for (const r of found) {
    // What went back was not on it.
    if (!(await hasRedDue(tx, scope.ownerId, r))) continue
    if (r.state === 'pending' || r.state === 'failed') {
      await applyCancel(tx, scope, r, refundReason)
    } else if (r.state === 'issued') {
      await changeState(tx, scope, r, 'redDue', { red_reason: refundReason }, refundReason)
    } else {
      await tx.execute(
        sql`update invoice_record set run_red_due = true where owner_id = ${scope.ownerId} and id = ${r.id}`,
      )
    }
  }
})
