import { PageTabs } from '#kit/web/page-tabs.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { menu } from '../module.ts'
import './access.css'

const waiting = <RowSkeleton rows={8} />
const Groups = lazyComponent(() => import('./groups.tsx').then(m => m.Groups), waiting)
const PublicTimes = lazyComponent(() => import('./public-times.tsx').then(m => m.PublicTimes), waiting)
const PassCodes = lazyComponent(() => import('./pass-codes.tsx').then(m => m.PassCodes), waiting)
const VipDoorways = lazyComponent(() => import('./vip-doorways.tsx').then(m => m.VipDoorways), waiting)

const tabs = [
  { key: 'groups', label: '门组', needs: menu.group.permissions.view, children: <Groups /> },
  { key: 'times', label: '常开时段', needs: menu.publicTime.permissions.view, children: <PublicTimes /> },
  { key: 'vip', label: 'VIP 门', needs: menu.vip.permissions.view, children: <VipDoorways /> },
  { key: 'codes', label: '通行码', needs: menu.passCode.permissions.view, children: <PassCodes /> },
]

/** 门禁设置: groups of doors, free times, doors of single people, their codes. */
export default function SetupPage() {
  return <PageTabs tabs={tabs} />
}
