import { codeOf, keyOf } from '#kit/contract/field.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { rowOf } from '#kit/server/stored.ts'
import { need } from '#kit/server/table.ts'
import { openPartsOf, noteInvoicedParts } from '#modules/payments/server/public.ts'
import { invoiceState } from '../contract/choices.ts'
import { invoicePart, invoiceRecord, type InvoicePart, type InvoiceRecord } from '../contract/record.ts'
import { invoiceStates, type InvoiceState } from '../domain/invoice.ts'

export const stateCode = (s: InvoiceState): number => Number(codeOf(invoiceState, s))

/** An invoice, locked after the payments that it is for: the order in which refunds lock them too. */
export async function held(tx: Tx, scope: Scope, id: number): Promise<InvoiceRecord> {
  const seen = await need(tx, invoiceRecord, scope, id)
  await openPartsOf(tx, scope.ownerId, seen.recordIds.map(Number), 'deduct', true)
  return need(tx, invoiceRecord, scope, id, true)
}

/** One step, where it still stands as the machine allows; whether it was taken. */
export async function step(
  tx: Tx,
  scope: Scope,
  r: Pick<InvoiceRecord, 'id' | 'projectCode'>,
  to: InvoiceState,
  more: Readonly<Record<string, unknown>> = {},
  reason?: string,
): Promise<boolean> {
  const cols = Object.entries(more)
  const was = await tx.one<{ state: number }>(
    sql`
      select state
      from invoice_record
      where owner_id = ${scope.ownerId}
        and id = ${r.id}
        and state = any(${invoiceStates.before(to).map(stateCode)}::int[])
      for update
    `,
  )
  if (!was) return false
  await tx.run(
    sql`
      update invoice_record
      set state = ${stateCode(to)},
        ${cols.length ? sql`${sql.join(cols.map(([k, v]) => sql`${sql.id(k)} = ${v}`))},` : sql``} version = version + 1,
        update_time = now(), update_by = ${scope.operatorId}
      where owner_id = ${scope.ownerId} and id = ${r.id}
    `,
  )
  await audit(tx, scope, [
    {
      action: 'state',
      entity: 'invoiceRecord',
      entityId: r.id,
      projectCode: r.projectCode,
      before: { state: keyOf(invoiceState, was.state) },
      after: { state: to },
      reason,
    },
  ])
  return true
}

export const partsOf = async (db: Db, owner: number, invoice: number): Promise<InvoicePart[]> =>
  (
    await db.rows<Record<string, unknown>>(
      sql`
        select *
        from invoice_part
        where owner_id = ${owner} and invoice_id = ${invoice} and delete_tag = 0
        order by id
      `,
    )
  ).map(r => rowOf(invoicePart, r))

/** What the invoice had taken may be invoiced again (INV-5). Once: with the step to 已红冲 or 已作废. */
export async function release(tx: Tx, owner: number, invoice: number): Promise<void> {
  await noteInvoicedParts(
    tx,
    owner,
    (await partsOf(tx, owner, invoice)).map(p => ({
      recordId: p.recordId,
      detailId: p.detailId,
      billId: p.billId,
      amount: -p.amount,
    })),
  )
}
