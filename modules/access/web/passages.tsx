import { PageTabs } from '#kit/web/page-tabs.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import './access.css'

const waiting = <RowSkeleton rows={8} />
const List = lazyComponent(() => import('./passage-list.tsx').then(m => m.PassageList), waiting)
const Live = lazyComponent(() => import('./live-passages.tsx').then(m => m.LivePassages), waiting)
const Figures = lazyComponent(() => import('./passage-figures.tsx').then(m => m.PassageFigures), waiting)

const tabs = [
  { key: 'records', label: '记录', children: <List /> },
  { key: 'live', label: '实时', children: <Live /> },
  { key: 'figures', label: '统计', children: <Figures /> },
]

/** 通行记录: who passed which door, as it happens, and in figures. */
export default function PassagesPage() {
  return <PageTabs tabs={tabs} />
}
