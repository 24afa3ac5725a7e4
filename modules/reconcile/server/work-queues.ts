import { listQueue } from '#kit/server/list-queue.ts'
import { listReconcileItems } from '../contract/channel-bill.ts'
import { menu, paths } from '../module.ts'

export const workQueues = [
  listQueue({
    key: 'reconcile',
    title: '渠道对账差异',
    tone: 'bad',
    needs: menu.reconcile.permissions.handle,
    list: listReconcileItems,
    filter: { state: ['pending', 'escalated'] },
    path: paths.reconcileItems,
    actionLabel: '处理',
    isCompanyWide: true,
  }),
]
