import { defined } from '#kit/domain/defined.ts'
import { Segmented } from 'antd'
import { useLocation, useNavigate } from 'react-router'
import { ReportPage, type ReportScreen } from './report-page.tsx'

export type SwitchableReport = Omit<ReportScreen, 'path'> & { readonly label: string }

/** Several reports on one screen; which one stands in the address, the first unless said. */
export function ReportSwitch({
  path,
  of,
}: {
  readonly path: string
  readonly of: Readonly<Record<string, SwitchableReport>>
}) {
  const at = useLocation()
  const navigate = useNavigate()
  const said = new URLSearchParams(at.search).get('report') ?? ''
  const now = of[said] ? said : defined(Object.keys(of)[0])
  const head = (
    <Segmented
      size="small"
      aria-label="报表"
      value={now}
      options={Object.entries(of).map(([value, c]) => ({ value, label: c.label }))}
      onChange={v => void navigate(`${path}?report=${v}`, { replace: true })}
    />
  )
  return <ReportPage key={now} {...defined(of[now])} path={path} head={head} mark={`report=${now}`} />
}
