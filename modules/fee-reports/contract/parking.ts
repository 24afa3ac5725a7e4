import { choiceTable, ref } from '#kit/contract/field.ts'
import { bill } from '#modules/bills/contract/bill.ts'
import { moneyTerm } from '#modules/fees/contract/money-terms.ts'
import { menu } from '../module.ts'
import { defineReport, moneyFigure, countFigure, rateFigure } from './report.ts'

export const parkingBy = choiceTable('ParkReportBy', '汇总方式', {
  park: [1, '停车场'],
  item: [2, '收费项目'],
  place: [3, '车位或车辆'],
  month: [4, '所属月份'],
  kind: [5, '对象类型'],
  project: [6, '项目'],
})

/** Bills of parking places and cars; a car belongs to no car park. */
export const parking = defineReport({
  key: 'parking',
  title: '停车报表',
  entity: bill,
  filters: ['belongMonth', 'dueDate', 'sourceType', 'feeItemId', 'payState'],
  extraFilters: { park: ref('停车场', 'park', { wire: 'ParkID' }) },
  dimensions: parkingBy,
  needs: menu.report.permissions.view,
  exportNeeds: menu.report.permissions.export,
  figures: {
    count: countFigure('账单数'),
    receivable: moneyTerm('receivable'),
    discount: moneyTerm('discount'),
    paid: moneyTerm('paidPrincipal'),
    lateFee: moneyFigure('未收违约金'),
    unpaid: moneyFigure('未缴', '应收 − 已收本金 + 未收违约金'),
    overdue: moneyFigure('其中逾期', '应缴日期已过的未缴'),
  },
  derived: { rate: rateFigure('收缴率', '已收本金 ÷ 应收') },
  route: 'GET finance/v1/Report/GetPark',
  exportRoute: 'GET finance/v1/Report/ExportPark',
})
