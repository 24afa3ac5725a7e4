import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { PageTabs } from '#kit/web/page-tabs.tsx'
import { menu } from '../module.ts'
import { pages } from './notices.tsx'

const waiting = <RowSkeleton rows={8} />
const Templates = lazyComponent(() => import('./templates.tsx').then(m => m.Templates), waiting)
const Screens = lazyComponent(() => import('./screens.tsx').then(m => m.Screens), waiting)

const embedded = { embedded: true, addressed: true, pageSize: 15, settingsKey: 'notices/notices' } as const

const NoticeStatistics = lazyComponent(
  () => import('./statistics.tsx').then(m => m.NoticeStatistics),
  waiting,
)

const tabs = [
  {
    key: 'notices',
    label: '公告',
    needs: menu.notice.permissions.view,
    children: <CrudList model={pages.model} list={embedded} />,
  },
  { key: 'templates', label: '公告模板', needs: menu.notice.permissions.view, children: <Templates /> },
  { key: 'screens', label: '信息屏', needs: menu.screen.permissions.view, children: <Screens /> },
  { key: 'statistics', label: '统计', needs: menu.notice.permissions.view, children: <NoticeStatistics /> },
]

/** 公告管理: what is published, what it begins with, where it is shown in lobbies. */
export default function NoticesPage() {
  return <PageTabs tabs={tabs} />
}
