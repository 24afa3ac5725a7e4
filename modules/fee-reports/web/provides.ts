import { later } from '#kit/web/later.tsx'
import type { Provides } from '#kit/web/workbench.ts'
import { menu } from '../module.ts'

export const provides: Provides = {
  blocks: [
    {
      key: 'fee-reports.today',
      title: '今日收款',
      needs: menu.till.may.view,
      order: 10,
      Draw: later(() => import('./blocks.tsx').then(m => m.Today)),
    },
    {
      key: 'fee-reports.rate',
      title: '本月收缴率',
      needs: menu.home.may.view,
      order: 30,
      Draw: later(() => import('./blocks.tsx').then(m => m.Rate)),
    },
  ],
}
