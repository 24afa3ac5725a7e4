import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { PageTabs } from '#kit/web/page-tabs.tsx'
import { menu } from '../module.ts'

const waiting = <RowSkeleton rows={8} />
const Tickets = lazyComponent(() => import('./tickets.tsx').then(m => m.Tickets), waiting)
const Codes = lazyComponent(() => import('./codes.tsx').then(m => m.Codes), waiting)

const { view } = menu.ticket.permissions

const tabs = [
  { key: 'tickets', label: '发放记录', needs: view, children: <Tickets /> },
  { key: 'codes', label: '固定码', needs: view, children: <Codes /> },
]

/** 发放停车券: to plates, and by codes that drivers scan. */
export default function TicketsPage() {
  return <PageTabs tabs={tabs} />
}
