import type { CrudWebOptions } from '#kit/web/crud/crud-spec.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { MerchantOrderState } from '../contract/choices.ts'
import { exportMerchantOrders, type MerchantOrder } from '../contract/order.ts'
import { paths } from './paths.ts'

const OrderDetails = lazyComponent(() => import('./order-details.tsx').then(m => m.OrderDetails))
const OrderPayments = lazyComponent(() => import('./order-details.tsx').then(m => m.OrderPayments))
const OrderReturns = lazyComponent(() => import('./order-details.tsx').then(m => m.OrderReturns))

const stateView = (state: MerchantOrderState, name: string) => ({
  id: state,
  name,
  filter: { state: [state] },
})

export const orderViews = [
  { id: '', name: '全部', filter: {} },
  stateView('pending', '待支付'),
  stateView('paid', '已支付'),
  stateView('partRefunded', '部分退款'),
  stateView('refunded', '已退款'),
  stateView('cancelled', '已取消'),
]

/** What the orders of merchants and the trading centre's list of them show alike. */
export const orderSpec = {
  paths: { detail: paths.order },
  unit: '张商户订单',
  export: exportMerchantOrders,
  columns: [
    { key: 'orderNo', identity: true, width: 160 },
    { key: 'merchantName', grow: 1 },
    'totalQty',
    { key: 'totalAmount', hidePriority: 2 },
    { key: 'discountAmount', hidePriority: 3 },
    { key: 'payableAmount', hidePriority: 1 },
    'paidAmount',
    { key: 'refundedAmount', hidePriority: 2 },
    { key: 'netAmount', hidePriority: 1 },
    { key: 'payMethod', hidePriority: 2 },
    { key: 'orderTime', width: 150 },
    { key: 'payTime', width: 150, hiddenByDefault: true },
    { key: 'refundedQty', hidePriority: 3 },
    'state',
  ],
  detail: [
    {
      title: '订单',
      keys: ['orderNo', 'merchantName', 'state', 'totalQty', 'refundsExpired', 'operatorName'],
    },
    {
      title: '金额',
      keys: ['totalAmount', 'discountAmount', 'payableAmount', 'paidAmount', 'payMethod', 'payTime'],
    },
    { title: '退券', keys: ['refundedQty', 'refundedAmount', 'netAmount', 'refundTime', 'reason'] },
    { title: '其他', keys: ['orderTime', 'remark'] },
  ],
  tabs: [
    { key: 'details', label: '明细', inDrawer: true, body: order => <OrderDetails id={order.id} /> },
    { key: 'returns', label: '退券记录', body: order => <OrderReturns id={order.id} /> },
    { key: 'payments', label: '收款记录', body: order => <OrderPayments id={order.id} /> },
  ],
} satisfies CrudWebOptions<MerchantOrder, unknown, unknown>
