import { call } from '#kit/contract/call.ts'
import { choice, day, flag, idOf, int, list, moment, money, text, type ValueOf } from '#kit/contract/field.ts'
import { pageOfRows, search } from '#kit/contract/shape.ts'
import { declareExport } from '#kit/contract/import-export.ts'
import { sheetColumns } from '#kit/contract/sheet.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { payerSide } from '#modules/fees/contract/choices.ts'
import { menu } from '../module.ts'
import { bill } from './bill.ts'

/** What one payer owes in one project, by age of the bills (AGE-1); deposits are not counted (C27-8). */
export const debtorFields = {
  key: text('标识', { required: true, hiddenIn: ['table', 'sheet'] }),
  projectCode: estateField(),
  payerKind: choice('缴费人类别', payerSide),
  payerId: idOf('缴费人', { wire: 'PayerID' }),
  payerName: text('缴费人'),
  payerMobile: text('电话', { masked: 'mobile' }),
  sourceNames: text('收费对象', { required: true, wire: 'SourceNames' }),
  /** The object of the bill that is due first, which the cashier opens. */
  firstType: int('首个对象类型', { required: true, hiddenIn: ['table', 'filter'] }),
  firstCode: text('首个对象编码', { required: true, hiddenIn: ['table', 'filter'] }),
  billCount: int('账单数', { required: true }),
  unpaid: money('未缴', { required: true, help: '含违约金' }),
  notDue: money('未到期', { required: true, wire: 'NotDue' }),
  days30: money('1～30 天', { required: true, wire: 'Days30' }),
  days60: money('31～60 天', { required: true, wire: 'Days60' }),
  days90: money('61～90 天', { required: true, wire: 'Days90' }),
  over90: money('90 天以上', { required: true, wire: 'Over90' }),
  dueDate: day('最早应缴日', { required: true }),
  lastUrgeTime: moment('最近催缴'),
  urgeCount: int('催缴次数', { required: true }),
  promiseDate: day('承诺缴费日'),
  disputed: flag('有争议', { required: true }),
  billIds: list('账单', { required: true, wire: 'BillIDs', hiddenIn: ['table', 'sheet'] }),
}

export type Debtor = ValueOf<typeof debtorFields>

export const debtorSums = ['billCount', 'unpaid', 'notDue', 'days30', 'days60', 'days90', 'over90'] as const

const debtorSearch = search(
  bill,
  ['buildCode', 'feeItemId', 'dueDate', 'belongMonth', 'sourceType', 'promiseDate', 'urgeCount', 'disputed'],
  {
    overdue: flag('已逾期'),
    promised: flag('有承诺'),
    overdueDaysFrom: int('逾期天数起', { min: 1, max: 36_500 }),
    overdueDaysTo: int('逾期天数止', { min: 1, max: 36_500 }),
  },
)

export type DebtorFilter = NonNullable<typeof debtorSearch.T>

/** Who owes: the bills of a filter by payer, the largest debt first. */
export const listDebtors = call({
  route: 'GET finance/v1/FeeBill/GetDebtors',
  title: '查询欠费客户',
  needs: menu.bill.permissions.view,
  input: debtorSearch,
  output: { ...pageOfRows(debtorFields, { sums: debtorSums }), entity: bill.name },
})

export const exportDebtors = declareExport({
  route: 'GET finance/v1/FeeBill/ExportDebtors',
  title: '导出欠费客户',
  needs: menu.bill.permissions.export,
  list: listDebtors,
})

export const debtorColumns = sheetColumns(debtorFields, [
  'payerName',
  'payerMobile',
  'sourceNames',
  'billCount',
  'unpaid',
  'notDue',
  'days30',
  'days60',
  'days90',
  'over90',
  'dueDate',
  'lastUrgeTime',
  'urgeCount',
  'promiseDate',
])
