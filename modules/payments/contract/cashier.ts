import { defined } from '#kit/domain/defined.ts'
import { call } from '#kit/contract/call.ts'
import {
  choice,
  day,
  decimal,
  flag,
  idOf,
  int,
  lines,
  list,
  moment,
  money,
  text,
} from '#kit/contract/field.ts'
import { bulkResult, listOfRows, shape, singleValue } from '#kit/contract/shape.ts'
import { discountFields } from '#modules/bills/contract/adjustments.ts'
import { billIdsField } from '#modules/bills/contract/list.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { feeType, payerSide, sourceType } from '#modules/fees/contract/choices.ts'
import { menu } from '../module.ts'
import { payMethod } from './choices.ts'

const sourceFields = {
  sourceType: choice('对象类型', sourceType, { required: true }),
  sourceCode: text('对象编码', { required: true, max: 40 }),
  sourceName: text('收费对象', { required: true }),
}

/**
 * One search for whatever a payer may name: room, phone, plate, name, company, bill or receipt number
 * (BILL-11). At most twenty, in the order of `rankSearch`, each with the text by which it was found.
 */
export const findPayers = call({
  route: 'GET finance/v1/Cashier/GetFind',
  title: '收银台搜索',
  needs: menu.cashier.permissions.view,
  input: shape({
    projectCode: estateField<true>(),
    keyword: text('关键字', { required: true, min: 1, max: 40, wire: 'KeyWord' }),
  }),
  output: listOfRows({
    ...sourceFields,
    note: text('住户或说明'),
    matchedLabel: text('匹配字段', { required: true }),
    matchedText: text('匹配内容'),
    count: int('待缴张数', { required: true }),
    unpaid: money('未缴', { required: true }),
  }),
})

export const cashierBill = {
  billId: idOf('账单', { required: true, wire: 'BillID' }),
  billNo: text('账单号', { required: true }),
  feeItemName: text('收费项目', { required: true }),
  payerName: text('缴费人'),
  remark: text('备注'),
  feeType: choice('费用类型', feeType, { required: true }),
  beginDate: day('账期起', { required: true }),
  endDate: day('账期止', { required: true }),
  dueDate: day('应缴日', { required: true }),
  overdueDays: int('逾期天数', { required: true }),
  receivable: money('应收', { required: true }),
  discount: money('减免', { required: true }),
  paid: money('已收本金', { required: true }),
  principal: money('未收本金', { required: true }),
  late: money('违约金', { required: true }),
  total: money('本次缴', { required: true }),
  selectedByDefault: flag('默认勾选', { required: true, wire: 'Ticked' }),
  refusal: text('不能缴费的原因'),
}

const sourceInput = {
  projectCode: estateField<true>(),
  sourceType: sourceFields.sourceType,
  sourceCode: sourceFields.sourceCode,
}

/**
 * What the cashier needs of one object: who pays, what the object and its parking places owe today, the
 * payer's prestore, the last payment.
 */
export const getCashierView = call({
  route: 'GET finance/v1/Cashier/GetDesk',
  title: '收银台',
  needs: menu.cashier.permissions.view,
  input: shape(sourceInput),
  output: shape({
    ...sourceFields,
    roomId: idOf('房间', { wire: 'RoomID' }),
    area: decimal('计费面积'),
    payerKind: choice('缴费人类别', payerSide),
    payerId: idOf('缴费人', { wire: 'PayerID' }),
    payerName: text('缴费人'),
    payerMobile: text('电话', { masked: 'mobile' }),
    relation: text('身份'),
    groups: lines(
      '对象',
      { ...sourceFields, bills: lines('账单', cashierBill, { required: true }) },
      { required: true },
    ),
    others: lines(
      '同一缴费人的其他对象',
      { ...sourceFields, count: int('张数', { required: true }), unpaid: money('未缴', { required: true }) },
      { required: true },
    ),
    prestore: lines(
      '预存',
      {
        itemId: idOf('限定项目', { required: true, wire: 'FeeItemID' }),
        name: text('名称', { required: true }),
        amount: money('余额', { required: true }),
      },
      { required: true, wire: 'Purses' },
    ),
    lastPayTime: moment('上次缴费'),
    lastPayAmount: money('上次金额'),
    lastPayMethod: choice('上次方式', payMethod),
    lastPayMixed: flag('上次组合支付'),
    lastRecordId: idOf('上次记录', { wire: 'LastRecordID' }),
    promise: day('承诺缴费日'),
    openOrders: lines(
      '待支付的支付单',
      { orderNo: text('支付单号', { required: true }), amount: money('订单金额', { required: true }) },
      { required: true },
    ),
    roundOff: int('抹零方式', { required: true }),
    allowPartial: flag('允许部分缴费', { required: true }),
    changeLimit: money('找零核对起点', { required: true }),
    backDateDays: int('补录天数', { required: true }),
  }),
})

/** The payer's phone in full, for somebody who may see it; that it was shown is logged (PERM-7). */
export const revealPayerMobile = call({
  route: 'POST finance/v1/Cashier/PostShown',
  title: '查看缴费人电话',
  needs: menu.cashier.permissions.pay,
  input: shape(sourceInput),
  output: singleValue(text('完整电话', { required: true })),
})

/**
 * A discount on bills by a cashier who may give one, on all of them or on none; the history of the bills
 * shows it.
 */
export const discountCashierBills = call({
  route: 'PUT finance/v1/Cashier/PutDiscount',
  title: '现场减免',
  needs: menu.cashier.permissions.discount,
  input: shape({
    ids: list('账单', {
      required: true,
      max: 500,
      wire: ['Ids', 'BillIDs'],
      rule: defined(billIdsField().rule),
    }),
    ...discountFields,
  }),
  output: bulkResult,
  affects: ['bill', 'billAdjust'],
})
