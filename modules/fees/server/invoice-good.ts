import { sql, type Tx } from '#kit/server/db.ts'
import { live } from '#kit/server/sql.ts'

/** These fee items, and no others, are invoiced as this good; an item that had another one changes over. */
export const assignInvoiceGood = (
  tx: Tx,
  owner: number,
  good: number,
  items: readonly number[],
): Promise<number> =>
  tx.execute(sql`
    update fee_item
    set invoice_good_id = case when id = any(${[...items]}::bigint[]) then ${good}::integer end,
      version = version + 1, update_time = now()
    where owner_id = ${owner}
      and ${live()}
      and case
        when id = any(${[...items]}::bigint[]) then invoice_good_id is distinct from ${good}::integer
        else invoice_good_id = ${good}::integer
        end
  `)
