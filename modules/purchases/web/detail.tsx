import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { usePurchaseActions } from './purchase-actions.tsx'
import { PurchaseContent, purchaseGroups } from './purchase-content.tsx'
import { PurchaseStatus, useDetailCall } from './one-purchase.tsx'

/** 采购详情: one purchase as a page of its own. */
export default function PurchaseDetailPage() {
  const { actionsOf, dialog } = usePurchaseActions()
  return (
    <>
      <DetailPage
        loadCall={useDetailCall()}
        title={row => `${row.purchaseNo} ${row.title}`}
        status={row => <PurchaseStatus row={row} />}
        actions={actionsOf}
        groups={purchaseGroups}
        afterGroups={row => <PurchaseContent purchase={row} />}
        historyEntity="purchase"
      />
      {dialog}
    </>
  )
}
