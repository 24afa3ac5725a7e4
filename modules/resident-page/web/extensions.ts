import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { Extensions } from '#kit/web/workbench.ts'
import { holderLinks } from '#modules/residents/web/public.holder-rights.ts'
import { menu } from '../module.ts'

holderLinks.provide({
  needs: menu.page.permissions.link,
  label: '住户链接',
  Dialog: lazyComponent(() => import('./links-dialog.tsx').then(m => m.HomeLinksDialog)),
})

export const extensions: Extensions = {}
