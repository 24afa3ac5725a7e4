import { PageTabs } from '#kit/web/page-tabs.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { menu } from '../module.ts'

const waiting = <RowSkeleton rows={8} />
const Rights = lazyComponent(() => import('./rights.tsx').then(m => m.Rights), waiting)
const BusyTimes = lazyComponent(() => import('./busy-times.tsx').then(m => m.BusyTimes), waiting)

const tabs = [
  { key: 'rights', label: '梯控权限', needs: menu.right.permissions.view, children: <Rights /> },
  { key: 'busy', label: '繁忙时段', needs: menu.setting.permissions.view, children: <BusyTimes /> },
]

/** 梯控设置: rights to floors, busy times. */
export default function SetupPage() {
  return <PageTabs tabs={tabs} />
}
