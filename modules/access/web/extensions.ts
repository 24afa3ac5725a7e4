import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { Extensions } from '#kit/web/workbench.ts'
import { holderRights } from '#modules/residents/web/public.holder-rights.ts'
import { menu } from '../module.ts'

holderRights.provide({
  needs: menu.doorway.permissions.reach,
  List: lazyComponent(() => import('./rights.tsx').then(m => m.HolderRights)),
})

export const extensions: Extensions = {}
