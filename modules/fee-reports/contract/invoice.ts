import { choiceTable, day } from '#kit/contract/field.ts'
import { invoiceRecord } from '#modules/invoices/contract/record.ts'
import { menu } from '../module.ts'
import { defineReport, moneyFigure, countFigure } from './report.ts'

export const invoiceBy = choiceTable('InvoiceReportBy', '汇总方式', {
  type: [1, '类型'],
  month: [2, '开票月份'],
  day: [3, '开票日期'],
  buyer: [4, '购买方'],
  medium: [5, '介质'],
  channel: [6, '开票通道'],
  state: [7, '状态'],
  build: [8, '楼栋'],
  project: [9, '项目'],
})

/** Invoices that went out, whether or not they were taken back: a red one counts against its blue one. */
export const issuedInvoices = defineReport({
  key: 'issuedInvoices',
  title: '发票报表',
  entity: invoiceRecord,
  filters: ['invoiceType', 'medium', 'isRed', 'channel', 'buildCode', 'state'],
  extraFilters: { day: day('开票日期') },
  dimensions: invoiceBy,
  needs: menu.report.permissions.view,
  exportNeeds: menu.report.permissions.export,
  figures: {
    count: countFigure('张数', '含蓝字与红字；不含作废与开具失败'),
    blue: moneyFigure('蓝字金额', '价税合计'),
    red: moneyFigure('红字金额', '已红冲的价税合计'),
    total: moneyFigure('价税合计', '蓝字 − 红字'),
    net: moneyFigure('不含税'),
    tax: moneyFigure('税额'),
  },
  route: 'GET finance/v1/Report/GetInvoice',
  exportRoute: 'GET finance/v1/Report/ExportInvoice',
})
