import { call } from '#kit/contract/call.ts'
import { choiceTable, int, month, text } from '#kit/contract/field.ts'
import { shape, without } from '#kit/contract/shape.ts'
import { bill } from '#modules/bills/contract/bill.ts'
import { menu } from '../module.ts'
import { report, some, times } from './report.ts'

const both = { of: bill, needs: menu.report.may.view, exportNeeds: menu.report.may.export }
const beside = { sourceCode: text('对象编码', { max: 40, wire: ['SourceCode', 'RoomCode'] }) }
const rate = { rate: text('收缴率', { help: '已收本金 ÷ 应收' }) }

export const roomBy = choiceTable('RoomBillBy', '汇总方式', {
  source: [1, '收费对象'],
  build: [2, '楼栋'],
  item: [3, '收费项目'],
  month: [4, '所属月份'],
  kind: [5, '对象类型'],
  project: [6, '项目'],
})

/** Bills in force, room by room: what was asked, what came, what is still owed. */
export const roomBills = report({
  key: 'roomBills',
  title: '房间报表',
  filters: ['belongMonth', 'dueDate', 'sourceType', 'buildCode', 'feeItemId', 'feeType', 'payState'],
  beside,
  by: roomBy,
  derived: rate,
  ...both,
  figures: {
    count: times('账单数'),
    amount: some('原始金额'),
    discount: some('减免'),
    receivable: some('应收', '原始金额 − 减免'),
    paid: some('已收本金'),
    lateFee: some('未收违约金'),
    unpaid: some('未缴合计', '应收 − 已收本金 + 未收违约金'),
    overdue: some('其中逾期', '应缴日期已过的未缴合计'),
  },
  at: 'GET finance/v1/Report/GetRoomBill',
  names: ['RoombillSummary/Get', 'finance/v1/RoombillSummary/Get'],
  exportAt: 'GET finance/v1/Report/ExportRoomBill',
  exportNames: ['RoombillSummary/GetExport', 'finance/v1/RoombillSummary/GetExport'],
})

/** Principal spread over the months it is for (STAT-2): a yearly bill counts a twelfth in each. */
export const spreadBy = choiceTable('FeebillSummaryBy', '汇总方式', {
  item: [1, '收费项目'],
  month: [2, '归属月份'],
  source: [3, '收费对象'],
  build: [4, '楼栋'],
  project: [5, '项目'],
})

export const convergeBy = choiceTable('FeebillSourceBy', '汇总方式', {
  source: [1, '收费对象'],
  build: [2, '楼栋'],
  item: [3, '收费项目'],
  month: [4, '归属月份'],
  project: [5, '项目'],
})

const spread = {
  ...both,
  filters: ['sourceType', 'buildCode', 'feeItemId', 'feeType'],
  asks: { month: month('归属月份') },
  beside,
  derived: rate,
  figures: {
    discount: some('减免'),
    receivable: some('应收', '减免之后，按天分到各月'),
    paid: some('已收本金', '不论何时收的'),
    unpaid: some('未收本金', '应收 − 已收本金'),
  },
}

export const feeBills = report({
  key: 'feeBills',
  title: '物业账单汇总',
  by: spreadBy,
  at: 'GET PropertyFeebillSummary/Get',
  names: ['finance/v1/PropertyFeebillSummary/Get'],
  exportAt: 'GET PropertyFeebillSummary/GetExport',
  ...spread,
})

export const sourceBills = report({
  key: 'sourceBills',
  title: '物业账单按对象汇总',
  by: convergeBy,
  at: 'GET PropertyFeebillSummary/GetBySourceConverge',
  names: ['finance/v1/PropertyFeebillSummary/GetBySourceConverge'],
  exportAt: 'GET PropertyFeebillSummary/GetBySourceConvergeExport',
  ...spread,
})

/** Its totals alone. */
export const sourceBillsSum = call({
  at: 'GET PropertyFeebillSummary/GetBySourceConvergeSummary',
  names: ['finance/v1/PropertyFeebillSummary/GetBySourceConvergeSummary'],
  title: '物业账单按对象汇总合计',
  needs: both.needs,
  input: without(sourceBills.list.input, ['page', 'size', 'order']),
  output: shape(
    { count: int('行数', { required: true }), ...spread.figures, ...rate },
    { entity: bill.name },
  ),
})
