import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { Extensions } from '#kit/web/workbench.ts'
import { carTabs } from '#modules/parking/web/public.car-tabs.ts'
import { tradeScreens } from '#modules/payments/web/public.trade-screens.ts'
import { menu, paths } from '../module.ts'

carTabs.provide({
  key: 'stays',
  label: '出入记录',
  needs: menu.stay.permissions.view,
  Body: lazyComponent(() => import('./car-stays.tsx').then(m => m.CarStays)),
})

carTabs.provide({
  key: 'charges',
  label: '停车收费',
  needs: menu.charge.permissions.view,
  Body: lazyComponent(() => import('./car-charges.tsx').then(m => m.CarCharges)),
})

tradeScreens.provide({
  label: '停车收费交易',
  path: paths.chargeTrades,
  needs: menu.charge.permissions.view,
})

export const extensions: Extensions = {}
