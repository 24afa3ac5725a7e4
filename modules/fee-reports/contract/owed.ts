import { choiceTable } from '#kit/contract/field.ts'
import { text } from '#kit/contract/field.ts'
import { bill } from '#modules/bills/contract/bill.ts'
import { age } from '#modules/bills/contract/choices.ts'
import { menu } from '../module.ts'
import { report, some, times } from './report.ts'

const both = { of: bill, needs: menu.report.may.view, exportNeeds: menu.report.may.export }
const filters = ['dueDate', 'belongMonth', 'feeItemId', 'buildCode', 'sourceType', 'feeType']

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

export const waitingBy = choiceTable('WaitingBy', '汇总方式', {
  age: [1, '逾期'],
  item: [2, '收费项目'],
  build: [3, '楼栋'],
  source: [4, '收费对象'],
  month: [5, '所属月份'],
  project: [6, '项目'],
})

const principal = {
  count: times('张数'),
  amount: some('原始金额'),
  discount: some('减免'),
  receivable: some('应收'),
  paid: some('已收本金'),
  unpaid: some('未收本金'),
}

const derived = { rate: text('收缴率', { help: '已收本金 ÷ 应收' }) }

/** What bills in force ask for, whether paid or not (STAT-4: neither 待审核 nor 作废 nor 已核销). */
export const shouldCollect = report({
  key: 'shouldCollect',
  title: '应收报表',
  filters: [...filters, 'payState'],
  by: billBy,
  figures: principal,
  derived,
  at: 'GET finance/v1/Report/GetShouldCollect',
  exportAt: 'GET finance/v1/Report/ExportShouldCollect',
  ...both,
})

/** Bills as they stand, whatever their state. */
export const billSummary = report({
  key: 'billSummary',
  title: '账单汇总',
  filters: [...filters, 'state', 'payState', 'billSource'],
  by: summaryBillBy,
  figures: principal,
  derived,
  at: 'GET finance/v1/FbSummary/Get',
  names: ['FbSummary/Get'],
  exportAt: 'GET finance/v1/FbSummary/GetExport',
  ...both,
})

/** AGE-1 as figures: what is unpaid of each age. */
export const agesAt = Object.keys(age.rows) as readonly (keyof typeof age.rows)[]

const ages = Object.fromEntries(
  agesAt.map(k => [`age${k[0]!.toUpperCase()}${k.slice(1)}`, some(age.rows[k][1])]),
)

export const ageKey = (k: keyof typeof age.rows): string => `age${k[0]!.toUpperCase()}${k.slice(1)}`

/** What waits to be paid, by how long it has been due; late fees as the night reckoned them (LATE-12). */
export const waiting = report({
  key: 'waiting',
  title: '待收报表',
  filters,
  by: waitingBy,
  figures: {
    count: times('张数'),
    unpaid: some('未收本金'),
    lateFee: some('未收违约金', '按今天凌晨算好的数'),
    overdue: some('已逾期', '已过应缴日的未收本金'),
    ...ages,
  },
  at: 'GET finance/v1/Report/GetWaiting',
  exportAt: 'GET finance/v1/Report/ExportWaiting',
  ...both,
})
