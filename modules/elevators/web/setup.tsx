import { useAddressValue } from '#kit/web/address-value.ts'
import { LazyTabs } from '#kit/web/lazy-tabs.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { usePermission } from '#kit/web/session.ts'
import { menu } from '../module.ts'
import './elevators.css'

const waiting = <RowSkeleton rows={8} />
const Rights = lazyComponent(() => import('./rights.tsx').then(m => m.Rights), waiting)
const BusyTimes = lazyComponent(() => import('./busy-times.tsx').then(m => m.BusyTimes), waiting)

const tabs = [
  { key: 'rights', label: '梯控权限', needs: menu.right.permissions.view, children: <Rights /> },
  { key: 'busy', label: '繁忙时段', needs: menu.setting.permissions.view, children: <BusyTimes /> },
]

/** 梯控设置: rights to floors, busy times. */
export default function SetupPage() {
  const hasPermission = usePermission()
  const [tab, setTab] = useAddressValue('tab')
  const shown = tabs.filter(({ needs }) => hasPermission(needs))
  return (
    <div className="elevator-tabs">
      <LazyTabs items={shown} active={tab ?? shown[0]?.key ?? ''} onActive={setTab} />
    </div>
  )
}
