import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { createListQueue, queueSumText } from '#kit/web/list-queue.ts'
import type { Extensions } from '#kit/web/workbench.ts'
import { cashierExtensions } from '#modules/payments/web/public.ts'
import { listTransfers } from '../contract/transfer.ts'
import { menu } from '../module.ts'

cashierExtensions.provide({
  key: 'prestore',
  label: '预存充值',
  shortcut: 'F9',
  needs: menu.account.permissions.topUp,
  isApplicable: d => d.sourceType === 'room' || d.payerId !== undefined,
  Component: lazyComponent(() => import('./cashier-top-up.tsx').then(m => m.CashierTopUp)),
})

export const extensions: Extensions = {
  queues: [
    createListQueue({
      key: 'prestore.transfers',
      title: '预存转账待审核',
      tone: 'todo',
      needs: menu.account.permissions.audit,
      list: listTransfers,
      filter: { state: ['pending'] },
      path: '/finance/reservemanagement/transfers',
      view: 'pending',
      actionLabel: '审核',
      waitingSince: r => r.createTime,
      detail: queueSumText(),
    }),
  ],
}
