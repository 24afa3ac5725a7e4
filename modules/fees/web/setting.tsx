import { useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { later } from '#kit/web/later.tsx'
import { Skeleton } from '#kit/web/list/states.tsx'
import { usePermission } from '#kit/web/session.ts'
import { menu } from '../module.ts'
import './fees.css'

const wait = <Skeleton rows={12} />

const tabs = [
  {
    key: 'items',
    label: '收费项目',
    may: menu.item.may.view,
    Body: later(() => import('./items.tsx').then(m => m.Items), wait),
  },
  {
    key: 'formulas',
    label: '收费公式',
    may: menu.formula.may.view,
    Body: later(() => import('./formulas.tsx').then(m => m.Formulas), wait),
  },
  {
    key: 'standards',
    label: '收费标准',
    may: menu.standard.may.view,
    Body: later(() => import('./standards.tsx').then(m => m.Standards), wait),
  },
  {
    key: 'packages',
    label: '套餐',
    may: menu.standard.may.view,
    Body: later(() => import('./packages.tsx').then(m => m.Packages), wait),
  },
] as const

/** 收费设置: what is charged, how, for how much, and what belongs together. The tab is part of the address. */
export default function SettingPage() {
  const at = useLocation()
  const navigate = useNavigate()
  const may = usePermission()
  const shown = useMemo(() => tabs.filter(t => may(t.may)), [may])
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
