import { choiceTable, int, text } from '#kit/contract/field.ts'
import { payRecord } from '#modules/payments/contract/record.ts'
import { menu } from '../module.ts'
import { report, some, times } from './report.ts'

const both = { needs: menu.report.may.view, exportNeeds: menu.report.may.export }

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
export const received = report({
  key: 'received',
  title: '已收报表',
  of: payRecord,
  filters: ['payDay', 'cashierId', 'buildCode', 'recordType', 'isHistory'],
  by: receivedBy,
  ...both,
  beside: {
    feeItem: int('收费项目', { wire: 'FeeItemID', min: 1 }),
    roomCode: text('对象编码', { max: 40, wire: 'SourceCode' }),
  },
  figures: {
    count: times('笔数', '一张账单在一次收款或退款里算一笔'),
    principal: some('本金'),
    lateFee: some('违约金'),
    received: some('收款合计'),
    refunded: some('退款'),
    net: some('净收', '收款合计 − 退款'),
  },
  at: 'GET finance/v1/Report/GetReceived',
  exportAt: 'GET finance/v1/Report/ExportReceived',
})
