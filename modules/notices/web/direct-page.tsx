import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { PageTabs } from '#kit/web/page-tabs.tsx'
import { menu } from '../module.ts'

const waiting = <RowSkeleton rows={8} />
const UserNotices = lazyComponent(() => import('./direct.tsx').then(m => m.UserNotices), waiting)
const StaffNotices = lazyComponent(() => import('./direct.tsx').then(m => m.StaffNotices), waiting)

const { view } = menu.direct.permissions

const tabs = [
  { key: 'residents', label: '住户通知', needs: view, children: <UserNotices /> },
  { key: 'staff', label: '员工通知', needs: view, children: <StaffNotices /> },
]

/** 住户通知: short notices to named residents and staff. */
export default function DirectNoticesPage() {
  return <PageTabs tabs={tabs} />
}
