import { useState } from 'react'
import { useNavigate } from 'react-router'
import { buildColumns } from '#kit/web/columns.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { orderState } from '../contract/choices.ts'
import { closeOrder, exportOrders, purchaseOrders, type PurchaseOrder } from '../contract/order.ts'
import { isAwaited } from '../domain/states.ts'
import { menu, paths } from '../module.ts'
import { LineTable } from './purchase-content.tsx'

const ReceiveDialog = lazyComponent(() => import('./receive-dialog.tsx').then(m => m.ReceiveDialog))

const columns = buildColumns(purchaseOrders.list.output, [
  { key: 'orderNo', identity: true, fitContent: true },
  { key: 'supplierName', width: 140, grow: 2 },
  { key: 'purchaseTitle', width: 120, grow: 2 },
  { key: 'purchaseNo', wideOnly: true, fitContent: true },
  { key: 'estateName', wideOnly: true },
  { key: 'orderDate', wideOnly: true },
  'deliverDate',
  { key: 'buyerName', width: 96, hidePriority: 1 },
  'amount',
  'receivedAmount',
  'state',
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'awaited', name: '待收货', filter: { state: ['open', 'partial'] } },
  { id: 'done', name: '已完成', filter: { state: ['done'] } },
  { id: 'ended', name: '关闭与取消', filter: { state: ['closed', 'cancelled'] } },
]

const groups = [
  {
    title: '采购订单',
    keys: [
      'orderNo',
      'supplierName',
      'purchaseNo',
      'purchaseTitle',
      'estateName',
      'orderDate',
      'deliverDate',
      'deliverPlace',
      'buyerName',
      'isAhead',
      'amount',
      'receivedAmount',
      'remark',
      'endReason',
    ],
  },
] as const

const closeAction = (order: PurchaseOrder) => {
  const label = order.state === 'open' ? '取消订单' : '关闭订单'
  return {
    label,
    needs: menu.order.permissions.edit,
    danger: true,
    run: () =>
      confirmAndSend(closeOrder, {
        actionLabel: label,
        unit: `张采购订单：${order.orderNo}`,
        consequences: ['未到货的不再收货，可以另向其他供应商下单'],
        input: { id: order.id },
      }),
  }
}

/** 采购订单: what was ordered from whom, and what is awaited. */
export default function OrdersPage() {
  const navigate = useNavigate()
  const [receiving, setReceiving] = useState<PurchaseOrder>()
  return (
    <>
      <ListPage
        list={purchaseOrders.list}
        itemName="采购订单"
        keywordPlaceholder="订单号、采购单号、标题、品名、供应商"
        columns={columns}
        views={views}
        filters={purchaseOrders.filters}
        barFilters={['supplierId', 'deliverDate']}
        rowActions={order => [
          isAwaited(order.state) && {
            label: '收货',
            needs: menu.receipt.permissions.add,
            run: () => setReceiving(order),
          },
          { label: '打印', run: () => void window.open(`${paths.orderPrint}?id=${order.id}`, '_blank') },
          {
            label: '查看采购',
            needs: menu.purchase.permissions.view,
            run: () => void navigate(`${paths.detail}?id=${order.purchaseId}`),
          },
          isAwaited(order.state) && closeAction(order),
        ]}
        export={exportOrders}
        drawer={{
          width: 880,
          title: order => `${order.orderNo} ${order.supplierName ?? ''}`,
          status: order => <ChoiceStatus choices={orderState} value={order.state} />,
          groups,
          afterGroups: order => (
            <div className="purchase-content">
              <LineTable
                label="订单明细"
                lines={order.lines}
                priceLabel="单价"
                progress={[{ title: '已入库', value: line => line.receivedQuantity }]}
                note={{ title: '价格原因', value: line => line.priceReason }}
              />
            </div>
          ),
          historyEntity: 'purchaseOrder',
        }}
      />
      {receiving && <ReceiveDialog record={receiving} onClose={() => setReceiving(undefined)} />}
    </>
  )
}
