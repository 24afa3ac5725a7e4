import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { receiptKind } from '../contract/choices.ts'
import {
  exportReceipts,
  purchaseReceipts,
  reverseReceipt,
  type PurchaseReceipt,
} from '../contract/receipt.ts'
import { menu } from '../module.ts'
import { LineTable } from './purchase-content.tsx'

const columns = buildColumns(purchaseReceipts.list.output, [
  { key: 'receiptNo', identity: true, fitContent: true },
  { key: 'kind', width: 80 },
  { key: 'supplierName', width: 140, grow: 2 },
  { key: 'orderNo', fitContent: true, hidePriority: 2 },
  { key: 'estateName', wideOnly: true },
  'receiveDate',
  { key: 'deliveryNo', width: 120, hidePriority: 1 },
  { key: 'receiverName', width: 96 },
  'amount',
  { key: 'isReversed', width: 72 },
  { key: 'reversedNo', wideOnly: true },
])

const groups = [
  {
    title: '收货',
    keys: [
      'receiptNo',
      'kind',
      'orderNo',
      'supplierName',
      'estateName',
      'receiveDate',
      'deliveryNo',
      'receiverName',
      'amount',
      'isReversed',
      'reversedNo',
      'remark',
      'createTime',
    ],
  },
] as const

const reverse = (receipt: PurchaseReceipt) => ({
  label: '冲销',
  needs: menu.receipt.permissions.reverse,
  danger: true,
  run: () =>
    confirmAndSend(reverseReceipt, {
      actionLabel: '冲销',
      unit: `张收货单：${receipt.receiptNo}`,
      consequences: ['另记一张冲销单，数量与金额相反；冲销的数量重新待收，原单保留'],
      input: { id: receipt.id },
    }),
})

const Lines = ({ receipt }: { readonly receipt: PurchaseReceipt }) => (
  <div className="purchase-content">
    <LineTable
      label="收货明细"
      lines={receipt.lines}
      priceLabel="实际单价"
      note={{ title: '价格原因', value: line => line.priceReason }}
    />
    {receipt.attachments && receipt.attachments.length > 0 && <StoredImages fileKeys={receipt.attachments} />}
  </div>
)

/** 收货记录: every delivery and every reversal, none of which is ever changed. */
export default function ReceiptsPage() {
  return (
    <ListPage
      list={purchaseReceipts.list}
      itemName="收货"
      columns={columns}
      filters={purchaseReceipts.filters}
      barFilters={['supplierId', 'receiveDate']}
      isDimmed={receipt => receipt.isReversed ?? false}
      rowActions={receipt => [receipt.kind === 'receipt' && !receipt.isReversed && reverse(receipt)]}
      export={exportReceipts}
      drawer={{
        width: 880,
        title: receipt => `${receipt.receiptNo} ${receipt.supplierName ?? ''}`,
        status: receipt => <ChoiceStatus choices={receiptKind} value={receipt.kind} />,
        groups,
        afterGroups: receipt => <Lines receipt={receipt} />,
      }}
    />
  )
}
