import { call } from '#kit/contract/call.ts'
import { idOf, int, lines, money, text } from '#kit/contract/field.ts'
import { byId, noData, recordOf, shape } from '#kit/contract/shape.ts'
import { orderShape } from '#modules/payments/contract/order.ts'
import { menu } from '../module.ts'
import { productOrder } from './order.ts'

/** What short messages cost, in the quantities that are offered. */
export const listSmsPackages = call({
  route: 'GET PropertySmsusable/GetPackages',
  title: '短信套餐',
  needs: menu.increment.permissions.view,
  input: noData,
  output: shape({
    productId: idOf('产品', { required: true, wire: 'ProductID' }),
    price: money('单价', { required: true }),
    minQuantity: int('起订数量', { required: true }),
    packages: lines(
      '套餐',
      {
        packageName: text('套餐', { required: true, max: 40, wire: 'PackageName' }),
        qty: int('条数', { required: true, wire: 'Qty' }),
        amount: money('金额', { required: true, wire: 'Amount' }),
      },
      { required: true, wire: 'Packages' },
    ),
  }),
})

/** Orders short messages; the quota is credited once, when the order is paid (SMS-4). */
export const orderSms = call({
  route: 'POST PropertySmsusable/GetPaySmsRecordId',
  title: '购买短信',
  needs: menu.increment.permissions.add,
  input: shape({ qty: int('条数', { required: true, min: 1, max: 1_000_000, wire: 'Qty' }) }),
  output: recordOf(productOrder),
  affects: ['productOrder', 'incrementNode'],
})

/** The pay order of an order of short messages, with the address for the phone. */
export const getSmsPayUrl = call({
  route: 'GET PropertySmsusable/GetPaySmsUrl',
  title: '短信订单的支付地址',
  needs: menu.order.permissions.pay,
  input: byId,
  output: orderShape,
})
