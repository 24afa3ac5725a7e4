import { PageTabs } from '#kit/web/page-tabs.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { stayTabs } from './public.tabs.ts'

const waiting = <RowSkeleton rows={8} />
const List = lazyComponent(() => import('./stay-list.tsx').then(m => m.StayList), waiting)
const Inside = lazyComponent(() => import('./inside-cars.tsx').then(m => m.InsideCars), waiting)
const Left = lazyComponent(() => import('./inside-cars.tsx').then(m => m.LeftCars), waiting)
const Figures = lazyComponent(() => import('./stay-figures.tsx').then(m => m.StayFigures), waiting)

const tabs = [
  { key: 'records', label: '记录', children: <List /> },
  { key: 'inside', label: '在场车辆', children: <Inside /> },
  { key: 'left', label: '停留时长', children: <Left /> },
  { key: 'figures', label: '统计', children: <Figures /> },
]

/** 出入记录: which car was in which car park, how long, and what it paid. */
export default function StaysPage() {
  const added = stayTabs.useAll().map(({ Body, ...tab }) => ({ ...tab, children: <Body /> }))
  return <PageTabs tabs={[...tabs, ...added]} />
}
