import { PageTabs } from '#kit/web/page-tabs.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'

const waiting = <RowSkeleton rows={8} />
const Figures = lazyComponent(() => import('./flow-figures.tsx').then(m => m.FlowFigures), waiting)
const Days = lazyComponent(() => import('./flow-days.tsx').then(m => m.FlowDays), waiting)

const tabs = [
  { key: 'figures', label: '统计', children: <Figures /> },
  { key: 'days', label: '日报', children: <Days /> },
]

/** 停车统计: cars and money of a time, as figures and by day. */
export default function FlowPage() {
  return <PageTabs tabs={tabs} />
}
