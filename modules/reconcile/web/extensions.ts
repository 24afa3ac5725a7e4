import { createListQueue } from '#kit/web/list-queue.ts'
import type { Extensions } from '#kit/web/workbench.ts'
import { listReconcileItems } from '../contract/channel-bill.ts'
import { menu } from '../module.ts'

export const extensions: Extensions = {
  queues: [
    createListQueue({
      key: 'reconcile',
      title: '渠道对账差异',
      tone: 'bad',
      needs: menu.reconcile.permissions.handle,
      list: listReconcileItems,
      filter: { state: ['pending', 'escalated'] },
      path: '/finance/chargemanage/reconcile/items',
      actionLabel: '去处理',
      isCompanyWide: true,
    }),
  ],
}
