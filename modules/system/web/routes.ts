import type { ComponentType } from 'react'

export const routes: Record<string, () => Promise<{ default: ComponentType }>> = {
  '/quality/serviceManage/feedbacklist': () => import('./suggestions.tsx'),
  '/internal/attendance/holiday': () => import('./holidays.tsx'),
  '/setting/sysNotice/systemmessage': () => import('./notifications.tsx'),
  '/setting/sysNotice/systemmessage/sytemdetail': () => import('./notification-detail.tsx'),
  '/setting/sysNotice/systemmessage/noticesetlist': () => import('./notification-settings.tsx'),
  '/setting/sysNotice/announcement': () => import('./announcements.tsx'),
}
