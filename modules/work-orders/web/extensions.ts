import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { Extensions } from '#kit/web/workbench.ts'
import { menu } from '../module.ts'

const { view } = menu.order.permissions

export const extensions: Extensions = {
  finders: [
    {
      group: 'paper',
      needs: view,
      prepare: () => import('./finder.ts'),
      search: async (keyword, signal) => (await import('./finder.ts')).findOrders(keyword, signal),
    },
  ],
  blocks: [
    {
      key: 'work-orders.open',
      title: '工单',
      needs: view,
      order: 40,
      Draw: lazyComponent(() => import('./work-block.tsx').then(m => m.WorkBlock)),
    },
  ],
}
