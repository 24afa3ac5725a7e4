import type { ComponentType } from 'react'
import { paths } from '../module.ts'

export const routes: Record<string, () => Promise<{ default: ComponentType }>> = {
  [paths.suggestions]: () => import('./suggestions.tsx'),
  [paths.holidays]: () => import('./holidays.tsx'),
  [paths.notifications]: () => import('./notifications.tsx'),
  [paths.message]: () => import('./notification-detail.tsx'),
  [paths.noticeSetting]: () => import('./notification-settings.tsx'),
  [paths.announcements]: () => import('./announcements.tsx'),
}
