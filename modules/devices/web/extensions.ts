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
})

export const extensions: Extensions = {}
