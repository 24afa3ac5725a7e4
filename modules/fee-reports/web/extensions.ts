import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { Extensions } from '#kit/web/workbench.ts'
import { menu } from '../module.ts'

export const extensions: Extensions = {
  blocks: [
    {
      key: 'fee-reports.today',
      title: '今日收款',
      needs: menu.till.permissions.view,
      order: 10,
      Draw: lazyComponent(() => import('./blocks.tsx').then(m => m.TodayReceipts)),
    },
    {
      key: 'fee-reports.rate',
      title: '本月收缴率',
      needs: menu.home.permissions.view,
      order: 30,
      Draw: lazyComponent(() => import('./blocks.tsx').then(m => m.CollectionRate)),
    },
  ],
}
