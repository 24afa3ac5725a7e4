import { choiceTable, decimal, month } from '#kit/contract/field.ts'
import { meterKind, usageUnits } from '#modules/meters/contract/choices.ts'
import { meter, meterReading } from '#modules/meters/contract/meter.ts'
import { moneyTerm } from '#modules/fees/contract/money-terms.ts'
import { menu } from '../module.ts'
import { defineReport, moneyFigure, countFigure, rateFigure } from './report.ts'

const reportPermissions = { needs: menu.report.permissions.view, exportNeeds: menu.report.permissions.export }
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a literal
export const meterKinds = Object.keys(meterKind.rows) as readonly (keyof typeof meterKind.rows)[]

/** One figure for each kind: tons and kilowatt-hours have no sum. */
const usageFigures = Object.fromEntries(
  meterKinds.map(k => [
    k,
    decimal(`${meterKind.rows[k][1]}（${usageUnits[k]}）`, { required: true, help: '有分表的总表不计入' }),
  ]),
)

export const meterBy = choiceTable('MeterReportBy', '汇总方式', {
  kind: [1, '表类型'],
  build: [2, '楼栋'],
  source: [3, '安装对象'],
  month: [4, '月份'],
  day: [5, '抄表日期'],
  way: [6, '来源'],
  project: [7, '项目'],
})

/** What was read, and what was billed of it. */
export const meterReadings = defineReport({
  key: 'meters',
  title: '抄表报表',
  entity: meterReading,
  filters: ['month', 'meterKind', 'buildCode', 'readDate', 'source', 'state', 'isEstimate'],
  dimensions: meterBy,
  ...reportPermissions,
  figures: {
    count: countFigure('抄表次数'),
    estimated: countFigure('估抄'),
    doubtful: countFigure('待确认'),
    ...usageFigures,
    receivable: moneyFigure('已出账应收', '读数所出账单的应收'),
    paid: moneyTerm('paidPrincipal'),
    unpaid: moneyFigure('未缴'),
  },
  route: 'GET finance/v1/Report/GetMeters',
  exportRoute: 'GET finance/v1/Report/ExportMeters',
})

export const meterMonthBy = choiceTable('MeterMonthBy', '汇总方式', {
  month: [1, '月份'],
  build: [2, '楼栋'],
  kind: [3, '表类型'],
  project: [4, '项目'],
})

/** Month by month: how many meters were due, how many were read. */
export const meterMonths = defineReport({
  key: 'meterMonths',
  title: '抄表月度汇总',
  entity: meter,
  filters: ['meterKind', 'buildCode', 'meterUse'],
  extraFilters: { month: month('月份') },
  dimensions: meterMonthBy,
  ...reportPermissions,
  figures: {
    due: countFigure('应抄', '当月在用的表，一块表一个月算一次'),
    read: countFigure('已抄'),
    left: countFigure('未抄', '应抄 − 已抄'),
    estimated: countFigure('估抄', '有估抄读数的表次'),
    doubtful: countFigure('待确认', '有异常且未确认的表次'),
    billed: countFigure('已出账', '读数已出账的表次'),
    ...usageFigures,
  },
  derived: { rate: rateFigure('抄表率', '已抄 ÷ 应抄') },
  route: 'GET finance/v1/Report/GetMeterMonths',
  exportRoute: 'GET finance/v1/Report/ExportMeterMonths',
})
