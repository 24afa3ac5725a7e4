import { sendAndInvalidate, createReasonAction } from '#kit/web/record-actions.ts'
import { confirm } from '#kit/web/confirm.tsx'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { toast } from '#kit/web/toast.ts'
import type { Actions } from '#kit/web/action.tsx'
import { cancelOrders, payByBalance, type ProductOrder } from '../contract/order.ts'
import { menu } from '../module.ts'
import { pendingOrdersLink } from './pending-orders.ts'

export const cancelOrderAction = createReasonAction<ProductOrder>(cancelOrders, {
  unit: '笔',
  label: '取消订单',
  nameOf: o => o.orderNo,
  consequences: ['订单取消后不能恢复，需要时请重新下单', '开通中的增值服务随订单一起取消'],
  reasonPresets: ['不再需要', '数量或月数填错'],
})

/** Pays an order out of the balance, after saying what it takes. */
export async function payFromBalance(order: ProductOrder): Promise<void> {
  if (
    !(await confirm({
      title: `用余额支付 ${displayYuanWithSymbol(order.amount)}`,
      text: `${order.productName}，订单 ${order.orderNo}。支付后立即生效，金额从账户余额中扣除。`,
      okLabel: '支付',
    }))
  )
    return
  const done = await sendAndInvalidate(payByBalance, { id: order.id })
  toast.success(done.newExpire ? `已支付，有效期至 ${done.newExpire}` : '已支付')
}

/** What is no longer as it was once an order has been paid by a channel, or the balance filled up. */
export const entitiesChangedByPayment = [
  'productOrder',
  'incrementNode',
  'propertyApp',
  'product',
  'property',
  'accountEntry',
  'smsAccount',
  'smsLedger',
] as const

export const getOrderActions = (order: ProductOrder): Actions =>
  order.state === 'pending'
    ? [
        {
          label: '余额支付',
          needs: menu.order.permissions.pay,
          run: () => payFromBalance(order).catch(() => undefined),
        },
        cancelOrderAction.row(order),
      ]
    : []

/** After an order is made: a message, and a link to where it can be paid or cancelled. */
export function showCreatedOrder(o: ProductOrder): void {
  toast.success(`已创建订单 ${o.orderNo}`)
  navigateTo(pendingOrdersLink())
}
