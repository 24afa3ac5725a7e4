import { useNavigate } from 'react-router'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { exportPurchases, purchases } from '../contract/purchase.ts'
import { menu, paths } from '../module.ts'
import { usePurchaseActions } from './purchase-actions.tsx'
import { purchaseColumns } from './purchase-columns.tsx'
import { PurchaseContent, purchaseGroups } from './purchase-content.tsx'
import { PurchaseStatus } from './one-purchase.tsx'

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'deciding', name: '待审批', filter: { state: ['approving'], way: ['person'] } },
  { id: 'approving', name: '审批中', filter: { state: ['approving'] } },
  { id: 'ordering', name: '待下单', filter: { awaitsOrder: true } },
  { id: 'arriving', name: '待收货', filter: { state: ['ordering', 'partial'] } },
  { id: 'done', name: '已完成', filter: { state: ['done'] } },
  { id: 'ended', name: '驳回与取消', filter: { state: ['refused', 'cancelled'] } },
]

/** 采购记录: everything that was asked for, with how far it has come. */
export default function RecordsPage() {
  const navigate = useNavigate()
  const { actionsOf, dialog } = usePurchaseActions()
  return (
    <>
      <ListPage
        list={purchases.list}
        itemName="采购"
        columns={purchaseColumns}
        views={views}
        filters={purchases.filters}
        barFilters={['state', 'needDate', 'departmentId']}
        primaryAction={{
          label: '采购申请',
          needs: menu.request.permissions.add,
          run: () => void navigate(paths.form),
        }}
        rowActions={row => [
          ...actionsOf(row),
          { label: '详情', run: () => void navigate(`${paths.detail}?id=${row.id}`) },
        ]}
        export={exportPurchases}
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
