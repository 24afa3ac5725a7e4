import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { Extensions } from '#kit/web/workbench.ts'
import { cashierExtensions } from '#modules/payments/web/public.actions.ts'
import { menu } from '../module.ts'

cashierExtensions.provide({
  key: 'deposit',
  label: '押金',
  shortcut: 'F10',
  needs: menu.deposit.permissions.receive,
  isApplicable: d => d.sourceType === 'room',
  Component: lazyComponent(() => import('./cashier-deposits.tsx').then(m => m.CashierDeposits)),
})

export const extensions: Extensions = {}
