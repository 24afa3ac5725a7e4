import { act } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Choice } from '#kit/web/status.tsx'
import { usePermission } from '#kit/web/session.ts'
import type { Verbs } from '#kit/web/verb.tsx'
import { useChannelPay } from '#modules/payments/web/public.ts'
import { listOrders, oneOrder, payOnline, productOrder, type ProductOrder } from '../contract/order.ts'
import { orderState } from '../contract/words.ts'
import { menu } from '../module.ts'
import { cancel, payOnlineStale, verbsOf } from './order-verbs.ts'

const times = (o: ProductOrder): string =>
  `${o.quantity.toLocaleString('en-US')} ${o.unit}${o.months ? ` × ${o.months} 个月` : ''}`

const shown = columns(listOrders.output, [
  { key: 'orderNo', identity: true, width: 172 },
  { key: 'productName', grow: 1 },
  { key: 'kind', drop: 2 },
  { key: 'times', title: '数量与时长', width: 150, render: times, text: times },
  { key: 'unitPrice', roomy: true },
  { key: 'amount', strong: true },
  { key: 'createTime', title: '下单时间' },
  { key: 'payMethod', roomy: true },
  { key: 'payTime', roomy: true },
  { key: 'newExpire', drop: 2 },
  { key: 'operatorName', roomy: true },
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
      { key: 'times', label: '数量与时长', show: times },
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
export default function Bills() {
  const may = usePermission()
  const online = useChannelPay({ type: 'renewal', stale: payOnlineStale, enabled: may(menu.order.may.pay) })
  const verbs = (o: ProductOrder): Verbs => [
    o.state === 'pending' &&
      online.open && {
        label: '在线支付',
        may: menu.order.may.pay,
        run: () => online.start(() => act(payOnline, { id: o.id })),
      },
    ...verbsOf(o),
  ]
  return (
    <>
      <ListPage
        list={listOrders}
        what="订单"
        columns={shown}
        bar={['state', 'kind']}
        filters={['state', 'kind', 'productId', 'payMethod', 'amount', 'createTime', 'payTime']}
        views={views}
        row={verbs}
        batch={[cancel.batch]}
        untickable={o => (o.state === 'pending' ? undefined : '只有待支付的订单可以取消')}
        dim={o => o.state === 'cancelled' || o.state === 'closed'}
        drawer={{
          title: o => o.orderNo,
          status: o => <Choice of={orderState} value={o.state} />,
          one: oneOrder,
          groups,
          history: productOrder.name,
          verbs,
        }}
      />
      {online.dialog}
    </>
  )
}
