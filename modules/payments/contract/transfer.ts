import { sheetColumns } from '#kit/contract/sheet.ts'
import { exports } from '#kit/contract/transfer.ts'
import { menu } from '../module.ts'
import { listRecords, listTrades, payDetail, payRecord } from './record.ts'

export const recordColumns = sheetColumns(payRecord.fields, ['recordNo', 'receiptNo', 'recordType', 'sourceName', 'payerName', 'payMethod', 'principalAmount', 'lateFeeAmount', 'roundOff', 'prestoreAmount', 'receivedAmount', 'changeAmount', 'toPrestore', 'refundedAmount', 'invoicedAmount', 'payTime', 'cashierName', 'isHistory', 'state', 'voidReason', 'remark'])
export const exportRecords = exports({ at: 'GET finance/v1/FeePayRecord/GetExport', names: ['finance/v1/FeePayRecord/export', 'finance/v1/Feecenter/GetExport'], title: '导出收款记录', needs: menu.record.may.export, of: listRecords })

const f = payRecord.fields, beside = <T extends object>(x: T): T & { derived: true } => ({ ...x, derived: true })
/** A line of a payment with what its record says: one row per bill and payment. */
export const trade = { ...payDetail, fields: { ...payDetail.fields, recordNo: beside(f.recordNo), receiptNo: beside(f.receiptNo), payTime: beside(f.payTime), payMethod: beside(f.payMethod), payerName: beside(f.payerName), cashierName: beside(f.cashierName), recordType: beside(f.recordType) } }
export const tradeColumns = sheetColumns(trade.fields, ['recordNo', 'receiptNo', 'recordType', 'billNo', 'sourceType', 'sourceName', 'feeItemName', 'beginDate', 'endDate', 'principal', 'lateFee', 'refundedPrincipal', 'refundedLateFee', 'payMethod', 'payTime', 'payerName', 'cashierName'])
export const exportTrades = exports({ at: 'GET finance/v1/Feecenter/GetFeeListExport', title: '导出缴费明细', needs: menu.record.may.export, of: listTrades })
