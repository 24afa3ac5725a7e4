import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { Extensions } from '#kit/web/workbench.ts'
import { filePushers } from '#modules/files/web/public.actions.ts'
import { menu } from '../module.ts'

const { permissions } = menu.command

filePushers.provide({
  needs: {
    push: permissions.pushFile,
    pushKernel: permissions.pushKernel,
    pushPackage: permissions.pushPackage,
  },
  Dialog: lazyComponent(() => import('./push-dialog.tsx').then(m => m.PushDialog)),
  historyNeeds: permissions.view,
  History: lazyComponent(() => import('./push-history.tsx').then(m => m.PushHistory)),
})

export const extensions: Extensions = {}
