import { useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-states.tsx'
import { usePermission } from '#kit/web/session.ts'
import { menu } from '../module.ts'
import './fees.css'

const loadingSkeleton = <RowSkeleton rows={12} />

const tabs = [
  {
    key: 'items',
    label: '收费项目',
    needs: menu.item.permissions.view,
    Body: lazyComponent(() => import('./items.tsx').then(m => m.Items), loadingSkeleton),
  },
  {
    key: 'formulas',
    label: '收费公式',
    needs: menu.formula.permissions.view,
    Body: lazyComponent(() => import('./formulas.tsx').then(m => m.Formulas), loadingSkeleton),
  },
  {
    key: 'standards',
    label: '收费标准',
    needs: menu.standard.permissions.view,
    Body: lazyComponent(() => import('./standards.tsx').then(m => m.Standards), loadingSkeleton),
  },
  {
    key: 'packages',
    label: '套餐',
    needs: menu.standard.permissions.view,
    Body: lazyComponent(() => import('./packages.tsx').then(m => m.Packages), loadingSkeleton),
  },
] as const

/** 收费设置: what is charged, how, for how much, and what belongs together. The tab is part of the address. */
export default function SettingPage() {
  const at = useLocation()
  const navigate = useNavigate()
  const may = usePermission()
  const shown = useMemo(() => tabs.filter(t => may(t.needs)), [may])
  const said = new URLSearchParams(at.search).get('tab')
  const now = shown.find(t => t.key === said) ?? shown[0]
  if (!now) return null
  return (
    <div className="tabbed-page">
      <div className="page-tabs" role="tablist" aria-label="收费设置">
        {shown.map(t => (
          <button
            key={t.key}
            type="button"
            role="tab"
            aria-selected={t === now}
            onClick={() =>
              navigate(
                { pathname: at.pathname, search: t === shown[0] ? '' : `?tab=${t.key}` },
                { replace: true },
              )
            }
          >
            {t.label}
          </button>
        ))}
      </div>
      <now.Body key={now.key} />
    </div>
  )
}
