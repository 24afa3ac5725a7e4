import type { Id } from '#kit/domain/id.ts'
import { refuse } from '#kit/contract/wire.ts'
import { displayYuan, type Fen, maxFen, parseYuan, sumFen } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { codes } from '#kit/server/sql.ts'
import type { InvoiceablePart } from '#modules/payments/server/public.ts'
import { entryType } from '#modules/prestore/contract/choices.ts'
import { invoiceState } from '../contract/choices.ts'

interface TopUpAccount {
  readonly name: string
  /** What may still be invoiced of its top-ups. */
  readonly remaining: string
  readonly records?: readonly Id[]
}

/** The accounts of top-ups, each with what was topped up, less refunds and what is invoiced. */
const findTopUpAccounts = (tx: Tx, ownerId: Id, recordIds: readonly Id[]): Promise<TopUpAccount[]> =>
  tx.rows<TopUpAccount>(sql`
    select a.owner_name as name,
      (
        coalesce(
          sum(e.amount) filter (
            where e.entry_type in ${codes(entryType, 'topUp', 'refund', 'change')} and not e.gift
          ),
          0
        ) - (
          select coalesce(sum(p.amount - p.red_amount), 0)
          from invoice_part p
          join invoice_record i on i.owner_id = ${ownerId} and i.id = p.invoice_id
          where p.owner_id = ${ownerId}
            and p.detail_id is null
            and not i.is_red
            and i.state not in ${codes(invoiceState, 'red', 'cancelled')}
            and p.record_id = any(array_agg(e.record_id))
        )
      )::text as remaining,
      array_agg(distinct e.record_id) filter (where e.record_id = any(${recordIds}::int[])) as records
    from prestore_account a
    join prestore_entry e on e.owner_id = ${ownerId} and e.account_id = a.id
    where a.owner_id = ${ownerId}
      and a.id in (
        select account_id
        from prestore_entry
        where owner_id = ${ownerId} and record_id = any(${recordIds}::int[]) and amount > 0 and not gift
      )
    group by a.id, a.owner_name
  `)

/** INV-2: top-ups are invoiced at most for what was not refunded from their account. */
export async function assertTopUpsAvailable(
  tx: Tx,
  ownerId: Id,
  chosen: readonly { readonly part: InvoiceablePart; readonly amount: Fen }[],
): Promise<void> {
  const topUps = chosen.filter(({ part }) => part.detailId === undefined && !part.income)
  if (!topUps.length) return
  const accounts = await findTopUpAccounts(
    tx,
    ownerId,
    topUps.map(({ part }) => part.recordId),
  )
  for (const account of accounts) {
    const amount = sumFen(
      topUps.filter(({ part }) => account.records?.includes(part.recordId)).map(topUp => topUp.amount),
    )
    const remaining = parseYuan(account.remaining)
    if (amount > remaining)
      refuse(`${account.name} 的预存已有退款，充值最多还可开 ${displayYuan(maxFen(0, remaining))} 元`)
  }
}
