import { call, publicAccess } from '#kit/contract/call.ts'
import { choice, flag, idOf, int, lines, list, moment, money, text } from '#kit/contract/field.ts'
import { noData, shape } from '#kit/contract/shape.ts'
import { bill } from '#modules/bills/contract/bill.ts'
import { orderState, payMethod, recordState } from '#modules/payments/contract/choices.ts'
import {
  homeKeyField,
  residentReadsPerMinute,
  residentTokenField,
  residentWritesPerMinute,
} from '#modules/resident-page/contract/home.ts'

const basePath = 'resident/v1/Bill'

/** Paid at once on a phone; who owes more pays in parts, or at the counter. */
export const maxBillsOnPhone = 200

const read = { needs: publicAccess, perMinute: residentReadsPerMinute } as const
const write = { needs: publicAccess, perMinute: residentWritesPerMinute } as const

const asked = { token: residentTokenField, home: homeKeyField } as const

const place = {
  estateName: text('项目', { required: true, wire: 'EstateName' }),
  placeName: text('地点', { required: true, wire: 'PlaceName' }),
  servicePhone: text('服务电话', { wire: 'ServicePhone' }),
} as const

const { feeItemName, sourceName, beginDate, endDate, dueDate } = bill.fields

const chargeFacts = { feeItemName, sourceName, beginDate, endDate } as const

const dueLine = {
  billId: idOf('账单', { required: true, wire: 'BillID' }),
  ...chargeFacts,
  /** What it is for, of a bill of an order: the activity, the work order. */
  subject: text('事项'),
  dueDate,
  overdueDays: int('逾期天数', { required: true }),
  principal: money('本金', { required: true }),
  late: money('违约金', { required: true }),
  total: money('合计', { required: true }),
  /** Their first character only. */
  payerName: text('缴费人', { wire: 'PayerName' }),
  /** What begins by this month; a deposit is paid apart from the rest (C27-8). */
  isSelected: flag('默认勾选', { required: true, wire: 'Selected' }),
  isDeposit: flag('押金', { required: true, wire: 'IsDeposit' }),
  refusal: text('不能缴费的原因'),
} as const

const orderNo = text('订单号', { required: true, max: 30, wire: 'OrderId' })
const payUrl = text('支付地址', { required: true, wire: 'Url' })

const openOrderLine = {
  orderNo,
  amount: money('金额', { required: true }),
  url: payUrl,
  expireTime: moment('过期时间', { required: true }),
  /** Its time is over, and whether money came is not known yet: nobody pays it again. */
  isUndecided: flag('结果确认中', { required: true, wire: 'Undecided' }),
} as const

const paidLine = {
  recordId: idOf('收款记录', { required: true, wire: 'RecordID' }),
  receiptNo: text('收据号'),
  payTime: moment('缴费时间', { required: true }),
  method: choice('支付方式', payMethod, { required: true }),
  state: choice('状态', recordState, { required: true }),
  /** Of this home alone, less what was refunded. */
  amount: money('金额', { required: true }),
  itemNames: text('收费项目', { required: true, wire: 'ItemNames' }),
} as const

export const listResidentBills = call({
  route: `GET ${basePath}/Get`,
  title: '住户的账单',
  ...read,
  input: shape(asked),
  output: shape({
    ...place,
    /** The oldest, as many as one payment takes. */
    bills: lines('待缴账单', dueLine, { required: true, wire: 'Bills' }),
    owedCount: int('待缴笔数', { required: true, wire: 'OwedCount' }),
    owedTotal: money('待缴合计', { required: true, wire: 'OwedTotal' }),
    /** Why nothing can be paid here; absent where it can. */
    payRefusal: text('不能在线缴费的原因', { wire: 'PayRefusal' }),
    openOrders: lines('待支付的支付单', openOrderLine, { required: true, wire: 'Orders' }),
    paid: lines('缴费记录', paidLine, { required: true, wire: 'Paid' }),
  }),
})

export type ResidentBills = NonNullable<typeof listResidentBills.output.T>

/** An order that holds the bills (PAY-1); the amount is what the page shows. */
export const payResidentBills = call({
  route: `POST ${basePath}/Pay`,
  title: '住户支付账单',
  ...write,
  input: shape({
    ...asked,
    billIds: list('账单', { required: true, max: maxBillsOnPhone, wire: ['BillIDs', 'BillIds'] }),
    amount: money('金额', { required: true, min: 0 }),
  }),
  output: shape({ orderNo, url: payUrl }),
})

export const getResidentOrder = call({
  route: `GET ${basePath}/GetOrder`,
  title: '住户支付结果',
  ...read,
  input: shape({ ...asked, orderNo }),
  output: shape({
    ...place,
    amount: money('金额', { required: true }),
    url: payUrl,
    state: choice('支付状态', orderState, { required: true }),
    /** Money that came for bills which something else had paid: it is in the payer's account (PAY-5). */
    isCredited: flag('已转预存', { required: true, wire: 'ToPrestore' }),
    recordId: idOf('收款记录', { wire: 'RecordID' }),
  }),
})

/** Lets go of the bills of an order that is not paid. */
export const cancelResidentOrder = call({
  route: `PUT ${basePath}/CancelOrder`,
  title: '住户取消支付',
  ...write,
  input: shape({ ...asked, orderNo }),
  output: noData,
})

const receiptLine = { ...chargeFacts, principal: dueLine.principal, late: dueLine.late } as const

export const getResidentReceipt = call({
  route: `GET ${basePath}/GetReceipt`,
  title: '住户的收据',
  ...read,
  input: shape({ ...asked, recordId: paidLine.recordId }),
  output: shape({
    ...place,
    companyName: text('收款单位', { required: true, wire: 'CompanyName' }),
    recordNo: text('流水号', { required: true }),
    receiptNo: paidLine.receiptNo,
    payTime: paidLine.payTime,
    method: paidLine.method,
    state: paidLine.state,
    payerName: dueLine.payerName,
    amount: money('金额', { required: true }),
    refunded: money('已退', { required: true }),
    details: lines('明细', receiptLine, { required: true, wire: 'Details' }),
  }),
})

export type ResidentReceipt = NonNullable<typeof getResidentReceipt.output.T>
