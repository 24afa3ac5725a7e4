import { useState } from 'react'
import { buildColumns } from '#kit/web/columns.tsx'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { PageTabs } from '#kit/web/page-tabs.tsx'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { evaluation, evaluations, listVisits, saveVisit, visit, type Visit } from '../contract/evaluation.ts'
import { listOrders } from '../contract/order-list.ts'
import { menu, paths } from '../module.ts'
import { openOrder } from './order-address.ts'
import { orderColumns } from './order-columns.tsx'
import { useLiveOrders } from './live-orders.ts'

const { permissions } = menu.evaluation

const PlaceCodes = lazyComponent(
  () => import('./place-codes.tsx').then(m => m.PlaceCodes),
  <RowSkeleton rows={8} />,
)

const VisitDialog = actionDialog({
  call: saveVisit,
  title: (v: Visit) => `登记回访「${v.orderNo ?? ''}」`,
  submitLabel: '保存回访',
  keys: ['result', 'content'],
  target: ({ id }) => ({ id }),
  below: ({ result }) => (result === 'unreachable' ? <p>联系不上的，回访保持待办，稍后再次联系</p> : null),
  doneText: () => '已登记回访',
})

const visitColumns = buildColumns(visit, [
  { key: 'orderNo', identity: true, width: 150 },
  { key: 'typeName', width: 92 },
  { key: 'address', width: 120, grow: 1 },
  { key: 'reporterName', width: 84 },
  { key: 'handlerName', width: 84, hidePriority: 1 },
  'reason',
  'dueTime',
  { key: 'result', hidePriority: 1 },
  { key: 'content', width: 140, grow: 1, hidePriority: 2 },
  { key: 'visitTime', wideOnly: true, hidePriority: 2 },
  { key: 'visitorName', wideOnly: true, hidePriority: 2 },
  'state',
])

function Visits() {
  const [visited, setVisited] = useState<Visit>()
  const rowActions = (row: Visit) => [
    row.state === 'waiting' && {
      label: '登记回访',
      needs: permissions.visit,
      run: () => setVisited(row),
    },
    { label: '工单', run: () => openOrder(row.orderId) },
  ]
  return (
    <>
      <ListPage
        embedded
        pageSize={15}
        list={listVisits}
        itemName="回访"
        columns={visitColumns}
        filters={['state', 'reason', 'result', 'dueTime', 'visitTime', 'buildCode']}
        barFilters={['state', 'reason']}
        views={[
          { id: 'waiting', name: '待回访', filter: { state: ['waiting'] } },
          { id: 'done', name: '已回访', filter: { state: ['done'] } },
          { id: 'all', name: '全部', filter: {} },
        ]}
        rowActions={rowActions}
        drawer={{ title: row => row.orderNo ?? '', actions: rowActions }}
      />
      {visited && <VisitDialog record={visited} onClose={() => setVisited(undefined)} />}
    </>
  )
}

const evaluationColumns = buildColumns(evaluation, [
  { key: 'orderNo', identity: true, width: 150 },
  { key: 'typeName', width: 92 },
  { key: 'address', width: 120, grow: 1 },
  { key: 'handlerName', width: 84 },
  'score',
  { key: 'speedScore', hidePriority: 1 },
  { key: 'attitudeScore', hidePriority: 1 },
  { key: 'qualityScore', hidePriority: 1 },
  { key: 'content', width: 160, grow: 1 },
  'evaluateTime',
  { key: 'reopenTime', hidePriority: 2 },
  { key: 'isDefault', wideOnly: true, hidePriority: 2 },
])

const Evaluations = () => (
  <ListPage
    embedded
    pageSize={15}
    list={evaluations.list}
    itemName="评价"
    columns={evaluationColumns}
    filters={['score', 'isDefault', 'evaluateTime', 'reopenTime', 'buildCode']}
    barFilters={['isDefault', 'buildCode']}
    views={[
      { id: '', name: '报事人评价', filter: { isDefault: false } },
      { id: 'all', name: '全部', filter: {} },
    ]}
    rowActions={row => [{ label: '工单', run: () => openOrder(row.orderId) }]}
    drawer={{
      title: row => row.orderNo ?? '',
      afterGroups: row => (row.photos?.length ? <StoredImages fileKeys={row.photos} /> : null),
    }}
  />
)

/** What residents and service staff reported, without what belongs to the company itself. */
function Requests() {
  return (
    <ListPage
      embedded
      pageSize={15}
      list={listOrders}
      settingsKey="work-orders/requests"
      itemName="报事"
      columns={orderColumns}
      filters={['category', 'source', 'state', 'typeId', 'roomCode', 'registerTime', 'reporterPhone']}
      barFilters={['category', 'state']}
      views={[
        { id: '', name: '全部', filter: { category: ['repair', 'complaint', 'suggestion', 'enquiry'] } },
        { id: 'repair', name: '报修', filter: { category: ['repair'] } },
        { id: 'complaint', name: '投诉', filter: { category: ['complaint'] } },
        { id: 'suggestion', name: '建议', filter: { category: ['suggestion'] } },
        { id: 'enquiry', name: '咨询', filter: { category: ['enquiry'] } },
      ]}
      primaryAction={{
        label: '新增工单',
        needs: menu.order.permissions.add,
        run: () => navigateTo(paths.addOrder),
      }}
      rowActions={row => [{ label: '办理', run: () => openOrder(row.id) }]}
    />
  )
}

const tabs = [
  { key: 'orders', label: '业主报事', children: <Requests /> },
  { key: 'codes', label: '报事二维码', children: <PlaceCodes /> },
  { key: 'visit', label: '回访', needs: permissions.view, children: <Visits /> },
  { key: 'evaluation', label: '评价', needs: permissions.view, children: <Evaluations /> },
]

/** 客户服务: what residents asked for, how they rated it, whom to call back. */
export default function CustomerServicePage() {
  useLiveOrders(listVisits, listOrders, evaluations.list)
  return <PageTabs tabs={tabs} addressKey="view" />
}
