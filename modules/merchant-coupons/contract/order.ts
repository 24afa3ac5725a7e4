import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, idOf, int, lines, lookup, moment, money, ref, text } from '#kit/contract/field.ts'
import {
  byId,
  extendShape,
  listOfRows,
  reasonField,
  recordIdField,
  recordOf,
  shape,
} from '#kit/contract/shape.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { payMethod } from '#modules/payments/contract/choices.ts'
import { menu } from '../module.ts'
import { merchantOrderState, merchantOrderType } from './choices.ts'

const internalOnly = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const
const inDetail = { hiddenIn: ['table', 'filter'] } as const
const { permissions } = menu.order

/** What a merchant buys; its bill holds the money. */
export const merchantOrder = entity(
  'merchantOrder',
  '商户订单',
  { table: 'merchant_order', tenancy: 'project', title: 'orderNo', order: ['-id'] },
  {
    projectCode: estateField(),
    orderNo: text('订单号', { required: true, max: 30, searchable: true, wire: 'OrderNo' }),
    merchantId: ref('商户', 'merchant', {
      required: true,
      wire: ['MerchantID', 'MerchantId'],
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    buildCode: buildingThrough('merchantId'),
    merchantName: lookup('商户', 'merchantId', 'name', { wire: 'MerchantName' }),
    orderType: choice('类型', merchantOrderType, { required: true, initial: 'coupon', ...inDetail }),
    totalQty: int('数量', { required: true, wire: 'TotalQty' }),
    totalAmount: money('金额', { required: true }),
    discountAmount: money('优惠', { required: true }),
    payableAmount: money('应付', { required: true, wire: 'PayableAmount' }),
    paidAmount: money('实付', { required: true }),
    payMethod: choice('支付方式', payMethod),
    orderTime: moment('下单时间', { required: true, wire: 'OrderTime' }),
    payTime: moment('支付时间', { wire: 'PayTime' }),
    /** What has expired unpresented may be returned, too. */
    refundsExpired: flag('过期可退', {
      required: true,
      initial: false,
      wire: 'ExpiredRefundable',
      ...inDetail,
    }),
    refundedQty: int('退券数量', { required: true, initial: 0, wire: 'RefundedQty', hiddenIn: ['filter'] }),
    refundedAmount: money('退款金额', {
      required: true,
      initial: 0,
      wire: 'RefundedAmount',
      hiddenIn: ['filter'],
    }),
    /** What was paid less what went back: what was really bought. */
    netAmount: money('净收', { required: true, initial: 0, wire: 'NetAmount', hiddenIn: ['filter'] }),
    refundTime: moment('退款时间', { wire: 'RefundTime', ...inDetail }),
    billId: idOf('账单', { wire: 'BillID', ...internalOnly }),
    payOrderId: idOf('支付单', { wire: 'PayOrderID', ...internalOnly }),
    /** The return that is asked for and not through. */
    refundId: idOf('退款单', { wire: 'RefundID', ...internalOnly }),
    operatorName: text('下单人', { max: 40, hiddenIn: ['filter'] }),
    reason: text('原因', { max: 200, ...inDetail }),
    remark: text('备注', { max: 200, ...inDetail }),
    state: choice('状态', merchantOrderState, {
      required: true,
      initial: 'pending',
      struckOut: ['cancelled', 'refunded'],
    }),
  },
)

export type MerchantOrder = Row<typeof merchantOrder>

export const merchantOrders = crud(merchantOrder, {
  path: 'merchant/v1/merchantorder',
  permissions,
  operations: ['list', 'get'],
  filters: ['merchantId', 'state', 'payMethod', 'orderTime', 'payTime', 'paidAmount'],
  sums: [
    'totalQty',
    'totalAmount',
    'discountAmount',
    'payableAmount',
    'paidAmount',
    'refundedQty',
    'refundedAmount',
    'netAmount',
  ],
  list: { route: 'GET merchant/v1/merchantorder/get', aliases: ['MerchantOrder/Get'] },
  get: { route: 'GET merchant/v1/merchantorder/getone', aliases: ['MerchantOrder/Getone'] },
})

export const { list: listMerchantOrders, get: getMerchantOrder } = merchantOrders

export const exportMerchantOrders = crudExport(merchantOrders, {
  needs: permissions.export,
  route: 'GET merchant/v1/merchantorder/export',
  label: '停车券订单',
})

/** One coupon of an order. */
export const merchantOrderDetail = entity(
  'merchantOrderDetail',
  '商户订单明细',
  { table: 'merchant_order_detail', tenancy: 'project', title: 'couponName', order: ['id'] },
  {
    projectCode: estateField(),
    orderId: idOf('订单', { required: true, wire: 'OrderID', hiddenIn: ['table', 'filter'] }),
    couponId: ref('停车券', 'merchantCoupon', {
      required: true,
      wire: ['CouponID', 'CouponId'],
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    couponName: lookup('停车券', 'couponId', 'couponName', { wire: 'CouponName' }),
    qty: int('数量', { required: true, wire: 'Qty' }),
    unitPrice: money('单价', { required: true, wire: 'UnitPrice' }),
    amount: money('金额', { required: true }),
    refundedQty: int('已退', { required: true, initial: 0, wire: 'RefundedQty' }),
  },
)

export type MerchantOrderDetail = Row<typeof merchantOrderDetail>

const detailRows = lines('明细', merchantOrderDetail.fields, { required: true, wire: 'Details' })

export const getOrderAndDetails = call({
  route: 'GET merchant/v1/merchantorder/getorderanddetailbyid',
  title: '商户订单及明细',
  needs: permissions.view,
  input: byId,
  output: extendShape(recordOf(merchantOrder), { details: detailRows }),
})

export const listOrderDetails = call({
  route: 'GET MerchantOrder/GetOrderDetail',
  title: '商户订单明细',
  needs: permissions.view,
  input: byId,
  output: listOfRows({ ...merchantOrderDetail.fields }, { entity: 'merchantOrderDetail' }),
})

/** What was paid for an order, and paid back. */
export const listOrderPayments = call({
  route: 'GET MerchantOrder/GetPaymentRecord',
  title: '商户订单收款记录',
  needs: permissions.view,
  input: byId,
  output: listOfRows({
    recordId: idOf('收款记录', { required: true, wire: 'RecordID' }),
    recordNo: text('流水号', { required: true, max: 30, wire: 'RecordNo' }),
    amount: money('金额', { required: true }),
    payMethod: choice('支付方式', payMethod, { required: true }),
    payTime: moment('时间', { required: true }),
  }),
})

export const maxQty = 100_000

export const buyLines = {
  couponId: ref('停车券', 'merchantCoupon', { required: true, wire: ['CouponID', 'CouponId'] }),
  qty: int('数量', { required: true, min: 1, max: maxQty, initial: 1, wire: 'Qty' }),
}

/** What changes with an order: its stock is the merchant's. */
export const affectedByOrders = [
  'merchantOrder',
  'merchantOrderDetail',
  'merchantOrderReturn',
  'merchantCoupon',
  'merchantStock',
  'merchantStockRecord',
  'bill',
  'payOrder',
  'feeRefund',
  'payRecord',
]

/** An order with its bill, which waits for its payment. */
export const saveMerchantOrder = call({
  route: 'POST merchant/v1/merchantorder/save',
  aliases: ['MerchantOrder/Post'],
  title: '商户下单',
  needs: permissions.buy,
  input: shape(
    {
      merchantId: merchantOrder.fields.merchantId,
      details: lines('停车券', buyLines, { required: true, max: 20, wire: 'Details' }),
      discountAmount: money('优惠', { min: 0, initial: 0 }),
      refundsExpired: flag('过期可退', { initial: false, wire: 'ExpiredRefundable' }),
      remark: merchantOrder.fields.remark,
    },
    { entity: 'merchantOrder' },
  ),
  output: recordOf(merchantOrder),
  affects: affectedByOrders,
})

/** PAY-2: money that staff have received. */
export const payMerchantOrderOffline = call({
  route: 'POST merchant/v1/merchantorder/saveofflinepay',
  title: '登记商户订单收款',
  needs: permissions.offline,
  input: shape({
    id: recordIdField,
    payMethod: choice('支付方式', payMethod, { required: true, initial: 'transfer' }),
    amount: money('实收', { required: true, min: 0 }),
    remark: text('备注', { max: 200 }),
  }),
  output: recordOf(merchantOrder),
  affects: affectedByOrders,
})

export const cancelMerchantOrder = call({
  route: 'PUT merchant/v1/merchantorder/cancel',
  title: '取消商户订单',
  needs: permissions.cancel,
  input: shape({ id: recordIdField, reason: reasonField }),
  output: recordOf(merchantOrder),
  affects: affectedByOrders,
})
