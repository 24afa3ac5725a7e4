import { call } from '#kit/contract/call.ts'
import { choiceTable, int, month, text } from '#kit/contract/field.ts'
import { shape, omitFields } from '#kit/contract/shape.ts'
import { bill } from '#modules/bills/contract/bill.ts'
import { moneyTerm } from '#modules/fees/contract/money-terms.ts'
import { menu } from '../module.ts'
import { defineReport, moneyFigure, countFigure, rateFigure } from './report.ts'

const billReportOptions = {
  entity: bill,
  needs: menu.report.permissions.view,
  exportNeeds: menu.report.permissions.export,
}
const sourceFilters = { sourceCode: text('对象编码', { max: 40, wire: ['SourceCode', 'RoomCode'] }) }
const derivedFigures = { rate: rateFigure('收缴率', '已收本金 ÷ 应收') }

export const roomBillsBy = choiceTable('RoomBillBy', '汇总方式', {
  source: [1, '收费对象'],
  build: [2, '楼栋'],
  item: [3, '收费项目'],
  month: [4, '所属月份'],
  kind: [5, '对象类型'],
  project: [6, '项目'],
})

/** Bills in force, room by room: what was asked, what came, what is still owed. */
export const roomBills = defineReport({
  key: 'roomBills',
  title: '房间报表',
  filters: ['belongMonth', 'dueDate', 'sourceType', 'buildCode', 'feeItemId', 'feeType', 'payState'],
  hiddenFilters: sourceFilters,
  dimensions: roomBillsBy,
  derived: derivedFigures,
  ...billReportOptions,
  figures: {
    count: countFigure('账单数'),
    amount: moneyFigure('原始金额'),
    discount: moneyTerm('discount'),
    receivable: moneyTerm('receivable'),
    paid: moneyTerm('paidPrincipal'),
    lateFee: moneyFigure('未收违约金'),
    unpaid: moneyFigure('未缴', '应收 − 已收本金 + 未收违约金'),
    overdue: moneyFigure('其中逾期', '应缴日期已过的未缴'),
  },
  route: 'GET finance/v1/Report/GetRoomBill',
  aliases: ['RoombillSummary/Get', 'finance/v1/RoombillSummary/Get'],
  exportRoute: 'GET finance/v1/Report/ExportRoomBill',
  exportAliases: ['RoombillSummary/GetExport', 'finance/v1/RoombillSummary/GetExport'],
})

/** Principal spread over the months it is for (STAT-2): a yearly bill counts a twelfth in each. */
export const feeBillsBy = choiceTable('FeebillSummaryBy', '汇总方式', {
  item: [1, '收费项目'],
  month: [2, '归属月份'],
  source: [3, '收费对象'],
  build: [4, '楼栋'],
  project: [5, '项目'],
})

export const sourceBillsBy = choiceTable('FeebillSourceBy', '汇总方式', {
  source: [1, '收费对象'],
  build: [2, '楼栋'],
  item: [3, '收费项目'],
  month: [4, '归属月份'],
  project: [5, '项目'],
})

const spreadReportOptions = {
  ...billReportOptions,
  filters: ['sourceType', 'buildCode', 'feeItemId', 'feeType'],
  extraFilters: { month: month('归属月份') },
  hiddenFilters: sourceFilters,
  derived: derivedFigures,
  figures: {
    discount: moneyTerm('discount'),
    receivable: moneyFigure('应收', '减免之后，按天分到各月'),
    paid: moneyFigure('已收本金', '不论何时收的'),
    unpaid: moneyFigure('未收本金', '应收 − 已收本金'),
  },
}

export const feeBills = defineReport({
  key: 'feeBills',
  title: '物业账单汇总',
  dimensions: feeBillsBy,
  route: 'GET PropertyFeebillSummary/Get',
  aliases: ['finance/v1/PropertyFeebillSummary/Get'],
  exportRoute: 'GET PropertyFeebillSummary/GetExport',
  ...spreadReportOptions,
})

export const sourceBills = defineReport({
  key: 'sourceBills',
  title: '物业账单按对象汇总',
  dimensions: sourceBillsBy,
  route: 'GET PropertyFeebillSummary/GetBySourceConverge',
  aliases: ['finance/v1/PropertyFeebillSummary/GetBySourceConverge'],
  exportRoute: 'GET PropertyFeebillSummary/GetBySourceConvergeExport',
  ...spreadReportOptions,
})

/** Its totals alone. */
export const getSourceBillTotals = call({
  route: 'GET PropertyFeebillSummary/GetBySourceConvergeSummary',
  aliases: ['finance/v1/PropertyFeebillSummary/GetBySourceConvergeSummary'],
  title: '物业账单按对象汇总合计',
  needs: billReportOptions.needs,
  input: omitFields(sourceBills.list.input, ['page', 'size', 'order']),
  output: shape(
    { count: int('行数', { required: true }), ...spreadReportOptions.figures, ...derivedFigures },
    { entity: bill.name },
  ),
})
