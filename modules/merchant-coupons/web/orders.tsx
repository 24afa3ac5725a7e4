import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import type { CrudExtras } from '#kit/web/crud/crud-spec.ts'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { useChannelPayment } from '#modules/payments/web/public/channel-payment.ts'
import type { MerchantOrderState } from '../contract/choices.ts'
import {
  cancelMerchantOrder,
  merchantOrders,
  payMerchantOrderOffline,
  type MerchantOrder,
} from '../contract/order.ts'
import { prepayMerchantOrder } from '../contract/order-payment.ts'
import { isBought } from '../domain/order-state.ts'
import { menu } from '../module.ts'
import { orderSpec, orderViews } from './order-spec.tsx'
import { paths } from './paths.ts'

const RefundDialog = lazyComponent(() => import('./refund-dialog.tsx').then(m => m.RefundDialog))

const { permissions } = menu.order

const isIn =
  (state: MerchantOrderState) =>
  (row: MerchantOrder): boolean =>
    row.state === state

const OfflineForm = actionDialog({
  call: payMerchantOrderOffline,
  title: (order: MerchantOrder) => `登记收款「${order.orderNo}」`,
  submitLabel: '登记收款',
  keys: ['payMethod', 'amount', { key: 'remark', wide: true }],
  target: ({ id }) => ({ id }),
  initial: ({ payableAmount }) => ({ payMethod: 'transfer' as const, amount: payableAmount }),
  doneText: ({ merchantName }, { paidAmount }) =>
    `已收「${merchantName ?? ''}」${displayYuanWithSymbol(paidAmount)}，停车券已入库`,
})

interface DialogProps {
  readonly of: readonly MerchantOrder[]
  readonly onClose: () => void
}

const OfflineDialog = ({ of: [order], onClose }: DialogProps) =>
  order && <OfflineForm record={order} onClose={onClose} />

const stale = ['merchantOrder', 'merchantStock', 'merchantStockRecord']

/** 扫码支付: the payment dialog over the order's pay order. */
function useOrderExtras(): CrudExtras<MerchantOrder, unknown> {
  const payment = useChannelPayment({ type: 'bill', stale })
  const begin = (id: MerchantOrder['id']) => () => sendAndInvalidate(prepayMerchantOrder, { id })
  return {
    actions: order => [
      order.state === 'pending' && {
        label: '扫码支付',
        needs: permissions.buy,
        disabledReason: payment.open ? undefined : '未开通在线收款渠道，请登记线下收款',
        run: () => payment.start(begin(order.id)),
      },
    ],
    dialogs: payment.dialog,
  }
}

export const pages = crudPages(merchantOrders, {
  ...orderSpec,
  useExtras: useOrderExtras,
  actions: [
    {
      label: '登记收款',
      needs: permissions.offline,
      dialog: OfflineDialog,
      isOffered: isIn('pending'),
    },
    {
      label: '取消',
      call: cancelMerchantOrder,
      keys: [{ key: 'reason', wide: true }],
      isOffered: isIn('pending'),
      danger: true,
    },
    {
      label: '退券',
      needs: permissions.refund,
      dialog: RefundDialog,
      isOffered: row => isBought(row.state),
      disabledReason: row => (row.refundId ? '已申请退券，请在「退款」中办结' : undefined),
      danger: true,
    },
  ],
})

/** 商户订单: purchases, paid, cancelled, returned. */
export const Orders = () => (
  <CrudList
    model={pages.model}
    list={{
      embedded: true,
      addressed: true,
      pageSize: 15,
      keywordPlaceholder: '订单号、商户',
      barFilters: ['merchantId', 'orderTime'],
      settingsKey: 'merchant-coupons/orders',
      views: orderViews,
      toolbarActions: [{ label: '商户购券', needs: permissions.buy, run: () => navigateTo(paths.buy) }],
    }}
  />
)
