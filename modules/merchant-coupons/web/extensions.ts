import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { Extensions } from '#kit/web/workbench.ts'
import { merchantTabs } from '#modules/merchants/web/public.merchant-tabs.ts'
import { tradeScreens } from '#modules/payments/web/public.trade-screens.ts'
import { menu, paths } from '../module.ts'

merchantTabs.provide({
  key: 'coupons',
  label: '停车券',
  needs: menu.stock.permissions.view,
  Body: lazyComponent(() => import('./merchant-coupons.tsx').then(m => m.MerchantCoupons)),
})

tradeScreens.provide({
  label: '停车券订单交易',
  path: paths.orderTrades,
  needs: menu.order.permissions.view,
})

export const extensions: Extensions = {}
