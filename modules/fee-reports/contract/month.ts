import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choices, choiceTable, flag, int, keyRef, money, month, ref } from '#kit/contract/field.ts'
import { shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { moneyTerm } from '#modules/fees/contract/money-terms.ts'
import { menu } from '../module.ts'
import { defineReport, moneyFigure, rateFigure } from './report.ts'

const summaryFigureFields = {
  opening: moneyFigure('期初欠费', '月初以前各月应收中未收的本金'),
  adjusted: moneyFigure('往期调整', '上月结转之后，往期账单的补出、减免、作废'),
  billed: moneyFigure('本月出账', '属于本月的原始金额'),
  discount: moneyTerm('discount'),
  paidBefore: moneyFigure('预收转入', '以前月份预收的本月费用'),
  received: moneyFigure('收当期'),
  recovered: moneyFigure('收往期', '清欠'),
  writtenOff: moneyFigure('核销'),
  closing: moneyFigure('期末欠费'),
  prepaid: moneyFigure('预收', '本月为以后月份收的，不在本月的欠费中'),
}

/** CLO-4: arrears of a month, by building and item; carried over (`kept`) it stays. */
export const feeMonth = entity(
  'feeMonth',
  '费用月汇总',
  { table: 'fee_month', tenancy: 'project', title: 'month', order: ['-month'] },
  {
    projectCode: estateField(),
    month: month('月份', { required: true }),
    buildCode: keyRef('楼栋', 'building', {
      dataDomain: 'building',
      wire: 'Buildcode',
      hiddenIn: ['table', 'form', 'detail'],
    }),
    feeItemId: ref('收费项目', 'feeItem', { required: true, wire: 'FeeItemID', hiddenIn: ['table'] }),
    ...summaryFigureFields,
    paidAfter: money('后期补收当期', { required: true }),
    kept: flag('已结转', { required: true, initial: false }),
  },
)

export type FeeMonth = Row<typeof feeMonth>

const derivedFigures = {
  currentRate: rateFigure(
    '当期收缴率',
    '为当期收的（预收转入 + 收当期 + 以后补收的）÷（本月出账 − 减免），不含不计收缴率的项目',
  ),
  clearRate: rateFigure('清欠率', '收往期 ÷（期初欠费 + 往期调整），不含不计收缴率的项目'),
}

/** Which figure somebody follows: the bills that have a part in it, whose rows add up to it. */
export const summaryFigure = choiceTable('FeeSummaryHolding', '数字', {
  opening: [1, '期初欠费'],
  adjusted: [2, '往期调整'],
  billed: [3, '本月出账'],
  discount: [4, '减免'],
  paidBefore: [5, '预收转入'],
  received: [6, '收当期'],
  recovered: [7, '收往期'],
  writtenOff: [8, '核销'],
  closing: [9, '期末欠费'],
  prepaid: [10, '预收'],
})

const summaryFilters = {
  nonZeroFigures: choices('只看有此数的', summaryFigure, { wire: 'Holding' }),
  inRate: flag('计入收缴率'),
}

const summaryReportOptions = {
  entity: feeMonth,
  extraFilters: summaryFilters,
  figures: summaryFigureFields,
  derived: derivedFigures,
  needs: menu.fee.permissions.view,
  exportNeeds: menu.fee.permissions.export,
}

export const summaryBy = choiceTable('FeeSummaryBy', '汇总方式', {
  item: [1, '收费项目'],
  build: [2, '楼栋'],
  project: [3, '项目'],
  bill: [4, '账单'],
})

export const summaryMonthBy = choiceTable('FeeSummaryMonthBy', '汇总方式', { month: [1, '月份'] })

export const feeSummary = defineReport({
  key: 'feeSummary',
  title: '费用汇总',
  filters: ['month', 'feeItemId', 'buildCode'],
  dimensions: summaryBy,
  route: 'GET FeeSummary/Get',
  aliases: ['finance/v1/FeeSummary/Get'],
  exportRoute: 'GET FeeSummary/GetExport',
  ...summaryReportOptions,
})

export const feeMonths = defineReport({
  key: 'feeMonths',
  title: '费用逐月汇总',
  filters: ['month', 'feeItemId', 'buildCode'],
  dimensions: summaryMonthBy,
  edges: { opening: 'first', closing: 'last' },
  route: 'GET FeeSummary/GetMonth',
  aliases: ['finance/v1/FeeSummary/GetMonth'],
  exportRoute: 'GET FeeSummary/GetMonthExport',
  ...summaryReportOptions,
})

/** Carries a month over: what is there stays, later changes of it appear in the next month as 往期调整. */
export const generateSummary = call({
  route: 'POST FeeSummary/GeneratorFeeSummaryPost',
  aliases: ['finance/v1/FeeSummary/GeneratorFeeSummaryPost'],
  title: '结转费用月汇总',
  needs: menu.fee.permissions.generate,
  affects: ['feeMonth'],
  input: shape({ projectCode: estateField<true>(), month: month('月份', { required: true }) }),
  output: shape({
    month: month('月份', { required: true }),
    rows: int('行数', { required: true }),
    opening: money('期初欠费', { required: true }),
    closing: money('期末欠费', { required: true }),
  }),
})
