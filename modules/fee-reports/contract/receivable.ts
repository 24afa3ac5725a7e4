import { defined } from '#kit/domain/defined.ts'
import { choiceTable } from '#kit/contract/field.ts'
import { bill } from '#modules/bills/contract/bill.ts'
import { billAge } from '#modules/bills/contract/choices.ts'
import { moneyTerm } from '#modules/fees/contract/money-terms.ts'
import { menu } from '../module.ts'
import { defineReport, moneyFigure, countFigure, rateFigure } from './report.ts'

const billReportOptions = {
  entity: bill,
  needs: menu.report.permissions.view,
  exportNeeds: menu.report.permissions.export,
}
const billFilters = ['dueDate', 'belongMonth', 'feeItemId', 'buildCode', 'sourceType', 'feeType']

export const billBy = choiceTable('BillReportBy', '汇总方式', {
  item: [1, '收费项目'],
  month: [2, '所属月份'],
  due: [3, '应缴月份'],
  build: [4, '楼栋'],
  source: [5, '收费对象'],
  sourceType: [6, '对象类型'],
  project: [7, '项目'],
})

export const summaryBillBy = choiceTable('BillSummaryBy', '汇总方式', {
  month: [1, '所属月份'],
  item: [2, '收费项目'],
  build: [3, '楼栋'],
  state: [4, '账单状态'],
  from: [5, '来源'],
  project: [6, '项目'],
})

export const unpaidBy = choiceTable('WaitingBy', '汇总方式', {
  age: [1, '逾期'],
  item: [2, '收费项目'],
  build: [3, '楼栋'],
  source: [4, '收费对象'],
  month: [5, '所属月份'],
  project: [6, '项目'],
})

const principalFigures = {
  count: countFigure('张数'),
  amount: moneyFigure('原始金额'),
  discount: moneyTerm('discount'),
  receivable: moneyTerm('receivable'),
  paid: moneyTerm('paidPrincipal'),
  unpaid: moneyTerm('unpaid'),
}

const derivedFigures = { rate: rateFigure('收缴率', '已收本金 ÷ 应收') }

/** What bills in force ask for, whether paid or not (STAT-4: neither 待审核 nor 作废 nor 已核销). */
export const receivables = defineReport({
  key: 'shouldCollect',
  title: '应收报表',
  filters: [...billFilters, 'payState'],
  dimensions: billBy,
  figures: principalFigures,
  derived: derivedFigures,
  route: 'GET finance/v1/Report/GetShouldCollect',
  exportRoute: 'GET finance/v1/Report/ExportShouldCollect',
  ...billReportOptions,
})

/** Bills as they stand, whatever their state. */
export const billSummary = defineReport({
  key: 'billSummary',
  title: '账单汇总',
  filters: [...billFilters, 'state', 'payState', 'billSource'],
  dimensions: summaryBillBy,
  figures: principalFigures,
  derived: derivedFigures,
  route: 'GET finance/v1/FbSummary/Get',
  aliases: ['FbSummary/Get'],
  exportRoute: 'GET finance/v1/FbSummary/GetExport',
  ...billReportOptions,
})

/** AGE-1 as figures: what is unpaid of each age. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a literal
export const ageKeys = Object.keys(billAge.rows) as readonly (keyof typeof billAge.rows)[]

export const ageFigureKey = (k: keyof typeof billAge.rows): string =>
  `age${defined(k[0]).toUpperCase()}${k.slice(1)}`

const ageWireNames: Readonly<Record<keyof typeof billAge.rows, string>> = {
  open: 'AgeOpen',
  month: 'AgeMonth',
  days60: 'AgeTwo',
  quarter: 'AgeQuarter',
  days180: 'AgeHalf',
  year: 'AgeYear',
  years2: 'AgeMore',
  years3: 'AgeLong',
  timeBarred: 'AgeBarred',
}

const ageFigures = Object.fromEntries(
  ageKeys.map(k => [ageFigureKey(k), { ...moneyFigure(billAge.rows[k][1]), wire: ageWireNames[k] }]),
)

/** What waits to be paid, by how long it has been due; late fees are those of the nightly job (LATE-12). */
export const unpaidBills = defineReport({
  key: 'waiting',
  title: '待收报表',
  filters: billFilters,
  dimensions: unpaidBy,
  figures: {
    count: countFigure('张数'),
    unpaid: moneyFigure('未收本金'),
    lateFee: moneyFigure('未收违约金', '按今日凌晨统计的数据'),
    overdue: moneyFigure('已逾期', '已过应缴日的未收本金'),
    ...ageFigures,
  },
  route: 'GET finance/v1/Report/GetWaiting',
  exportRoute: 'GET finance/v1/Report/ExportWaiting',
  ...billReportOptions,
})
