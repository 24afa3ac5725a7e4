import { waits } from '#kit/web/waits.ts'
import type { Provides } from '#kit/web/workbench.ts'
import { listItems } from '../contract/bill.ts'
import { menu } from '../module.ts'

export const provides: Provides = {
  queues: [
    waits({
      key: 'reconcile',
      title: '渠道对账差异',
      tone: 'bad',
      needs: menu.reconcile.may.handle,
      list: listItems,
      filter: { state: ['pending', 'escalated'] },
      path: '/finance/chargemanage/reconcile/items',
      verb: '去处理',
      company: true,
    }),
  ],
}
