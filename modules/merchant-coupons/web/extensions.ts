import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { Extensions } from '#kit/web/workbench.ts'
import { merchantTabs } from '#modules/merchants/web/public.merchant-tabs.ts'
import { menu } from '../module.ts'

merchantTabs.provide({
  key: 'coupons',
  label: '停车券',
  needs: menu.stock.permissions.view,
  Body: lazyComponent(() => import('./merchant-coupons.tsx').then(m => m.MerchantCoupons)),
})

export const extensions: Extensions = {}
