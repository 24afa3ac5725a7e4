import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { providePrepaidOrders, releaseBills, removePrepaidBills } from '#modules/bills/server/public.ts'
import type { PayOrder } from '../contract/order.ts'
import { isPrepaidOrder } from '../domain/order.ts'
import { openBillOrder } from './bill-order.ts'
import { lockDays } from './day-lock.ts'
import { orderSubjectOf } from './order-subjects.ts'

// TMP-2: the bills of periods ahead are paid by an order of their own.
providePrepaidOrders({
  lockToday: ({ tx, scope, today }, projectCode) => lockDays(tx, scope.ownerId, projectCode, [today]),
  open: async (context, { projectCode, billIds }) => {
    const { orderNo } = await openBillOrder(context, { projectCode, billIds, payer: {} })
    return orderNo
  },
})

/**
 * What an order held when it ended without payment: prepaid bills go, and their relations are billed as far
 * as before (TMP-2); other bills may be paid again. May run any number of times.
 */
export async function releaseUnpaidOrder(tx: Tx, scope: Scope, order: PayOrder): Promise<void> {
  if (isPrepaidOrder(order)) {
    const billIds = (order.lines ?? []).map(line => line.billId)
    await removePrepaidBills(tx, scope, billIds, order.id)
  }
  await orderSubjectOf(order)?.unpaid?.(tx, scope, order)
  await releaseBills(tx, scope.ownerId, order.id)
}
