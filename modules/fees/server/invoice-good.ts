import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'

/** These fee items, and no others, are invoiced as this good; an item that had another one changes over. */
export const assignInvoiceGood = (
  tx: Tx,
  { ownerId, time }: Pick<Scope, 'ownerId' | 'time'>,
  good: number,
  items: readonly Id[],
): Promise<number> =>
  tx.execute(sql`
    update fee_item
    set invoice_good_id = case when id = any(${[...items]}::bigint[]) then ${good}::integer end,
      version = version + 1, update_time = ${time}::timestamptz
    where owner_id = ${ownerId}
      and ${notDeleted()}
      and case
        when id = any(${[...items]}::bigint[]) then invoice_good_id is distinct from ${good}::integer
        else invoice_good_id = ${good}::integer
        end
  `)
