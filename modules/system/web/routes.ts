import type { ComponentType } from 'react'

export const routes: Record<string, () => Promise<{ default: ComponentType }>> = {
  '/quality/serviceManage/feedbacklist': () => import('./suggests.tsx'),
  '/internal/attendance/holiday': () => import('./holidays.tsx'),
  '/setting/sysNotice/systemmessage': () => import('./messages.tsx'),
  '/setting/sysNotice/systemmessage/sytemdetail': () => import('./message-detail.tsx'),
  '/setting/sysNotice/systemmessage/noticesetlist': () => import('./notice-settings.tsx'),
  '/setting/sysNotice/announcement': () => import('./announcements.tsx'),
}
