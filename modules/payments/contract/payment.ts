import { call } from '#kit/contract/call.ts'
import {
  choice,
  day,
  flag,
  idOf,
  int,
  lines,
  list,
  moment,
  money,
  text,
  type ValueOf,
} from '#kit/contract/field.ts'
import { shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { payerSide } from '#modules/fees/contract/choices.ts'
import { menu } from '../module.ts'
import { methodLine } from './record.ts'

const billIds = list('账单', { required: true, max: 500, wire: ['BillIDs', 'BillIds'] })

export const dueRow = {
  billId: idOf('账单', { required: true, wire: 'BillID' }),
  principal: money('本金', { required: true }),
  late: money('违约金', { required: true }),
  total: money('合计', { required: true }),
  refusal: text('不能缴费的原因'),
}

/**
 * What selected bills owe on a day, with the late fee of that day, and what is rounded off (PAY-1, PAY-14).
 */
export const quoteBills = call({
  route: 'GET finance/v1/Feecenter/GetFeePayment',
  title: '计算应缴金额',
  needs: menu.cashier.permissions.view,
  input: shape({ billIds, payDay: day('缴费日期') }),
  output: shape({
    rows: lines('账单', dueRow, { required: true, wire: 'Rows' }),
    principal: money('本金', { required: true }),
    late: money('违约金', { required: true }),
    total: money('合计', { required: true }),
    roundOff: money('抹零', { required: true }),
    due: money('应收', { required: true }),
  }),
})

export const payerFields = {
  payerKind: choice('缴费人类别', payerSide),
  payerId: idOf('缴费人', { wire: 'PayerID' }),
  payerName: text('缴费人', { max: 80 }),
}

const payInput = {
  projectCode: estateField(),
  billIds,
  expectAmount: money('应缴合计', {
    required: true,
    min: 0,
    help: '页面显示的本金与违约金合计；与当前不符时不收款',
  }),
  methods: lines('支付方式', methodLine, { required: true, max: 12, wire: ['MethodJson', 'Methods'] }),
  roundOff: flag('抹零', { wire: 'IsRoundOff' }),
  excessToPrestore: flag('多收的转预存', { wire: 'IsToPrestore' }),
  payTime: moment('缴费时间', { help: '补录时填写' }),
  orderNo: text('支付单', { max: 30, wire: 'OrderId', help: '这些账单由尚未发往渠道的支付单锁定时填写' }),
  ...payerFields,
  remark: text('备注', { max: 200 }),
}

export type PayInput = ValueOf<typeof payInput>

export const paymentResultShape = shape({
  recordId: idOf('记录', { required: true, wire: 'RecordID' }),
  recordNo: text('流水号', { required: true }),
  receiptNo: text('收据号', { required: true }),
  tendered: money('收到', { required: true }),
  received: money('实收', { required: true }),
  principal: money('本金', { required: true }),
  late: money('违约金', { required: true }),
  roundOff: money('抹零', { required: true }),
  change: money('找零', { required: true }),
  toPrestore: money('转预存', { required: true }),
  unpaid: money('未缴', { required: true, wire: 'Left' }),
  settledCount: int('结清张数', { required: true }),
  unsettledCount: int('未结清张数', { required: true }),
})

/** Pays an order of bills at the counter, whole, before a channel knows it. */
export const payOrderOffline = call({
  route: 'POST finance/v1/PayOrder/PostOffline',
  title: '线下收支付单',
  needs: menu.cashier.permissions.pay,
  input: shape({
    orderNo: text('订单号', { required: true, max: 30, wire: 'OrderId' }),
    methods: payInput.methods,
    excessToPrestore: payInput.excessToPrestore,
  }),
  output: paymentResultShape,
  affects: ['payOrder', 'bill', 'payRecord', 'asset', 'feeRelation'],
})

/** Takes money for bills at the counter, at once (PAY-2). */
export const payBills = call({
  route: 'POST finance/v1/FeePayRecord/PostPayBill',
  aliases: ['POST finance/v1/FeePayRecord/OfflinePay'],
  title: '收款',
  needs: menu.cashier.permissions.pay,
  input: shape(payInput),
  output: paymentResultShape,
  affects: ['bill', 'payRecord', 'asset', 'feeRelation'],
})
