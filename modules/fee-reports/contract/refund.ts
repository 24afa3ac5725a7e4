import { choiceTable, choices, int, text } from '#kit/contract/field.ts'
import { refundWay } from '#modules/payments/contract/choices.ts'
import { payRecord } from '#modules/payments/contract/record.ts'
import { menu } from '../module.ts'
import { defineReport, moneyFigure, countFigure } from './report.ts'

export const refundBy = choiceTable('RefundReportBy', '汇总方式', {
  item: [1, '收费项目'],
  day: [2, '退款日期'],
  month: [3, '退款月份'],
  way: [4, '退款方式'],
  after: [5, '账单处理'],
  build: [6, '楼栋'],
  source: [7, '收费对象'],
  cashier: [8, '经办人'],
  project: [9, '项目'],
})

/** What went back of what had been paid for bills, on the day on which it went (STAT-6). */
export const refunds = defineReport({
  key: 'refunds',
  title: '退款报表',
  entity: payRecord,
  filters: ['payDay', 'cashierId', 'buildCode'],
  dimensions: refundBy,
  needs: menu.report.permissions.view,
  exportNeeds: menu.report.permissions.export,
  hiddenFilters: {
    refundWay: choices('退款方式', refundWay),
    feeItem: int('收费项目', { wire: 'FeeItemID', min: 1, target: 'feeItem' }),
    roomCode: text('对象编码', { max: 40, wire: 'SourceCode' }),
  },
  figures: {
    count: countFigure('笔数', '每次退款中，一张账单计一笔'),
    principal: moneyFigure('退回本金'),
    lateFee: moneyFigure('退回违约金'),
    amount: moneyFigure('退回合计', '退回本金 + 退回违约金；含转回预存的'),
  },
  route: 'GET finance/v1/Report/GetRefund',
  exportRoute: 'GET finance/v1/Report/ExportRefund',
})
