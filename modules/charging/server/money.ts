import { parseId, type Id } from '#kit/domain/id.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById, update } from '#kit/server/table.ts'
import { issueBatch, payableBills } from '#modules/bills/server/public.ts'
import { feeItem } from '#modules/fees/contract/item.ts'
import { refundPartOfBill, settle, type ReceivedPayment } from '#modules/payments/server/public.ts'
import { chargerOrder } from '../contract/order.ts'
import type { StoredOrder } from './stored-order.ts'

export interface BookedIncome {
  readonly recordId: Id
  readonly billId: Id
}

const placeOf = ({ hubNo, portNo }: Pick<StoredOrder, 'hubNo' | 'portNo'>): string =>
  `充电桩 ${hubNo} ${portNo} 号端口`

/** What was paid, as income of the fee item: a bill of the project itself, paid at once (TMP-4). */
export async function bookIncome(
  tx: Tx,
  scope: Scope,
  order: Pick<StoredOrder, 'projectCode' | 'orderNo' | 'feeItemId' | 'hubNo' | 'portNo'>,
  payment: Pick<ReceivedPayment, 'amount' | 'at' | 'method'> & { readonly orderId?: Id },
): Promise<BookedIncome> {
  const { projectCode, orderNo } = order
  const day = dayOfMoment(payment.at)
  const item = await requireById(tx, feeItem, scope, order.feeItemId)
  const issued = await issueBatch(
    tx,
    scope,
    { project: projectCode, source: 'otherIncome', state: 'normal' },
    'temporary',
    [
      {
        sourceType: 'publicArea',
        sourceCode: projectCode,
        sourceName: placeOf(order),
        item,
        begin: day,
        end: day,
        amount: payment.amount,
        dueDate: day,
        canOverlap: true,
        remark: `充电订单 ${orderNo}`,
      },
    ],
    day,
    { message: `充电订单 ${orderNo}` },
  )
  const billId = parseId(issued.ids[0])
  const bills = await payableBills(tx, scope, [billId], day, { lock: true })
  const { recordId } = await settle(tx, scope, {
    projectCode,
    type: 'payment',
    bills,
    allocations: [{ billId, principal: payment.amount, late: 0 }],
    tenders: [{ method: payment.method, amount: payment.amount }],
    change: 0,
    toPrestore: 0,
    payer: {},
    sourceName: placeOf(order),
    order: payment.orderId,
    at: payment.at,
    cashier: { id: 0, name: '扫码充电' },
    remark: `充电订单 ${orderNo}`,
  })
  return { recordId, billId }
}

/**
 * Asks once for what goes back to where it came from; the caller has locked today and the order. The order
 * names its refund, so that nothing asks for another.
 */
export async function refundOrder(
  tx: Tx,
  scope: Scope,
  order: Pick<StoredOrder, 'id' | 'billId' | 'orderNo' | 'refundId'>,
  amount: Fen,
  reason: string,
  now: Moment,
): Promise<void> {
  if (amount <= 0 || order.billId === undefined || order.refundId !== undefined) return
  await refundPartOfBill(
    tx,
    scope,
    {
      billId: order.billId,
      amount,
      refundWay: 'original',
      reason: `充电订单 ${order.orderNo}：${reason}`,
      isMeasured: true,
      onAsked: ({ id }) => update(tx, chargerOrder, scope, order.id, { refundId: id }),
    },
    now,
  )
}
