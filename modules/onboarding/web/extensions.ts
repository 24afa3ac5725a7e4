import { createElement } from 'react'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import type { Extensions } from '#kit/web/workbench.ts'
import { guidePath, menu } from '../module.ts'

const { permissions } = menu.guide

export const extensions: Extensions = {
  firstRun: {
    needs: permissions.view,
    path: guidePath,
    closeNeeds: permissions.edit,
    isOpen: async signal => (await import('./guide-state.ts')).isGuideOpen(signal),
    close: async () => (await import('./guide-state.ts')).closeGuideForGood(),
    Draw: lazyComponent(
      () => import('./setup-guide.tsx').then(m => m.default),
      createElement(RowSkeleton, { rows: 8 }),
    ),
  },
}
