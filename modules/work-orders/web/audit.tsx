import { ListPage } from '#kit/web/list/list-page.tsx'
import { menu } from '../module.ts'
import { listAuditOrders } from '../contract/order-list.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { openOrder } from './order-address.ts'
import { orderColumns } from './order-columns.tsx'
import { useLiveOrders } from './live-orders.ts'
import { passAudit, refuseAudit } from './order-reasons.ts'

const views = [{ id: 'pending', name: '待审核', filter: {} }]
const needs = menu.order.permissions.audit

const rowActions = (row: WorkOrder) => [
  { label: '通过', needs, run: () => passAudit(row) },
  { label: '详情', run: () => openOrder(row.id) },
  { label: '驳回', needs, danger: true, run: () => refuseAudit(row) },
]

/** 工单审核: what must be looked at before anybody is sent. */
export default function AuditPage() {
  useLiveOrders(listAuditOrders)
  return (
    <ListPage
      list={listAuditOrders}
      itemName="待审核工单"
      columns={orderColumns}
      filters={['level', 'category', 'source', 'typeId', 'buildCode', 'roomCode', 'registerTime']}
      barFilters={['level', 'typeId']}
      views={views}
      rowActions={rowActions}
      drawer={{
        title: row => row.orderNo,
        width: 880,
        actions: rowActions,
        openAsPage: row => openOrder(row.id),
      }}
    />
  )
}
