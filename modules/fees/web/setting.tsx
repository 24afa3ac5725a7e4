import { useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
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
  const location = useLocation()
  const navigate = useNavigate()
  const hasPermission = usePermission()
  const allowedTabs = useMemo(() => tabs.filter(t => hasPermission(t.needs)), [hasPermission])
  const requestedTab = new URLSearchParams(location.search).get('tab')
  const activeTab = allowedTabs.find(t => t.key === requestedTab) ?? allowedTabs[0]
  if (!activeTab) return null
  return (
    <div className="tabbed-page">
      <div className="page-tabs" role="tablist" aria-label="收费设置">
        {allowedTabs.map(allowedTab => (
          <button
            key={allowedTab.key}
            type="button"
            role="tab"
            aria-selected={allowedTab === activeTab}
            onClick={() =>
              navigate(
                {
                  pathname: location.pathname,
                  search: allowedTab === allowedTabs[0] ? '' : `?tab=${allowedTab.key}`,
                },
                { replace: true },
              )
            }
          >
            {allowedTab.label}
          </button>
        ))}
      </div>
      <activeTab.Body key={activeTab.key} />
    </div>
  )
}
