import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { Extensions } from '#kit/web/workbench.ts'
import { cashierExtensions } from '#modules/payments/web/public.actions.ts'
import { menu } from '../module.ts'

cashierExtensions.provide({
  key: 'prestore',
  label: '预存充值',
  shortcut: 'F9',
  needs: menu.account.permissions.topUp,
  isApplicable: d => d.sourceType === 'room' || d.sourceType === 'car' || d.payerId !== undefined,
  Component: lazyComponent(() => import('./cashier-top-up.tsx').then(m => m.CashierTopUp)),
})

export const extensions: Extensions = {}
