import { call } from '#kit/contract/call.ts'
import { choice, day, flag, idOf, int, lines, moment, money, text } from '#kit/contract/field.ts'
import { byId, pageOf, listOfRows, search, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { bill, billAdjust } from './bill.ts'
import { adjustType, reminderChannel, reminderState } from './choices.ts'

const explanationFields = {
  label: text('步骤', { required: true }),
  words: text('说明', { required: true }),
  amount: money('金额'),
}

/** One bill with its calculation, payments, changes and reminders. */
export const getBill = call({
  route: 'GET finance/v1/FeeBill/GetOne',
  aliases: ['Feebill/GetOne'],
  title: '查看账单',
  needs: menu.bill.permissions.view,
  input: byId,
  output: shape({
    ...bill.fields,
    standardName: text('收费标准'),
    operatorName: text('出账人'),
    parentNo: text('拆分自'),
    replacesNo: text('替换'),
    replacedByNo: text('被替换为'),
    children: lines('拆分出的账单', {
      id: idOf('编号', { required: true }),
      billNo: text('账单号', { required: true }),
      beginDate: day('起', { required: true }),
      endDate: day('止', { required: true }),
      receivable: money('应收', { required: true }),
      unpaid: money('未缴', { required: true }),
    }),
    explanation: lines('计费明细', explanationFields, { required: true }),
    exact: flag('与快照一致', { required: true }),
    moves: lines(
      '收退款',
      {
        day: day('日期', { required: true }),
        principal: money('本金', { required: true }),
        lateFee: money('违约金', { required: true }),
      },
      { required: true },
    ),
    adjusts: lines(
      '调整',
      {
        time: moment('时间', { required: true }),
        adjustType: choice('类型', adjustType, { required: true }),
        oldValue: text('原值'),
        newValue: text('新值'),
        amount: money('影响金额', { required: true }),
        reason: text('原因'),
        operatorName: text('操作人'),
      },
      { required: true },
    ),
    notices: lines(
      '催缴',
      {
        id: idOf('编号', { required: true }),
        time: moment('时间', { required: true }),
        channel: choice('渠道', reminderChannel, { required: true }),
        level: int('级别', { required: true }),
        state: choice('结果', reminderState, { required: true }),
        content: text('内容', { required: true }),
        promiseDate: day('承诺缴费日'),
      },
      { required: true },
    ),
  }),
})

/** The changes of a bill, latest first, with old and new values. */
export const getBillHistory = call({
  route: 'GET Feebill/GetHistory',
  title: '账单变更记录',
  needs: menu.bill.permissions.view,
  input: byId,
  output: listOfRows({
    time: moment('时间', { required: true }),
    operatorName: text('操作人', { required: true }),
    what: text('变更', { required: true }),
    oldValue: text('原值'),
    newValue: text('新值'),
    reason: text('原因'),
  }),
})

export const listAdjusts = call({
  route: 'GET Feebill/GetAdjusts',
  title: '账单调整记录',
  needs: menu.bill.permissions.view,
  input: search(billAdjust, ['adjustType', 'createTime'], {
    billId: idOf('账单', { min: 1, wire: 'BillID' }),
  }),
  output: pageOf(billAdjust, { sums: ['amount'] }),
})
