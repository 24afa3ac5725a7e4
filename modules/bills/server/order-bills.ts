import type { Id } from '#kit/domain/id.ts'
import { parseYuan, type Fen } from '#kit/domain/money.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { billState, payState } from '../contract/choices.ts'

export interface OrderBill {
  readonly id: Id
  readonly isPaid: boolean
  readonly paid: Fen
}

/**
 * The bills that ask for the money of an order, which they name by `refType` and its id: the whole, or parts
 * of a split one. Uses bill_ref.
 */
export async function findOrderBills(
  db: Pick<Db, 'rows'>,
  ownerId: Id,
  refType: string,
  orderId: Id,
): Promise<OrderBill[]> {
  const rows = await db.rows<{ id: Id; isPaid: boolean; paid: string }>(sql`
    select b.id, b.pay_state = ${code(payState, 'paid')} as is_paid, b.paid_principal::text as paid
    from bill b
    where b.owner_id = ${ownerId}
      and b.ref_type = ${refType}
      and b.ref_id = ${orderId}
      and ${notDeleted('b')}
      and b.state in ${codes(billState, 'pending', 'normal')}
    order by b.id
  `)
  return rows.map(row => ({ ...row, paid: parseYuan(row.paid) }))
}

/** The orders that these bills are for, or were. */
export const findOrdersOfBills = (
  db: Pick<Db, 'rows'>,
  ownerId: Id,
  refType: string,
  billIds: readonly Id[],
): Promise<{ id: Id }[]> =>
  db.rows<{ id: Id }>(sql`
    select distinct ref_id as id
    from bill
    where owner_id = ${ownerId} and id = any(${[...billIds]}::bigint[]) and ref_type = ${refType}
    order by 1
  `)
