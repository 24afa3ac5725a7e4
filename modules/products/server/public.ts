import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { parseYuan, type Fen } from '#kit/domain/money.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { orderState } from '../contract/labels.ts'

export { creditBalance } from './balance.ts'
export {
  applyOrderPayment,
  type OrderPaymentContext,
  type OrderPayment,
  type OrderPaymentOutcome,
} from './order-payment.ts'

/** An order as a payment dialog shows it; payable until it is paid, cancelled or closed. `amount` in fen. */
export interface PayableOrder {
  readonly orderNo: string
  readonly title: string
  readonly amount: Fen
  readonly isPayable: boolean
}

export async function findPayableOrder(
  db: Pick<Db, 'one'>,
  ownerId: Id,
  orderNo: string,
): Promise<PayableOrder | undefined> {
  const order = await db.one<{ orderNo: string; productName: string; amount: string; state: number }>(
    sql`
      select order_no, product_name, amount::text as amount, state
      from product_order
      where owner_id = ${ownerId} and order_no = ${orderNo} and ${notDeleted()}
    `,
  )
  return (
    order && {
      orderNo: order.orderNo,
      title: order.productName,
      amount: parseYuan(order.amount),
      isPayable: order.state === codeOf(orderState, 'pending'),
    }
  )
}
