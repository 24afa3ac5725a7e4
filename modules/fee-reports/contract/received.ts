import { choiceTable, int, text } from '#kit/contract/field.ts'
import { payRecord } from '#modules/payments/contract/record.ts'
import { moneyTerm } from '#modules/fees/contract/money-terms.ts'
import { menu } from '../module.ts'
import { defineReport, moneyFigure, countFigure } from './report.ts'

const reportPermissions = { needs: menu.report.permissions.view, exportNeeds: menu.report.permissions.export }

export const receivedBy = choiceTable('ReceivedBy', '汇总方式', {
  item: [1, '收费项目'],
  day: [2, '缴费日期'],
  month: [3, '缴费月份'],
  period: [4, '账期月份'],
  build: [5, '楼栋'],
  source: [6, '收费对象'],
  cashier: [7, '收费员'],
  project: [8, '项目'],
})

/**
 * What was taken for bills, bill by bill: principal and late fees; a refund is subtracted on its own day
 * (STAT-6).
 */
export const received = defineReport({
  key: 'received',
  title: '已收报表',
  entity: payRecord,
  filters: ['payDay', 'cashierId', 'buildCode', 'recordType', 'isHistory'],
  dimensions: receivedBy,
  ...reportPermissions,
  hiddenFilters: {
    feeItem: int('收费项目', { wire: 'FeeItemID', min: 1, target: 'feeItem' }),
    roomCode: text('对象编码', { max: 40, wire: 'SourceCode' }),
  },
  figures: {
    count: countFigure('笔数', '每次收款或退款中，一张账单计一笔'),
    principal: moneyTerm('paidPrincipal'),
    lateFee: moneyTerm('lateFee'),
    net: moneyFigure('已收合计', '已收本金 + 违约金；含预存与券抵扣，不含预存与押金'),
    received: moneyFigure('其中缴费', '退回之前收到的'),
    refunded: moneyFigure('其中退回', '已收合计 = 缴费 − 退回'),
  },
  route: 'GET finance/v1/Report/GetReceived',
  exportRoute: 'GET finance/v1/Report/ExportReceived',
})
