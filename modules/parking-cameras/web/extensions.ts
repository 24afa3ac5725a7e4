import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { Extensions } from '#kit/web/workbench.ts'
import { setupTabs, stayTabs } from '#modules/parking-lanes/web/public.tabs.ts'
import { menu } from '../module.ts'

setupTabs.provide({
  key: 'cameras',
  label: '相机',
  needs: menu.camera.permissions.view,
  Body: lazyComponent(() => import('./cameras.tsx').then(m => m.Cameras)),
})

stayTabs.provide({
  key: 'readings',
  label: '识别记录',
  needs: menu.reading.permissions.view,
  Body: lazyComponent(() => import('./readings.tsx').then(m => m.Readings)),
})

export const extensions: Extensions = {}
