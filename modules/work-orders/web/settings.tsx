import { PageTabs } from '#kit/web/page-tabs.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { menu } from '../module.ts'

const waiting = <RowSkeleton rows={8} />
const TypeSettings = lazyComponent(() => import('./type-settings.tsx').then(m => m.TypeSettings), waiting)
const PersonSettings = lazyComponent(
  () => import('./person-settings.tsx').then(m => m.PersonSettings),
  waiting,
)
const RoleSettings = lazyComponent(() => import('./person-settings.tsx').then(m => m.RoleSettings), waiting)
const FunctionForm = lazyComponent(() => import('./function-form.tsx').then(m => m.FunctionForm), waiting)
const WarningSettings = lazyComponent(
  () => import('./warning-settings.tsx').then(m => m.WarningSettings),
  waiting,
)
const NotifySettings = lazyComponent(
  () => import('./notify-settings.tsx').then(m => m.NotifySettings),
  waiting,
)
const PlaceCodes = lazyComponent(() => import('./place-codes.tsx').then(m => m.PlaceCodes), waiting)

const tabs = [
  { key: 'types', label: '工单类型', needs: menu.type.permissions.view, children: <TypeSettings /> },
  { key: 'persons', label: '接单人', needs: menu.person.permissions.view, children: <PersonSettings /> },
  { key: 'roles', label: '接单角色', needs: menu.person.permissions.view, children: <RoleSettings /> },
  { key: 'functions', label: '功能设置', needs: menu.setting.permissions.view, children: <FunctionForm /> },
  {
    key: 'warnings',
    label: '时效预警',
    needs: menu.setting.permissions.view,
    children: <WarningSettings />,
  },
  { key: 'notifies', label: '通知人', needs: menu.notify.permissions.view, children: <NotifySettings /> },
  { key: 'codes', label: '报事二维码', needs: menu.order.permissions.view, children: <PlaceCodes /> },
]

/** 工单设置: types, people, functions, warnings, people to notify, and the codes that residents report by. */
export default function SettingsPage() {
  return <PageTabs tabs={tabs} />
}
