import { PageTabs } from '#kit/web/page-tabs.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { menu } from '../module.ts'
import './visitors.css'

const waiting = <RowSkeleton rows={8} />
const Rules = lazyComponent(() => import('./rules.tsx').then(m => m.Rules), waiting)
const CheckTypes = lazyComponent(() => import('./check-types.tsx').then(m => m.CheckTypes), waiting)
const Locations = lazyComponent(() => import('./locations.tsx').then(m => m.Locations), waiting)
const SettingForm = lazyComponent(() => import('./setting-form.tsx').then(m => m.SettingOfProject), waiting)
const Estates = lazyComponent(() => import('./estates.tsx').then(m => m.Estates), waiting)

const { view } = menu.setting.permissions

const tabs = [
  { key: 'rules', label: '邀请规则', needs: menu.rule.permissions.view, children: <Rules /> },
  { key: 'kinds', label: '核验类型', needs: view, children: <CheckTypes /> },
  { key: 'locations', label: '门岗', needs: view, children: <Locations /> },
  { key: 'setting', label: '登记与保留', needs: view, children: <SettingForm /> },
  { key: 'estates', label: '各项目情况', needs: view, children: <Estates /> },
]

/** 访客设置: rules, whose consent kinds of visitors need, gatehouses, what is asked and kept. */
export default function SettingsPage() {
  return <PageTabs tabs={tabs} />
}
