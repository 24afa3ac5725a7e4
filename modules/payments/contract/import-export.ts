import { crudImport, type SheetLineOf } from '#kit/contract/crud-sheet.ts'
import { choice, day, money, text } from '#kit/contract/field.ts'
import { sheetColumns } from '#kit/contract/sheet.ts'
import { declareExport } from '#kit/contract/import-export.ts'
import { menu } from '../module.ts'
import { payMethod } from './choices.ts'
import { listRecords, listTrades, payRecord, tradeLine } from './record.ts'

/** A sheet says all the ways of a mixed payment: 现金 60.00，银行转账 49.82. */
const methodText = text('支付方式', { required: true })

const recordSheetEntity = { ...payRecord, fields: { ...payRecord.fields, payMethod: methodText } }

const recordColumns = sheetColumns(recordSheetEntity.fields, [
  'recordNo',
  'receiptNo',
  'recordType',
  'sourceName',
  'payerName',
  'payMethod',
  'principalAmount',
  'lateFeeAmount',
  'roundOff',
  'prestoreAmount',
  'receivedAmount',
  'toPrestore',
  'refundedAmount',
  'invoicedAmount',
  'payTime',
  'cashierName',
  'isHistory',
  'state',
  'voidReason',
  'remark',
])

export const exportRecords = {
  ...declareExport({
    route: 'GET finance/v1/FeePayRecord/GetExport',
    aliases: ['finance/v1/FeePayRecord/export', 'finance/v1/Feecenter/GetExport'],
    title: '导出收款记录',
    needs: menu.record.permissions.export,
    list: listRecords,
  }),
  entity: recordSheetEntity,
  columns: recordColumns,
}

/** The fields of a line for its export, with the payment methods as text. */
const tradeSheetEntity = {
  ...tradeLine.entity,
  fields: { ...tradeLine.entity.fields, payMethod: { ...methodText, derived: true as const } },
}

export const exportTrades = {
  ...declareExport({
    route: 'GET finance/v1/Feecenter/GetFeeListExport',
    title: '导出缴费明细',
    needs: menu.record.permissions.export,
    list: listTrades,
  }),
  entity: tradeSheetEntity,
  columns: sheetColumns(tradeSheetEntity.fields, [
    'recordNo',
    'receiptNo',
    'recordType',
    'billNo',
    'sourceType',
    'sourceName',
    'feeItemName',
    'beginDate',
    'endDate',
    'principal',
    'deposit',
    'lateFee',
    'refundedPrincipal',
    'refundedLateFee',
    'payMethod',
    'payTime',
    'payerName',
    'cashierName',
  ]),
}

/** What was paid before this system: found by object, item and period, booked as history (PAY-22). */
export const importHistory = crudImport(
  { entity: payRecord, path: 'finance/v1/FeePayRecord' },
  {
    needs: menu.record.permissions.import,
    route: 'POST finance/v1/FeePayRecord/Import',
    aliases: ['finance/v1/FeePayRecord/postimport'],
    label: '历史收款',
    affects: ['payRecord', 'bill'],
    fields: {
      sourceName: text('收费对象', {
        required: true,
        max: 100,
        synonyms: ['房号', '房间', '车位'],
        help: '与账单上的对象一致，如 1-1-101',
      }),
      feeItemName: text('收费项目', { required: true, max: 40 }),
      beginDate: day('账期起', { required: true }),
      endDate: day('账期止', { required: true }),
      amount: money('缴费金额', { required: true, min: 1 }),
      payMethod: choice('支付方式', payMethod, { required: true }),
      payDay: day('缴费日期', { required: true }),
      payerName: text('缴费人', { max: 80 }),
      remark: text('备注', { max: 200 }),
    },
    unique: ['sourceName', 'feeItemName', 'beginDate', 'endDate'],
  },
)

export type HistoryLine = SheetLineOf<typeof importHistory>
