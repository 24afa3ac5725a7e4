import { useNavigate } from 'react-router'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { listOwnPurchases } from '../contract/purchase.ts'
import { menu, paths } from '../module.ts'
import { usePurchaseActions } from './purchase-actions.tsx'
import { purchaseColumns } from './purchase-columns.tsx'
import { PurchaseContent, purchaseGroups } from './purchase-content.tsx'
import { PurchaseStatus } from './one-purchase.tsx'

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'draft', name: '草稿', filter: { state: ['draft'] } },
  { id: 'running', name: '进行中', filter: { state: ['approving', 'approved', 'ordering', 'partial'] } },
  { id: 'returned', name: '已退回', filter: { isReturned: true } },
  { id: 'refused', name: '已驳回', filter: { state: ['refused'] } },
  { id: 'done', name: '已完成', filter: { state: ['done'] } },
]

const columns = purchaseColumns.filter(column => column.key !== 'applicantName')

/** 我的采购: what this person asked for. */
export default function OwnPurchasesPage() {
  const navigate = useNavigate()
  const { actionsOf, dialog } = usePurchaseActions()
  return (
    <>
      <ListPage
        list={listOwnPurchases}
        itemName="采购"
        columns={columns}
        views={views}
        filters={['state', 'needDate', 'isUrgent', 'totalAmount', 'submitTime']}
        barFilters={['state', 'needDate']}
        primaryAction={{
          label: '采购申请',
          needs: menu.request.permissions.add,
          run: () => void navigate(paths.form),
        }}
        toolbarActions={[{ label: '手机采购', run: () => void window.open(paths.phone, '_blank') }]}
        rowActions={row => [
          ...actionsOf(row),
          { label: '详情', run: () => void navigate(`${paths.detail}?id=${row.id}`) },
        ]}
        drawer={{
          width: 880,
          title: row => `${row.purchaseNo} ${row.title}`,
          status: row => <PurchaseStatus row={row} />,
          groups: purchaseGroups,
          afterGroups: row => <PurchaseContent purchase={row} />,
          historyEntity: 'purchase',
          openAsPage: row => void navigate(`${paths.detail}?id=${row.id}`),
        }}
      />
      {dialog}
    </>
  )
}
