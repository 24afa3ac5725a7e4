import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { Extensions } from '#kit/web/workbench.ts'
import { setupTabs } from '#modules/parking-lanes/web/public.tabs.ts'
import { menu } from '../module.ts'

setupTabs.provide({
  key: 'payCodes',
  label: '缴费二维码',
  needs: menu.payment.permissions.view,
  Body: lazyComponent(() => import('./pay-codes.tsx').then(m => m.PayCodes)),
})

export const extensions: Extensions = {}
