import { useState } from 'react'
import type { Day } from '#kit/domain/day.ts'
import { monthOf, shiftMonth } from '#kit/domain/month.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import { feeMonths, feeSummary } from '../contract/month.ts'
import { menu } from '../module.ts'
import { ReportSwitch, type SwitchableReport } from './report-switch.tsx'
import type { Filter } from './drilldown.ts'
import { selectMonthDrilldown } from './drilldowns.ts'
import { paths } from './paths.ts'

const CarryOverDialog = lazyComponent(() => import('./carry-over-dialog.tsx').then(m => m.CarryOverDialog))

const lastSixMonths = (day: Day): Filter => ({
  monthFrom: shiftMonth(monthOf(day), -5),
  monthTo: day.slice(0, 7),
})

const reportColumns = [
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
  dateFilter: 'month',
  barFilters: ['month', 'feeItemId', 'buildCode'],
  columns: reportColumns,
  drilldowns: selectMonthDrilldown,
}

const reportScreens: Readonly<Record<string, SwitchableReport>> = {
  item: {
    label: '按项目与楼栋',
    report: feeSummary,
    ...commonScreen,
    topTotals: ['billed', 'received', 'recovered', 'closing'],
  },
  month: { label: '逐月', report: feeMonths, ...commonScreen, defaultFilter: lastSixMonths },
}

/** 费用汇总 (CLO-4): 期初 + 出账 − 减免 − 收款 − 核销 = 期末, by item or month by month. */
export default function FeeSummaryPage() {
  const project = useProject()
  const [isCarryingOver, setCarryingOver] = useState(false)
  return (
    <>
      <ReportSwitch
        path={paths.feeSummary}
        reports={reportScreens}
        toolbarActions={[
          {
            label: '结转',
            needs: menu.fee.permissions.generate,
            disabledReason: project ? undefined : '请先选择项目',
            run: () => setCarryingOver(true),
          },
        ]}
      />
      {isCarryingOver && project && (
        <CarryOverDialog project={project} onClose={() => setCarryingOver(false)} />
      )}
    </>
  )
}
