import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choiceTable, day, flag, int, keyRef, money, ref, text } from '#kit/contract/field.ts'
import { shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { payMethod } from '#modules/payments/contract/choices.ts'
import { moneyTerm } from '#modules/fees/contract/money-terms.ts'
import { menu } from '../module.ts'
import { defineReport, moneyFigure, countFigure } from './report.ts'

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
  { table: 'fc_summary', tenancy: 'project', title: 'day', order: ['-day'] },
  {
    projectCode: estateField(),
    day: day('日期', { required: true }),
    buildCode: keyRef('楼栋', 'building', {
      dataDomain: 'building',
      wire: 'Buildcode',
      hiddenIn: ['table', 'form', 'detail'],
    }),
    cashierId: ref('收费员', 'manager', { wire: 'CashierID', hiddenIn: ['table'] }),
    cashierName: text('收费员', { max: 40, hiddenIn: ['filter'] }),
    kind: choice('款项', moneyKind, { required: true }),
    feeItemId: ref('收费项目', 'feeItem', { wire: 'FeeItemID', hiddenIn: ['table'] }),
    feeItemName: text('收费项目', { max: 40, hiddenIn: ['filter'] }),
    method: choice('支付方式', payMethod, { required: true }),
    history: flag('历史导入', { required: true, initial: false }),
    count: int('笔次', { required: true }),
    received: money('实收', { required: true }),
    refunded: money('退款', { required: true }),
    net: money('净收', { required: true }),
  },
)

export type FcSummary = Row<typeof fcSummary>

export const dailyCollectionBy = choiceTable('FcSummaryBy', '汇总方式', {
  day: [1, '日期'],
  month: [2, '月份'],
  cashier: [3, '收费员'],
  item: [4, '收费项目'],
  method: [5, '支付方式'],
  kind: [6, '款项'],
  project: [7, '项目'],
})

/** The figures grouped by month first; the specification names two calls. */
export const monthlyCollectionBy = choiceTable('FcSummaryMonthBy', '汇总方式', {
  month: [1, '月份'],
  day: [2, '日期'],
  cashier: [3, '收费员'],
  item: [4, '收费项目'],
  method: [5, '支付方式'],
  kind: [6, '款项'],
  project: [7, '项目'],
})

const collectionFilters = ['day', 'cashierId', 'feeItemId', 'method', 'kind', 'history', 'buildCode']

const collectionFigures = {
  count: countFigure('笔次', '按收费项目与支付方式分别计次'),
  received: moneyTerm('received'),
  refunded: moneyTerm('refunded'),
  net: moneyTerm('net'),
  offset: moneyFigure('预存与券抵扣', '以预存款或停车券抵扣的金额，减去退回；不计入实收'),
  settled: moneyFigure('结清', '净收 + 预存与券抵扣'),
  prestoreIn: moneyFigure('收预存', '充值与找零转存，计入实收'),
  prestoreOut: moneyFigure('退预存', '计入退款'),
  depositIn: moneyFigure('收押金', '计入实收，不属于收入'),
  depositOut: moneyFigure('退押金', '计入退款'),
}

const collectionReportOptions = {
  entity: fcSummary,
  filters: collectionFilters,
  figures: collectionFigures,
  needs: menu.till.permissions.view,
  exportNeeds: menu.till.permissions.export,
}

export const dailyCollections = defineReport({
  key: 'dailyCollections',
  title: '收费日汇总',
  dimensions: dailyCollectionBy,
  route: 'GET finance/v1/FcSummary/GetDay',
  aliases: ['FcSummary/GetDay'],
  exportRoute: 'GET finance/v1/FcSummary/GetDayExport',
  ...collectionReportOptions,
})

export const monthlyCollections = defineReport({
  key: 'monthlyCollections',
  title: '收费月汇总',
  dimensions: monthlyCollectionBy,
  route: 'GET finance/v1/FcSummary/GetMonth',
  aliases: ['FcSummary/GetMonth'],
  exportRoute: 'GET finance/v1/FcSummary/GetMonthExport',
  ...collectionReportOptions,
})

/** CLO-2: refused on a closed day. */
export const rebuildDay = call({
  route: 'POST finance/v1/FcSummary/RebuildOneDay',
  aliases: ['FcSummary/RebuildOneDay'],
  title: '重算收费日汇总',
  needs: menu.till.permissions.rebuild,
  affects: ['fcSummary'],
  input: shape({ projectCode: estateField<true>(), day: day('日期', { required: true }) }),
  output: shape({
    day: day('日期', { required: true }),
    count: int('笔次', { required: true }),
    received: moneyTerm('received'),
    refunded: moneyTerm('refunded'),
    net: moneyTerm('net'),
  }),
})
