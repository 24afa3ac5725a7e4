import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import type { MonthOrderState } from '../contract/choices.ts'
import { cancelMonthOrder, exportMonthOrders, monthOrders, type MonthOrder } from '../contract/month-order.ts'
import { menu } from '../module.ts'
import { cashierPath, paths } from './paths.ts'

const RefundDialog = lazyComponent(() => import('./refund-dialog.tsx').then(m => m.RefundDialog))

const { permissions } = menu.order

const isIn =
  (state: MonthOrderState) =>
  (row: MonthOrder): boolean =>
    row.state === state

const stateView = (state: MonthOrderState, name: string) => ({ id: state, name, filter: { state: [state] } })

/** 月卡订单: months that were sold to cars, paid, cancelled, refunded. */
export const pages = crudPages(monthOrders, {
  paths: { list: paths.list, detail: paths.detail },
  unit: '张月卡订单',
  export: exportMonthOrders,
  toolbar: [{ label: '月卡续费', needs: permissions.renew, run: () => navigateTo(paths.renew) }],
  actions: [
    {
      label: '收款',
      needs: permissions.renew,
      isOffered: isIn('pending'),
      run: row => navigateTo(cashierPath(row)),
    },
    {
      label: '取消',
      call: cancelMonthOrder,
      keys: [{ key: 'reason', wide: true }],
      isOffered: isIn('pending'),
      danger: true,
    },
    {
      label: '退款',
      needs: permissions.refund,
      dialog: RefundDialog,
      isOffered: isIn('paid'),
      disabledReason: row => (row.refundId ? '已申请退款，请在「退款」中办结' : undefined),
      danger: true,
    },
  ],
  columns: [
    { key: 'plateNo', identity: true, width: 110 },
    { key: 'ownerName', grow: 1 },
    'months',
    { key: 'unitPrice', hidePriority: 2 },
    { key: 'oldEnd', hidePriority: 2 },
    { key: 'newBegin', hidePriority: 1 },
    'newEnd',
    'amount',
    { key: 'paidAmount', hidePriority: 1 },
    { key: 'orderTime', hidePriority: 2 },
    { key: 'paidTime', hiddenByDefault: true },
    { key: 'operatorName', hiddenByDefault: true },
    'state',
  ],
  list: {
    keywordPlaceholder: '车牌',
    barFilters: ['orderTime', 'newEnd'],
    views: [
      { id: '', name: '全部', filter: {} },
      stateView('pending', '待支付'),
      stateView('paid', '已支付'),
      stateView('refunded', '已退款'),
      stateView('cancelled', '已取消'),
    ],
  },
  detail: [
    { title: '月卡', keys: ['plateNo', 'ownerName', 'months', 'feeStandardName', 'state', 'reason'] },
    { title: '有效期', keys: ['oldBegin', 'oldEnd', 'newBegin', 'newEnd', 'grantedEnd'] },
    { title: '金额', keys: ['unitPrice', 'amount', 'paidAmount', 'orderTime', 'paidTime', 'operatorName'] },
  ],
})
