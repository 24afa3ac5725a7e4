import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { send } from '#kit/web/send.ts'
import type { Extensions } from '#kit/web/workbench.ts'
import { closeGuide, getGuideState } from '../contract/guide.ts'
import { menu } from '../module.ts'

const { permissions } = menu.guide

export const extensions: Extensions = {
  firstRun: {
    needs: permissions.view,
    closeNeeds: permissions.edit,
    isOpen: async signal => (await send(getGuideState, undefined, { quiet: true, project: 0, signal })).open,
    close: () => send(closeGuide, { closed: true }, { project: 0 }),
    Draw: lazyComponent(() => import('./setup-guide.tsx').then(m => m.default)),
  },
}
