import type { Id } from '#kit/domain/id.ts'
import { parseYuan, type Fen } from '#kit/domain/money.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { billState, payState, refundState } from '../contract/choices.ts'

export interface OrderBill {
  readonly id: Id
  readonly orderId: Id
  readonly isPaid: boolean
  /** Less what was waived. */
  readonly receivable: Fen
  readonly paid: Fen
}

type OrderBillRow = Omit<OrderBill, 'receivable' | 'paid'> & {
  readonly receivable: string
  readonly paid: string
}

/**
 * The bills that ask for the money of orders, which they name by `refType` and the id of the order: the
 * whole, or parts of a split one. Uses bill_ref.
 */
export async function findBillsOfOrders(
  db: Pick<Db, 'rows'>,
  ownerId: Id,
  refType: string,
  orderIds: readonly Id[],
): Promise<OrderBill[]> {
  const rows = await db.rows<OrderBillRow>(sql`
    select b.id, b.ref_id as order_id, b.pay_state = ${code(payState, 'paid')} as is_paid,
      (b.amount - b.discount_amount)::text as receivable, b.paid_principal::text as paid
    from bill b
    where b.owner_id = ${ownerId}
      and b.ref_type = ${refType}
      and b.ref_id = any(${[...orderIds]}::bigint[])
      and ${notDeleted('b')}
      and b.state in ${codes(billState, 'pending', 'normal')}
    order by b.id
  `)
  return rows.map(row => ({ ...row, receivable: parseYuan(row.receivable), paid: parseYuan(row.paid) }))
}

/** Those of one order. */
export const findOrderBills = (
  db: Pick<Db, 'rows'>,
  ownerId: Id,
  refType: string,
  orderId: Id,
): Promise<OrderBill[]> => findBillsOfOrders(db, ownerId, refType, [orderId])

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

/** Those of these orders of whose bills money has gone back, whatever became of the bills. Uses bill_ref. */
export const findRefundedOrders = async (
  db: Pick<Db, 'rows'>,
  ownerId: Id,
  refType: string,
  orderIds: readonly Id[],
): Promise<ReadonlySet<Id>> => {
  const rows = await db.rows<{ id: Id }>(sql`
    select distinct ref_id as id
    from bill
    where owner_id = ${ownerId}
      and ref_type = ${refType}
      and ref_id = any(${[...orderIds]}::bigint[])
      and refund_state <> ${code(refundState, 'none')}
  `)
  return new Set(rows.map(({ id }) => id))
}
