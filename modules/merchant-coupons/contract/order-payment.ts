import { call } from '#kit/contract/call.ts'
import { byId } from '#kit/contract/shape.ts'
import { orderShape } from '#modules/payments/contract/order.ts'
import { menu } from '../module.ts'
import { affectedByOrders } from './order.ts'

const { permissions } = menu.order

/** The pay order for the phone; the one that waits is answered again. */
export const prepayMerchantOrder = call({
  route: 'POST MerchantOrder/PostPrePay',
  aliases: ['MerchantOrder/PostPrePay_PayCenter'],
  title: '商户订单扫码支付',
  needs: permissions.buy,
  input: byId,
  output: orderShape,
  affects: affectedByOrders,
})

export const getMerchantPayOrder = call({
  route: 'GET MerchantOrder/GetPayOrderUrl',
  title: '商户订单的支付单',
  needs: permissions.view,
  input: byId,
  output: orderShape,
})
