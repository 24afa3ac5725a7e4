import { PageTabs } from '#kit/web/page-tabs.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { menu } from '../module.ts'
import { setupTabs } from './public.tabs.ts'

const waiting = <RowSkeleton rows={8} />
const FeeRules = lazyComponent(() => import('./fee-rules.tsx').then(m => m.FeeRules), waiting)
const Lanes = lazyComponent(() => import('./lanes.tsx').then(m => m.Lanes), waiting)

const tabs = [
  { key: 'rules', label: '收费规则', needs: menu.feeRule.permissions.view, children: <FeeRules /> },
  { key: 'lanes', label: '车道', needs: menu.lane.permissions.view, children: <Lanes /> },
]

/** 停车设置: what stays cost, the lanes of car parks, and what other modules set up of them. */
export default function SetupPage() {
  const added = setupTabs.useAll().map(({ Body, ...tab }) => ({ ...tab, children: <Body /> }))
  return <PageTabs tabs={[...tabs, ...added]} />
}
