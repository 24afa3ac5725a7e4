import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { Extensions } from '#kit/web/workbench.ts'
import { cashierExtensions } from '#modules/payments/web/public.actions.ts'
import { menu } from '../module.ts'

cashierExtensions.provide({
  key: 'monthCard',
  label: '月卡续费',
  shortcut: 'F10',
  needs: menu.order.permissions.renew,
  isApplicable: view => view.sourceType === 'car',
  Component: lazyComponent(() => import('./cashier-renewal.tsx').then(m => m.CashierRenewal)),
})

export const extensions: Extensions = {}
