import type { Extensions } from '#kit/web/workbench.ts'
import { roomChangeNotices } from '#modules/rooms/web/public.actions.ts'
import { menu } from '../module.ts'

roomChangeNotices.provide(async room => (await import('./misfit-notice.tsx')).showMisfitBills(room))

export const extensions: Extensions = {
  finders: [
    {
      group: 'paper',
      needs: menu.bill.permissions.view,
      prepare: () => import('./finder.ts'),
      search: async (keyword, signal) => (await import('./finder.ts')).findBills(keyword, signal),
    },
  ],
}
