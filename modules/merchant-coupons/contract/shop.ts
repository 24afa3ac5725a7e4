import { call, publicAccess } from '#kit/contract/call.ts'
import { choice, day, flag, idOf, int, lines, moment, money, month, text } from '#kit/contract/field.ts'
import { noData, reasonField, recordIdField, shape } from '#kit/contract/shape.ts'
import { plateInputField } from '#modules/parking-lanes/contract/stay.ts'
import { menu } from '../module.ts'
import { ticketState } from './choices.ts'
import { tokenField } from './claim.ts'
import { couponIdField } from './coupon.ts'
import { merchantOrder } from './order.ts'

const basePath = 'merchant/v1/shop'
const { link } = menu.ticket.permissions

const shopCoupon = {
  couponId: couponIdField,
  couponName: text('停车券', { required: true, wire: 'CouponName' }),
  valueText: text('优惠', { required: true, wire: 'ValueText' }),
  parkName: text('停车场', { required: true, wire: 'ParkName' }),
  sellPrice: money('售价', { required: true, wire: 'SellPrice' }),
  balance: int('结余', { required: true, wire: 'BalanceQty' }),
  /** The coupon is in use: it can be bought and presented. */
  isOn: flag('可用', { required: true, wire: 'IsOn' }),
}

const shopTicket = {
  id: recordIdField,
  ticketNo: text('券号', { required: true, wire: 'TicketNo' }),
  plateNo: text('车牌', { wire: 'PlateNo' }),
  couponName: text('停车券', { required: true, wire: 'CouponName' }),
  presentTime: moment('发放时间', { required: true, wire: 'PresentTime' }),
  validTo: day('有效期止', { required: true, wire: 'ValidTo' }),
  usedValue: money('抵扣', { wire: 'UsedValue' }),
  state: choice('状态', ticketState, { required: true, wire: 'State' }),
}

const page = shape({
  estateName: text('项目', { required: true, wire: 'EstateName' }),
  servicePhone: text('服务电话', { wire: 'ServicePhone' }),
  merchantName: text('商户', { required: true, wire: 'MerchantName' }),
  coupons: lines('停车券', shopCoupon, { required: true, wire: 'Coupons' }),
  orders: lines(
    '待支付的订单',
    {
      id: recordIdField,
      orderNo: text('订单号', { required: true, wire: 'OrderNo' }),
      totalQty: merchantOrder.fields.totalQty,
      payableAmount: merchantOrder.fields.payableAmount,
    },
    { required: true, wire: 'Orders' },
  ),
  month: month('月份', { required: true, wire: 'Month' }),
  presentedQty: int('发放', { required: true, wire: 'PresentedQty' }),
  usedQty: int('使用', { required: true, wire: 'UsedQty' }),
  usedValue: money('抵扣金额', { required: true, wire: 'UsedValue' }),
  tickets: lines('发放记录', shopTicket, { required: true, wire: 'Tickets' }),
})

export type ShopPage = NonNullable<typeof page.T>

const monthField = month('月份', { wire: 'Month' })

export const openShop = call({
  route: `GET ${basePath}/Open`,
  title: '打开商户页',
  needs: publicAccess,
  perMinute: 600,
  input: shape({ token: tokenField, month: monthField }),
  output: page,
})

const affects = ['merchantTicket', 'merchantStock', 'merchantStockRecord', 'merchantOrder', 'merchantCoupon']

export const presentAtShop = call({
  route: `POST ${basePath}/Present`,
  title: '商户发券',
  needs: publicAccess,
  perMinute: 60,
  input: shape({ token: tokenField, couponId: couponIdField, plateNo: plateInputField }),
  output: page,
  affects,
})

export const withdrawAtShop = call({
  route: `POST ${basePath}/Withdraw`,
  title: '商户撤回停车券',
  needs: publicAccess,
  perMinute: 60,
  input: shape({ token: tokenField, id: recordIdField, reason: reasonField }),
  output: page,
  affects,
})

/** The address where the merchant pays. */
const payAddress = shape({ url: text('支付链接', { required: true, wire: 'PayUrl' }) })

export const buyAtShop = call({
  route: `POST ${basePath}/Buy`,
  title: '商户购券',
  needs: publicAccess,
  perMinute: 20,
  input: shape({
    token: tokenField,
    couponId: couponIdField,
    qty: int('数量', { required: true, min: 1, max: 10_000, wire: 'Qty' }),
  }),
  output: payAddress,
  affects,
})

export const payAtShop = call({
  route: `POST ${basePath}/Pay`,
  title: '商户支付订单',
  needs: publicAccess,
  perMinute: 20,
  input: shape({ token: tokenField, id: recordIdField }),
  output: payAddress,
  affects,
})

export const cancelAtShop = call({
  route: `POST ${basePath}/Cancel`,
  title: '商户取消订单',
  needs: publicAccess,
  perMinute: 20,
  input: shape({ token: tokenField, id: recordIdField }),
  output: page,
  affects,
})

/** The fixed code of a coupon, shown on the phone: it is made once. */
export const showShopCode = call({
  route: `POST ${basePath}/ShowCode`,
  title: '商户出示停车券码',
  needs: publicAccess,
  perMinute: 60,
  input: shape({ token: tokenField, couponId: couponIdField }),
  output: shape({ url: text('地址', { required: true, wire: 'Url' }) }),
  affects: ['merchantCode'],
})

const merchantIdField = idOf('商户', { required: true, min: 1, wire: ['MerchantID', 'MerchantId'] })

/** The link of a merchant to its own page; staff pass it on. */
export const getShopLink = call({
  route: 'GET merchant/v1/shop/GetLink',
  title: '商户手机页链接',
  needs: link,
  input: shape({ merchantId: merchantIdField }),
  output: shape({
    url: text('链接', { wire: 'Url' }),
    isVoid: flag('已作废', { required: true, wire: 'Void' }),
  }),
})

export const renewShopLink = call({
  route: 'PUT merchant/v1/shop/PutLink',
  title: '更换商户手机页链接',
  needs: link,
  input: shape({
    merchantId: merchantIdField,
    isVoid: flag('作废', {
      initial: false,
      wire: 'Void',
      help: '作废后商户不能再使用手机页，重新生成后恢复',
    }),
    reason: reasonField,
  }),
  output: noData,
  affects: ['merchant'],
})
