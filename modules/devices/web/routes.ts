import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

const devices = () => import('./device-list.tsx')
const management = () => import('./device-management.tsx')
const detail = () => import('./device-detail.tsx')
const editor = () => import('./device-editor.tsx')
const health = () => import('./device-health.tsx')
const security = () => import('./device-security.tsx')

export const routes: Routes = {
  [paths.devices]: devices,
  [paths.health]: health,
  [paths.tasks]: () => import('./task-list.tsx'),
  [paths.management]: management,
  [paths.models]: () => import('./device-models.tsx'),
  [paths.security]: security,
  [paths.detail]: detail,
  [paths.editor]: editor,
  [paths.gateways]: () => import('./gateway-list.tsx'),
  [paths.gatewayDetail]: () => import('./gateway-detail.tsx'),
  [paths.gatewayManagement]: () => import('./gateway-management.tsx'),
  [paths.watchdogs]: () => import('./watchdogs.tsx'),
  [paths.watchdogAdd]: () => import('./watchdog-form.tsx'),
  [paths.watchdogEdit]: () => import('./watchdog-form.tsx'),
  [paths.watchdogDetail]: () => import('./watchdog-detail.tsx'),
  '/intelligence/devlist': devices,
  '/intelligence/devicehealthy': health,
  '/intelligence/devmgr': management,
  '/intelligence/security': security,
  '/intelligence/devdetail': detail,
  '/intelligence/deveditor': editor,
}
