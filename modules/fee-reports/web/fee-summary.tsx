import { defined } from '#kit/domain/defined.ts'
import { Segmented } from 'antd'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { shiftMonth, monthOf } from '#kit/domain/month.ts'
import type { Day } from '#kit/domain/day.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import { feeMonths, feeSummary } from '../contract/month.ts'
import { menu } from '../module.ts'
import { ReportPage, type ReportScreen } from './report-page.tsx'
import type { Filter } from './drilldown.ts'
import { selectMonthDrilldown } from './drilldowns.ts'

const CarryOverDialog = lazyComponent(() => import('./carry-over-dialog.tsx').then(m => m.CarryOverDialog))
const feeSummaryPath = '/finance/chargemanage/feeSummary'

const lastSixMonths = (day: Day): Filter => ({
  monthFrom: shiftMonth(monthOf(day), -5),
  monthTo: monthOf(day),
})

const listEntries = [
  'opening',
  { key: 'adjusted', hidePriority: 2 },
  'billed',
  { key: 'discount', hidePriority: 1 },
  { key: 'paidBefore', wideOnly: true },
  'received',
  'recovered',
  { key: 'writtenOff', hidePriority: 1 },
  'closing',
  { key: 'prepaid', wideOnly: true },
  { key: 'currentRate', hidePriority: 3 },
  { key: 'clearRate', wideOnly: true },
]

const commonScreen = {
  span: 'month',
  bar: ['month', 'feeItemId', 'buildCode'],
  entries: listEntries,
  drilldowns: selectMonthDrilldown,
}

const reportScreens: Readonly<Record<string, Omit<ReportScreen, 'path'>>> = {
  item: { of: feeSummary, ...commonScreen, above: ['billed', 'received', 'recovered', 'closing'] },
  month: { of: feeMonths, ...commonScreen, defaultFilter: lastSixMonths },
}

/** 费用汇总 (CLO-4): 期初 + 出账 − 减免 − 收款 − 核销 = 期末, by item or month by month. */
export default function FeeSummaryPage() {
  const at = useLocation()
  const navigate = useNavigate()
  const project = useProject()
  const [carrying, setCarrying] = useState(false)
  const now = new URLSearchParams(at.search).get('report') === 'month' ? 'month' : 'item'
  const head = (
    <Segmented
      size="small"
      aria-label="报表"
      value={now}
      options={[
        { value: 'item', label: '按项目与楼栋' },
        { value: 'month', label: '逐月' },
      ]}
      onChange={v => void navigate(`${feeSummaryPath}?report=${v}`, { replace: true })}
    />
  )
  return (
    <>
      <ReportPage
        key={now}
        {...defined(reportScreens[now])}
        path={feeSummaryPath}
        head={head}
        mark={`report=${now}`}
        tools={[
          {
            label: '结转',
            needs: menu.fee.permissions.generate,
            disabledReason: project ? undefined : '请先选择一个项目',
            run: () => setCarrying(true),
          },
        ]}
      />
      {carrying && project && <CarryOverDialog project={project} onClose={() => setCarrying(false)} />}
    </>
  )
}
