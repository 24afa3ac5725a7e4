import type { Extensions } from '#kit/web/workbench.ts'
import { menu } from '../module.ts'

export const extensions: Extensions = {
  finders: [
    {
      group: 'person',
      needs: menu.resident.permissions.view,
      prepare: () => import('./finder.ts'),
      search: async (keyword, signal) => (await import('./finder.ts')).findResidents(keyword, signal),
    },
  ],
}
