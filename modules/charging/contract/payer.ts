import { call, publicAccess } from '#kit/contract/call.ts'
import { choice, decimal, flag, int, lines, list, moment, money, text } from '#kit/contract/field.ts'
import { shape } from '#kit/contract/shape.ts'
import { rules } from '#kit/contract/rules.ts'
import { chargeMode, orderState, portState, stopReason } from './choices.ts'

const basePath = 'charger/v1/Payer'
const token = text('凭证', { required: true, max: 200, wire: ['Token', 't'] })

const site = {
  estateName: text('项目', { required: true, wire: 'EstateName' }),
  companyName: text('物业公司', { required: true, wire: 'CompanyName' }),
  servicePhone: text('服务电话', { wire: 'ServicePhone' }),
  hubName: text('充电桩', { required: true, wire: 'HubName' }),
  hubNo: text('桩号', { required: true, wire: 'HubNo' }),
  portNo: int('端口', { required: true, wire: 'PortNo' }),
} as const

const portPage = shape({
  ...site,
  portState: choice('端口状态', portState, { required: true, wire: 'PortState' }),
  /** Why nobody can charge here now. */
  refusal: text('不能充电的原因', { wire: 'Refusal' }),
  mode: choice('计费方式', chargeMode, { wire: 'Mode' }),
  prices: list('价格', { required: true, wire: 'Prices' }),
  amounts: lines(
    '预付金额',
    { amount: money('金额', { required: true, wire: 'Amount' }) },
    {
      required: true,
      wire: 'Amounts',
    },
  ),
  packages: lines(
    '套餐',
    {
      hours: int('小时', { required: true, wire: 'Hours' }),
      price: money('价格', { required: true, wire: 'Price' }),
    },
    { required: true, wire: 'Packages' },
  ),
})

export type PortPage = NonNullable<typeof portPage.T>

/** What the QR code on a port opens. */
export const openPort = call({
  route: `GET ${basePath}/OpenPort`,
  title: '打开充电端口',
  needs: publicAccess,
  perMinute: 600,
  input: shape({ token }),
  output: portPage,
})

/** An order with its payment; a package by its hours, else the amount that is prepaid. */
export const placeChargerOrder = call({
  route: `POST ${basePath}/PlaceOrder`,
  title: '扫码充电下单',
  needs: publicAccess,
  perMinute: 30,
  affects: ['chargerOrder'],
  input: shape({
    token,
    amount: money('预付金额', { min: 100, max: 99_900, wire: 'Amount' }),
    hours: int('套餐小时', { min: 1, max: 72, wire: 'Hours' }),
    mobile: text('手机', { max: 11, rule: rules.mobile, wire: 'Mobile' }),
    /** Of one press of the button, however often it is sent: one order. */
    requestKey: text('请求编号', { min: 8, max: 40, wire: 'RequestKey' }),
  }),
  output: shape({
    orderToken: text('订单凭证', { required: true, wire: 'OrderToken' }),
    payUrl: text('付款地址', { required: true, wire: 'PayUrl' }),
  }),
})

const orderPage = shape({
  ...site,
  orderNo: text('订单', { required: true, wire: 'OrderNo' }),
  state: choice('状态', orderState, { required: true, wire: 'State' }),
  stateText: text('进度', { required: true, wire: 'StateText' }),
  prepaid: money('预付', { required: true, wire: 'Prepaid' }),
  beginTime: moment('开始', { wire: 'BeginTime' }),
  endTime: moment('结束', { wire: 'EndTime' }),
  minutes: int('时长', { required: true, wire: 'Minutes' }),
  energyKwh: decimal('电量', { required: true, scale: 4, wire: 'EnergyKwh' }),
  /** So far, or in the end. */
  fee: money('费用', { required: true, wire: 'Fee' }),
  refund: money('退款', { required: true, wire: 'Refund' }),
  stopReason: choice('停止原因', stopReason, { wire: 'StopReason' }),
  canStop: flag('可停止', { required: true, wire: 'CanStop' }),
  payUrl: text('付款地址', { wire: 'PayUrl' }),
})

export type OrderPage = NonNullable<typeof orderPage.T>

export const openChargerOrder = call({
  route: `GET ${basePath}/OpenOrder`,
  title: '打开充电订单',
  needs: publicAccess,
  perMinute: 600,
  input: shape({ token }),
  output: orderPage,
})

export const stopOwnCharge = call({
  route: `POST ${basePath}/StopOrder`,
  title: '扫码停止充电',
  needs: publicAccess,
  perMinute: 30,
  affects: ['chargerOrder'],
  input: shape({ token }),
  output: orderPage,
})
