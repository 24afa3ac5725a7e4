import { listQueue } from '#kit/server/list-queue.ts'
import { listReconcileItems } from '../contract/channel-bill.ts'
import { menu } from '../module.ts'

export const workQueues = [
  listQueue({
    key: 'reconcile',
    title: '渠道对账差异',
    tone: 'bad',
    needs: menu.reconcile.permissions.handle,
    list: listReconcileItems,
    filter: { state: ['pending', 'escalated'] },
    path: '/finance/chargemanage/reconcile/items',
    actionLabel: '处理',
    isCompanyWide: true,
  }),
]
