import { PageTabs } from '#kit/web/page-tabs.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { menu } from '../module.ts'
import './gatehouse.css'

const waiting = <RowSkeleton rows={8} />
/** As the screen itself waits, also on a telephone. */
const waitingForm = <RowSkeleton rows={6} width={[200]} />
const Gatehouse = lazyComponent(() => import('./gatehouse.tsx').then(m => m.Gatehouse), waitingForm)
const Validations = lazyComponent(() => import('./validations.tsx').then(m => m.Validations), waiting)
const Blocks = lazyComponent(() => import('./blocks.tsx').then(m => m.Blocks), waiting)
const Templates = lazyComponent(() => import('./templates.tsx').then(m => m.Templates), waiting)
const Statistics = lazyComponent(() => import('./statistics.tsx').then(m => m.Statistics), waiting)

const { visit, block, template } = menu

const tabs = [
  { key: 'gatehouse', label: '门岗核验', needs: visit.permissions.check, children: <Gatehouse /> },
  { key: 'validations', label: '核验记录', needs: visit.permissions.view, children: <Validations /> },
  { key: 'blocks', label: '黑名单', needs: block.permissions.view, children: <Blocks /> },
  { key: 'statistics', label: '统计', needs: visit.permissions.view, children: <Statistics /> },
  { key: 'templates', label: '邀请函', needs: template.permissions.view, children: <Templates /> },
]

/** 访客信息: the guard's screen, and what is known of visitors. */
export default function InformationPage() {
  return <PageTabs tabs={tabs} />
}
