import type { Extensions } from '#kit/web/workbench.ts'
import { menu } from '../module.ts'

export const extensions: Extensions = {
  finders: [
    {
      group: 'car',
      needs: menu.car.permissions.view,
      prepare: () => import('./finder.ts'),
      search: async (keyword, signal) => (await import('./finder.ts')).findCars(keyword, signal),
    },
  ],
}
