import { listQueue } from '#kit/server/list-queue.ts'
import { purchaseOrders } from '../contract/order.ts'
import { listOwnPurchases, purchases } from '../contract/purchase.ts'
import { awaitedOrderStates } from '../domain/states.ts'
import { menu, paths } from '../module.ts'

export const workQueues = [
  listQueue({
    key: 'purchases.decide',
    title: '采购待审批',
    tone: 'todo',
    needs: menu.purchase.permissions.decide,
    list: purchases.list,
    filter: { state: ['approving'], way: ['person'] },
    path: paths.records,
    view: 'deciding',
    actionLabel: '审批',
    since: 'submitTime',
    sum: { label: '预估金额', key: 'totalAmount' },
  }),
  listQueue({
    key: 'purchases.order',
    title: '采购待下单',
    tone: 'todo',
    needs: menu.order.permissions.add,
    list: purchases.list,
    filter: { awaitsOrder: true },
    path: paths.records,
    view: 'ordering',
    actionLabel: '下单',
    since: 'approveTime',
  }),
  listQueue({
    key: 'purchases.receive',
    title: '采购待收货',
    tone: 'todo',
    needs: menu.receipt.permissions.add,
    list: purchaseOrders.list,
    filter: { state: [...awaitedOrderStates] },
    path: paths.orders,
    view: 'awaited',
    actionLabel: '收货',
  }),
  listQueue({
    key: 'purchases.refused',
    title: '我的采购被驳回',
    tone: 'bad',
    needs: menu.request.permissions.add,
    list: listOwnPurchases,
    filter: { state: ['refused'] },
    path: paths.own,
    view: 'refused',
    actionLabel: '修改',
    isCompanyWide: true,
  }),
]
