import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { usePermission } from '#kit/web/session.ts'
import type { Actions } from '#kit/web/action.tsx'
import { useChannelPayment } from '#modules/payments/web/public.ts'
import { listOrders, getOrder, payOnline, productOrder, type ProductOrder } from '../contract/order.ts'
import { orderState } from '../contract/labels.ts'
import { menu } from '../module.ts'
import { cancelOrderAction, entitiesChangedByPayment, getOrderActions } from './order-actions.ts'

const formatQuantityAndTerm = (o: ProductOrder): string =>
  `${o.quantity.toLocaleString('en-US')} ${o.unit}${o.months ? ` × ${o.months} 个月` : ''}`

const listColumns = buildColumns(listOrders.output, [
  { key: 'orderNo', identity: true, width: 172 },
  { key: 'productName', grow: 1 },
  { key: 'kind', hidePriority: 2 },
  {
    key: 'times',
    title: '数量与时长',
    width: 150,
    render: formatQuantityAndTerm,
    text: formatQuantityAndTerm,
  },
  { key: 'unitPrice', wideOnly: true },
  { key: 'amount', strong: true },
  { key: 'createTime', title: '下单时间' },
  { key: 'payMethod', wideOnly: true },
  { key: 'payTime', wideOnly: true },
  { key: 'newExpire', hidePriority: 2 },
  { key: 'operatorName', wideOnly: true },
  'state',
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'pending', name: '待支付', filter: { state: ['pending'] } },
  { id: 'paid', name: '已支付', filter: { state: ['paid'] } },
  { id: 'ended', name: '已取消与关闭', filter: { state: ['cancelled', 'closed'] } },
]

const groups = [
  {
    title: '订单',
    keys: [
      'orderNo',
      'productName',
      'kind',
      { key: 'times', label: '数量与时长', render: formatQuantityAndTerm },
      'unitPrice',
      'amount',
      'createTime',
      'operatorName',
    ] as const,
  },
  {
    title: '支付与生效',
    keys: [
      'state',
      'closeTime',
      'payMethod',
      'payTime',
      'transactionId',
      'oldExpire',
      'newExpire',
      'cancelReason',
    ] as const,
  },
]

/** What the company has ordered of the platform: renewals, applications, value-added services. */
export default function Orders() {
  const hasPermission = usePermission()
  const online = useChannelPayment({
    type: 'renewal',
    stale: entitiesChangedByPayment,
    enabled: hasPermission(menu.order.permissions.pay),
  })
  const getActions = (order: ProductOrder): Actions => [
    order.state === 'pending' &&
      online.open && {
        label: '在线支付',
        needs: menu.order.permissions.pay,
        run: () => online.start(() => sendAndInvalidate(payOnline, { id: order.id })),
      },
    ...getOrderActions(order),
  ]
  return (
    <>
      <ListPage
        list={listOrders}
        itemName="订单"
        columns={listColumns}
        barFilters={['state', 'kind']}
        filters={['state', 'kind', 'productId', 'payMethod', 'amount', 'createTime', 'payTime']}
        views={views}
        rowActions={getActions}
        batchActions={[cancelOrderAction.batch]}
        unselectableReason={o => (o.state === 'pending' ? undefined : '只有待支付的订单可以取消')}
        drawer={{
          title: o => o.orderNo,
          status: o => <ChoiceStatus choices={orderState} value={o.state} />,
          loadCall: getOrder,
          groups,
          historyEntity: productOrder.name,
          actions: getActions,
        }}
      />
      {online.dialog}
    </>
  )
}
