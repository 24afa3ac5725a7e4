import { Segmented } from 'antd'
import { useLocation, useNavigate } from 'react-router'
import { defined } from '#kit/domain/defined.ts'
import type { Actions } from '#kit/web/action.tsx'
import { ReportPage, type ReportScreen } from './report-page.tsx'

export type SwitchableReport = Omit<ReportScreen, 'path'> & { readonly label: string }

interface ReportSwitchProps {
  readonly path: string
  readonly reports: Readonly<Record<string, SwitchableReport>>
  readonly toolbarActions?: Actions
}

/** Several reports on one screen; the address names the report, the first is the default. */
export function ReportSwitch({ path, reports, toolbarActions }: ReportSwitchProps) {
  const location = useLocation()
  const navigate = useNavigate()
  const requested = new URLSearchParams(location.search).get('report') ?? ''
  const key = reports[requested] ? requested : defined(Object.keys(reports)[0])
  const header = (
    <Segmented
      size="small"
      aria-label="报表"
      value={key}
      options={Object.entries(reports).map(([value, { label }]) => ({ value, label }))}
      onChange={value => void navigate(`${path}?report=${value}`, { replace: true })}
    />
  )
  return (
    <ReportPage
      key={key}
      {...defined(reports[key])}
      path={path}
      header={header}
      addressSuffix={`report=${key}`}
      {...(toolbarActions ? { toolbarActions } : {})}
    />
  )
}
