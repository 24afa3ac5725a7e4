import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choiceTable, day, flag, int, keyRef, money, ref, text } from '#kit/contract/field.ts'
import { shape } from '#kit/contract/shape.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { payMethod } from '#modules/payments/contract/choices.ts'
import { menu } from '../module.ts'
import { report, some, times } from './report.ts'

/** What money was for. */
export const moneyKind = choiceTable('MoneyKind', '款项', {
  fee: [10, '费用本金'],
  late: [20, '违约金'],
  prestore: [30, '预存'],
  deposit: [40, '押金'],
  other: [90, '其他'],
})

/** CLO-1: a day of a project by cashier, item and way of paying, made of pay records alone. */
export const fcSummary = entity(
  'fcSummary',
  '收费日汇总',
  { table: 'fc_summary', reach: 'project', title: 'day', order: ['-day'] },
  {
    projectCode: estateOf(),
    day: day('日期', { required: true }),
    buildCode: keyRef('楼栋', 'building', {
      within: 'building',
      wire: 'Buildcode',
      notIn: ['table', 'form', 'detail'],
    }),
    cashierId: ref('收费员', 'manager', { wire: 'CashierID', notIn: ['table'] }),
    cashierName: text('收费员', { max: 40, notIn: ['filter'] }),
    kind: choice('款项', moneyKind, { required: true }),
    feeItemId: ref('收费项目', 'feeItem', { wire: 'FeeItemID', notIn: ['table'] }),
    feeItemName: text('收费项目', { max: 40, notIn: ['filter'] }),
    method: choice('支付方式', payMethod, { required: true }),
    history: flag('历史导入', { required: true, initial: false }),
    count: int('笔次', { required: true }),
    received: money('收款', { required: true }),
    refunded: money('退款', { required: true }),
    net: money('净额', { required: true }),
  },
)

export type FcSummary = Row<typeof fcSummary>

export const tillBy = choiceTable('FcSummaryBy', '汇总方式', {
  day: [1, '日期'],
  month: [2, '月份'],
  cashier: [3, '收费员'],
  item: [4, '收费项目'],
  method: [5, '支付方式'],
  kind: [6, '款项'],
  project: [7, '项目'],
})

/** The same by month first; the specification names two calls. */
export const monthBy = choiceTable('FcSummaryMonthBy', '汇总方式', {
  month: [1, '月份'],
  day: [2, '日期'],
  cashier: [3, '收费员'],
  item: [4, '收费项目'],
  method: [5, '支付方式'],
  kind: [6, '款项'],
  project: [7, '项目'],
})

const filters = ['day', 'cashierId', 'feeItemId', 'method', 'kind', 'history', 'buildCode']

const figures = {
  count: times('笔次', '一笔收款分到几个项目、几种方式就算几次'),
  received: some('收款'),
  refunded: some('退款'),
  net: some('净额', '收款 − 退款'),
  offset: some('预存与券抵扣', '净额里用预存或停车券抵的，不是新到的钱'),
  cash: some('到账', '净额 − 预存与券抵扣'),
  prestoreIn: some('预存收入', '充值与找零转存'),
  prestoreOut: some('预存退出'),
  depositIn: some('押金收入'),
  depositOut: some('押金退出'),
}

const same = { of: fcSummary, filters, figures, needs: menu.till.may.view, exportNeeds: menu.till.may.export }

export const tillDays = report({
  key: 'tillDays',
  title: '收费日汇总',
  by: tillBy,
  at: 'GET finance/v1/FcSummary/GetDay',
  names: ['FcSummary/GetDay'],
  exportAt: 'GET finance/v1/FcSummary/GetDayExport',
  ...same,
})

export const tillMonths = report({
  key: 'tillMonths',
  title: '收费月汇总',
  by: monthBy,
  at: 'GET finance/v1/FcSummary/GetMonth',
  names: ['FcSummary/GetMonth'],
  exportAt: 'GET finance/v1/FcSummary/GetMonthExport',
  ...same,
})

/** CLO-2: refused on a closed day. */
export const rebuildDay = call({
  at: 'POST finance/v1/FcSummary/RebuildOneDay',
  names: ['FcSummary/RebuildOneDay'],
  title: '重算收费日汇总',
  needs: menu.till.may.rebuild,
  affects: ['fcSummary'],
  input: shape({ projectCode: estateOf<true>(), day: day('日期', { required: true }) }),
  output: shape({
    day: day('日期', { required: true }),
    count: int('笔次', { required: true }),
    received: money('收款', { required: true }),
    refunded: money('退款', { required: true }),
    net: money('净额', { required: true }),
  }),
})
