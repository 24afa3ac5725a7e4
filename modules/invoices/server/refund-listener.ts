import { sql } from '#kit/server/db.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import { notDeleted, codes } from '#kit/server/sql.ts'
import { onPaid } from '#modules/payments/server/public.ts'
import { invoiceRecord } from '../contract/record.ts'
import { applyCancel } from './red-invoice.ts'
import { hasRedDue } from './red-due.ts'
import { changeState } from './invoice-state.ts'
import { invoiceState } from '../contract/choices.ts'

const refundReason = '收款已退款'

// REF-7 with RefundWithInvoice: a payment on an invoice was refunded. An invoice that is not issued is
// cancelled, an issued one becomes 待红冲, one under way is handled when its result arrives.
onPaid(async (tx, scope, { recordId, billIds, kind }) => {
  if (kind !== 'refunded') return
  const invoices = (
    await tx.rows<Record<string, unknown>>(sql`
      select *
      from invoice_record i
      where i.owner_id = ${scope.ownerId}
        and not i.is_red
        and i.state in ${codes(invoiceState, 'pending', 'doing', 'issued', 'failed')}
        and ${notDeleted('i')}
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
  ).map(row => toEntityRow(invoiceRecord, row))
  for (const invoice of invoices) {
    // The refunded part was not on it.
    if (!(await hasRedDue(tx, scope.ownerId, invoice))) continue
    if (invoice.state === 'pending' || invoice.state === 'failed') {
      await applyCancel(tx, scope, invoice, refundReason)
    } else if (invoice.state === 'issued') {
      await changeState(tx, scope, invoice, 'redDue', { red_reason: refundReason }, refundReason)
    } else {
      await tx.execute(
        sql`
          update invoice_record
          set run_red_due = true
          where owner_id = ${scope.ownerId}
            and id = ${invoice.id}
        `,
      )
    }
  }
})
