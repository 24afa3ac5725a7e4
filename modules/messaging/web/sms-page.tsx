import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { PageTabs } from '#kit/web/page-tabs.tsx'
import { menu } from '../module.ts'

const waiting = <RowSkeleton rows={8} />
const Tasks = lazyComponent(() => import('./tasks.tsx').then(m => m.Tasks), waiting)
const Records = lazyComponent(() => import('./records.tsx').then(m => m.Records), waiting)
const Templates = lazyComponent(() => import('./templates.tsx').then(m => m.Templates), waiting)
const Blocks = lazyComponent(() => import('./blocks.tsx').then(m => m.Blocks), waiting)
const Quota = lazyComponent(() => import('./quota.tsx').then(m => m.Quota), waiting)

const tabs = [
  { key: 'tasks', label: '短信任务', needs: menu.sms.permissions.view, children: <Tasks /> },
  { key: 'records', label: '发送记录', needs: menu.record.permissions.view, children: <Records /> },
  { key: 'templates', label: '短信模板', needs: menu.template.permissions.view, children: <Templates /> },
  { key: 'blocks', label: '退订与黑名单', needs: menu.block.permissions.view, children: <Blocks /> },
  { key: 'quota', label: '短信额度', needs: menu.quota.permissions.view, children: <Quota /> },
]

/** 短信管理: what was sent to whom, by which wording, at what cost. */
export default function SmsPage() {
  return <PageTabs tabs={tabs} />
}
