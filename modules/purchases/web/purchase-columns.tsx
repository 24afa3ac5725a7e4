import { buildColumns, type Column } from '#kit/web/columns.tsx'
import { PurchaseStatus, stateTextOf } from './one-purchase.tsx'
import { purchases, type Purchase } from '../contract/purchase.ts'

export const purchaseColumns: readonly Column<Purchase>[] = buildColumns(purchases.list.output, [
  { key: 'purchaseNo', identity: true, fitContent: true },
  { key: 'title', width: 120, grow: 2 },
  { key: 'itemNames', width: 140, grow: 2, wideOnly: true },
  { key: 'applicantName', width: 88 },
  { key: 'departmentName', wideOnly: true },
  { key: 'estateName', wideOnly: true },
  { key: 'needDate', hidePriority: 1 },
  { key: 'isUrgent', width: 64, hidePriority: 2 },
  'totalAmount',
  { key: 'orderedAmount', wideOnly: true },
  'receivedAmount',
  { key: 'state', render: row => <PurchaseStatus row={row} />, text: stateTextOf },
])
