import { parseId, type Id } from '#kit/domain/id.ts'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { negateFen } from '#kit/domain/money.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import { requireById } from '#kit/server/table.ts'
import { notDeleted, touch } from '#kit/server/sql.ts'
import { findInvoiceableParts, recordInvoicedParts } from '#modules/payments/server/public.ts'
import { invoiceState } from '../contract/choices.ts'
import { invoicePart, invoiceRecord, type InvoicePart, type InvoiceRecord } from '../contract/record.ts'
import { invoiceStateMachine, type InvoiceState } from '../domain/invoice.ts'

export const stateCode = (s: InvoiceState): number => Number(codeOf(invoiceState, s))

/** An invoice, locked after the payments that it is for: the order in which refunds lock them too. */
export async function lockInvoice(tx: Tx, scope: Scope, id: Id): Promise<InvoiceRecord> {
  const seen = await requireById(tx, invoiceRecord, scope, id)
  await findInvoiceableParts(tx, scope.ownerId, seen.recordIds.map(parseId), 'deduct', { lock: true })
  return requireById(tx, invoiceRecord, scope, id, { lock: true })
}

/** Changes the state if the state machine allows it from the current one. Returns whether it did. */
export async function changeState(
  tx: Tx,
  scope: Scope,
  record: Pick<InvoiceRecord, 'id' | 'projectCode'>,
  newState: InvoiceState,
  changes: Readonly<Record<string, unknown>> = {},
  reason?: string,
): Promise<boolean> {
  const cols = Object.entries(changes)
  const before = await tx.one<{ state: number }>(
    sql`
      select state
      from invoice_record
      where owner_id = ${scope.ownerId}
        and id = ${record.id}
        and state = any(${invoiceStateMachine.previousStates(newState).map(stateCode)}::int[])
      for update
    `,
  )
  if (!before) return false
  await tx.execute(
    sql`
      update invoice_record
      set state = ${stateCode(newState)},
        ${cols.length ? sql`${sql.join(cols.map(([k, v]) => sql`${sql.id(k)} = ${v}`))},` : sql``} ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = ${record.id}
    `,
  )
  await audit(tx, scope, [
    {
      action: 'state',
      entity: 'invoiceRecord',
      entityId: record.id,
      projectCode: record.projectCode,
      before: { state: keyOf(invoiceState, before.state) },
      after: { state: newState },
      reason,
    },
  ])
  return true
}

export const findParts = async (db: Db, ownerId: Id, invoice: number): Promise<InvoicePart[]> =>
  (
    await db.rows<Record<string, unknown>>(
      sql`
        select *
        from invoice_part
        where owner_id = ${ownerId} and invoice_id = ${invoice} and ${notDeleted()}
        order by id
      `,
    )
  ).map(r => toEntityRow(invoicePart, r))

/** What the invoice had taken may be invoiced again (INV-5). Once: with the step to 已红冲 or 已作废. */
export async function releaseParts(
  tx: Tx,
  scope: Pick<Scope, 'ownerId' | 'time'>,
  invoice: number,
): Promise<void> {
  await recordInvoicedParts(
    tx,
    scope,
    (await findParts(tx, scope.ownerId, invoice)).map(part => ({
      recordId: part.recordId,
      detailId: part.detailId,
      billId: part.billId,
      amount: negateFen(part.amount),
    })),
  )
}
