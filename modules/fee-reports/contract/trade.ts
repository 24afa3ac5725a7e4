import { choiceTable } from '#kit/contract/field.ts'
import { payRecord } from '#modules/payments/contract/record.ts'
import { menu } from '../module.ts'
import { defineReport, moneyFigure, countFigure } from './report.ts'

export const tradeBy = choiceTable('TradeBy', '汇总方式', {
  type: [1, '记录类型'],
  method: [2, '主要支付方式'],
  day: [3, '缴费日期'],
  month: [4, '缴费月份'],
  cashier: [5, '收费员'],
  build: [6, '楼栋'],
  project: [7, '项目'],
})

/** Whole records: payments, refunds, prestore, deposits and deductions, each once. */
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
    received: moneyFigure('收款', '实收 − 找零'),
    refunded: moneyFigure('退款'),
    net: moneyFigure('净额', '收款 − 退款'),
    principal: moneyFigure('本金'),
    lateFee: moneyFigure('违约金'),
    rest: moneyFigure('预存与押金', '净额 − 本金 − 违约金'),
    offset: moneyFigure('预存抵扣', '净额里用预存抵的，不是新到的钱'),
    roundOff: moneyFigure('抹零', '没有收，也不再欠的'),
  },
  route: 'GET finance/v1/Report/GetFeeCenter',
  exportRoute: 'GET finance/v1/Report/ExportFeeCenter',
})
