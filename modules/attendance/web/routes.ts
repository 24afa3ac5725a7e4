import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.daily]: () => import('./daily.tsx'),
  [paths.account]: () => import('./account.tsx'),
  [paths.monthly]: () => import('./monthly.tsx'),
  [paths.anomalies]: () => import('./anomalies.tsx'),
  [paths.statistics]: () => import('./statistics.tsx'),
  [paths.logs]: () => import('./logs.tsx'),
  [paths.applications]: () => import('./applications.tsx'),
  [paths.adjust]: () => import('./adjust.tsx'),
  [paths.schedule]: () => import('./schedule.tsx'),
  [paths.shifts]: () => import('./shifts.tsx'),
  [paths.setting]: () => import('./setting.tsx'),
  [paths.unit]: () => import('./unit.tsx'),
  [paths.devices]: () => import('./devices.tsx'),
  [paths.exempt]: () => import('./exempt.tsx'),
  [paths.ownApplications]: () => import('./own-applications.tsx'),
  [paths.phone]: () => import('./phone.tsx'),
}
