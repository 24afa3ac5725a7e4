import type { Id } from '#kit/domain/id.ts'
import { formatYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { invoiceState } from '../contract/choices.ts'

/**
 * Changes the invoiced amount of bills by `amount` fen, and their invoice state by what was paid.
 * `writeBills` recomputes the state when payments change later.
 */
export async function addInvoicedAmounts(
  tx: Tx,
  { ownerId, time }: Pick<Scope, 'ownerId' | 'time'>,
  amounts: readonly { readonly billId: Id; readonly amount: Fen }[],
): Promise<void> {
  const totals = [...Map.groupBy(amounts, x => x.billId)].map(([id, all]) => ({
    id,
    amount: formatYuan(sumFen(all.map(x => x.amount))),
  }))
  if (!totals.length) return
  await tx.execute(sql`
    with m as (
      select b.id, r.amount
      from bill b
      join json_to_recordset(${JSON.stringify(totals)}::json) as r(id bigint, amount numeric) on r.id = b.id
      where b.owner_id = ${ownerId}
      order by b.id
      for update of b
    )
    update bill b
    set invoiced_amount = b.invoiced_amount + m.amount,
      invoice_state = case
        when b.invoiced_amount + m.amount <= 0 then ${code(invoiceState, 'none')}
        when b.invoiced_amount + m.amount >= b.paid_principal + b.late_fee_paid then ${code(invoiceState, 'full')}
        else ${code(invoiceState, 'part')}
        end,
      version = b.version + 1, update_time = ${time}::timestamptz
    from m
    where b.owner_id = ${ownerId} and b.id = m.id
  `)
}
