import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, idOf, int, lines, moment, money, text } from '#kit/contract/field.ts'
import { byId, listOfRows, reasonField, recordIdField, recordOf, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { refundWay } from '#modules/payments/contract/choices.ts'
import { menu } from '../module.ts'
import { orderReturnState } from './choices.ts'
import { affectedByOrders, merchantOrder } from './order.ts'

const internalOnly = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const
const { permissions } = menu.order

/** Coupons of an order that went back at one time, and the money for them. */
export const merchantOrderReturn = entity(
  'merchantOrderReturn',
  '商户订单退券',
  { table: 'merchant_order_return', tenancy: 'project', title: 'content', order: ['id'] },
  {
    projectCode: estateField(),
    orderId: idOf('订单', { required: true, wire: 'OrderID', ...internalOnly }),
    refundId: idOf('退款单', { wire: 'RefundID', ...internalOnly }),
    content: text('停车券', { required: true, max: 500 }),
    qty: int('数量', { required: true, wire: 'Qty' }),
    amount: money('退款金额', { required: true }),
    lines: lines(
      '明细',
      {
        detailId: idOf('明细', { required: true, wire: 'DetailID' }),
        qty: int('数量', { required: true, wire: 'Qty' }),
      },
      { required: true, ...internalOnly },
    ),
    askTime: moment('申请时间', { required: true, wire: 'AskTime' }),
    doneTime: moment('退券时间', { wire: 'DoneTime' }),
    operatorName: text('操作人', { max: 40 }),
    reason: text('原因', { max: 200 }),
    state: choice('状态', orderReturnState, { required: true, initial: 'asked' }),
  },
)

export type MerchantOrderReturn = Row<typeof merchantOrderReturn>

/** The returns of an order, the first first. */
export const listOrderReturns = call({
  route: 'GET merchant/v1/merchantorder/getreturns',
  title: '商户订单退券记录',
  needs: permissions.view,
  input: byId,
  output: listOfRows({ ...merchantOrderReturn.fields }, { entity: 'merchantOrderReturn' }),
})

/** What of an order is not presented yet, and what goes back for it. */
export const quoteOrderRefund = call({
  route: 'GET merchant/v1/merchantorder/getrefund',
  title: '商户订单退券试算',
  needs: permissions.refund,
  input: byId,
  output: shape(
    {
      qty: int('可退数量', { required: true, wire: 'Qty' }),
      amount: money('可退金额', { required: true }),
      details: lines(
        '明细',
        {
          couponName: text('停车券', { required: true, max: 40, wire: 'CouponName' }),
          qty: int('可退', { required: true, wire: 'Qty' }),
          expiredQty: int('过期不退', { required: true, wire: 'ExpiredQty' }),
        },
        { required: true, wire: 'Details' },
      ),
    },
    { entity: 'merchantOrder' },
  ),
})

export const refundMerchantOrder = call({
  route: 'PUT merchant/v1/merchantorder/refund',
  title: '商户订单退券',
  needs: permissions.refund,
  input: shape({
    id: recordIdField,
    refundWay: choice('退款方式', refundWay, { required: true, initial: 'original' }),
    reason: reasonField,
  }),
  output: recordOf(merchantOrder),
  affects: affectedByOrders,
})
