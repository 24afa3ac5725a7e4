import { act, withReason } from '#kit/web/acts.ts'
import { confirm } from '#kit/web/confirm.tsx'
import { yuan } from '#kit/web/figure.tsx'
import { go } from '#kit/web/go.ts'
import { toast } from '#kit/web/toast.ts'
import type { Verbs } from '#kit/web/verb.tsx'
import { cancelOrders, payByBalance, type ProductOrder } from '../contract/order.ts'
import { menu } from '../module.ts'
import { places } from './places.ts'

export const cancel = withReason<ProductOrder>(cancelOrders, {
  what: '笔',
  verb: '取消订单',
  name: o => o.orderNo,
  follows: ['订单取消后不能恢复，需要时请重新下单', '开通中的增值服务随订单一起取消'],
  presets: ['不再需要', '数量或月数填错'],
})

/** Pays an order out of the balance, after saying what it takes. */
export async function pay(o: ProductOrder): Promise<void> {
  if (
    !(await confirm({
      title: `用余额支付 ${yuan(o.amount, true)}`,
      text: `${o.productName}，订单 ${o.orderNo}。支付后立即生效，金额从账户余额中扣除。`,
      ok: '支付',
    }))
  )
    return
  const done = await act(payByBalance, { id: o.id })
  toast.success(done.newExpire ? `已支付，有效期至 ${done.newExpire}` : '已支付')
}

/** What is no longer as it was once an order has been paid by a channel, or the balance filled up. */
export const payOnlineStale = [
  'productOrder',
  'incrementNode',
  'propertyApp',
  'product',
  'property',
  'accountEntry',
] as const

export const verbsOf = (o: ProductOrder): Verbs =>
  o.state === 'pending'
    ? [
        { label: '余额支付', may: menu.order.may.pay, run: () => pay(o).catch(() => undefined) },
        cancel.row(o),
      ]
    : []

/** After an order is made: told, and shown where it can be paid or cancelled. */
export function ordered(o: ProductOrder): void {
  toast.success(`已创建订单 ${o.orderNo}`)
  go(places.pending())
}
