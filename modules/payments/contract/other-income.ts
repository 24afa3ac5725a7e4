import { call } from '#kit/contract/call.ts'
import { choice, idOf, lines, text } from '#kit/contract/field.ts'
import { listOfRows, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { feeType } from '#modules/fees/contract/choices.ts'
import { menu } from '../module.ts'
import { paymentResultShape } from './payment.ts'
import { methodLine } from './record.ts'

/**
 * Income without an object: goods sold, a place let for a day. The bill and its payment in one action
 * (TMP-4).
 */
export const registerOtherIncome = call({
  route: 'POST finance/v1/FeePayRecord/PostOtherFee',
  title: '登记其他收入',
  needs: menu.cashier.permissions.other,
  output: paymentResultShape,
  affects: ['bill', 'payRecord'],
  input: shape({
    projectCode: estateField<true>(),
    feeItemId: idOf('收费项目', { required: true, min: 1, wire: 'FeeItemID' }),
    content: text('内容', { required: true, min: 2, max: 60, help: '印在收据上，如 旧报纸出售、广场场地费' }),
    methods: lines('收款', methodLine, { required: true, max: 12, wire: ['MethodJson', 'Methods'] }),
    payerName: text('缴费人', { max: 80 }),
    remark: text('备注', { max: 200 }),
  }),
})

/** Items that such income may be booked under: temporary ones and others. */
export const listOtherIncomeItems = call({
  route: 'GET finance/v1/FeePayRecord/GetOtherItems',
  title: '其他收入的收费项目',
  needs: menu.cashier.permissions.other,
  input: shape({}),
  output: listOfRows({
    id: idOf('编号', { required: true, wire: 'ID' }),
    name: text('名称', { required: true }),
    feeType: choice('费用类型', feeType, { required: true }),
  }),
})
