import { sheetColumns } from '#kit/contract/sheet.ts'
import { exportHandlers } from '#kit/server/sheet-export.ts'
import { bill } from '../contract/bill.ts'
import { exportBills, exportUnpaid, type BillFilter } from '../contract/list.ts'
import { billQuery } from './bill-query.ts'

const exportColumns = sheetColumns(bill.fields, [
  'billNo',
  'sourceName',
  'payerName',
  'payerMobile',
  'feeItemName',
  'beginDate',
  'endDate',
  'belongMonth',
  'qty',
  'price',
  'amount',
  'discountAmount',
  'receivable',
  'paidPrincipal',
  'unpaidPrincipal',
  'lateFeeDue',
  'lateFeePaid',
  'lateFeeUnpaid',
  'unpaid',
  'dueDate',
  'state',
  'payState',
  'billSource',
  'batchNo',
  'payTime',
  'remark',
])

const createExport = (kind: string, name: string, calls: typeof exportBills, fixed: Partial<BillFilter>) =>
  exportHandlers<BillFilter>({
    kind,
    name,
    calls,
    entity: bill,
    columns: exportColumns,
    // Exports know only the day: a hold that expired today still counts.
    query: (request, { scope, today }) =>
      billQuery(scope.ownerId, { ...request, ...fixed }, today, `${today} 00:00:00`),
  })

export const billExport = createExport('bills.bill', '账单', exportBills, {})

export const unpaidExport = createExport('bills.unpaid', '未缴账单', exportUnpaid, {
  payState: ['unpaid'],
  state: ['normal'],
})
