import { choiceTable } from '#kit/contract/field.ts'
import { payRecord } from '#modules/payments/contract/record.ts'
import { moneyTerm } from '#modules/fees/contract/money-terms.ts'
import { menu } from '../module.ts'
import { defineReport, moneyFigure, countFigure } from './report.ts'

export const tradeBy = choiceTable('TradeBy', '汇总方式', {
  type: [1, '记录类型'],
  method: [2, '支付方式'],
  day: [3, '缴费日期'],
  month: [4, '缴费月份'],
  cashier: [5, '收费员'],
  build: [6, '楼栋'],
  project: [7, '项目'],
})

/**
 * Payments, refunds, prestore, deposits and deductions, each once; by method, a mixed payment once under each
 * of its methods with what that one brought.
 */
export const trade = defineReport({
  key: 'trade',
  title: '交易报表',
  entity: payRecord,
  filters: ['payDay', 'recordType', 'payMethod', 'cashierId', 'buildCode', 'isHistory'],
  dimensions: tradeBy,
  needs: menu.report.permissions.view,
  exportNeeds: menu.report.permissions.export,
  figures: {
    count: countFigure('笔数'),
    received: moneyTerm('received'),
    refunded: moneyTerm('refunded'),
    net: moneyTerm('net'),
    principal: moneyTerm('paidPrincipal'),
    lateFee: moneyTerm('lateFee'),
    rest: moneyFigure('预存与押金', '净收 + 预存与券抵扣 − 已收本金 − 违约金'),
    offset: moneyFigure('预存与券抵扣', '以预存款或停车券抵扣的金额，减去退回；不计入实收'),
    roundOff: moneyFigure('抹零', '未收已核销'),
  },
  route: 'GET finance/v1/Report/GetFeeCenter',
  exportRoute: 'GET finance/v1/Report/ExportFeeCenter',
})
