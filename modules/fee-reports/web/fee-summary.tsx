import { Segmented } from 'antd'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { shiftMonth } from '#kit/domain/month.ts'
import { later } from '#kit/web/later.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import { feeMonths, feeSummary } from '../contract/month.ts'
import { menu } from '../module.ts'
import { ReportPage, type ReportScreen } from './report-page.tsx'
import type { Filter } from './way.ts'
import { monthWays } from './ways.ts'

const CarryDialog = later(() => import('./carry-dialog.tsx').then(m => m.CarryDialog))
const path = '/finance/chargemanage/feeSummary'

const six = (day: string): Filter => ({
  monthFrom: shiftMonth(day.slice(0, 7), -5),
  monthTo: day.slice(0, 7),
})

const entries = [
  'opening',
  { key: 'adjusted', drop: 2 },
  'billed',
  { key: 'discount', drop: 1 },
  { key: 'paidBefore', roomy: true },
  'received',
  'recovered',
  { key: 'writtenOff', drop: 1 },
  'closing',
  { key: 'prepaid', roomy: true },
  { key: 'currentRate', drop: 3 },
  { key: 'clearRate', roomy: true },
]

const common = { span: 'month', bar: ['month', 'feeItemId', 'buildCode'], entries, way: monthWays }

const screens: Readonly<Record<string, Omit<ReportScreen, 'path'>>> = {
  item: { of: feeSummary, ...common, above: ['billed', 'received', 'recovered', 'closing'] },
  month: { of: feeMonths, ...common, first: six },
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
      onChange={v => void navigate(`${path}?report=${v}`, { replace: true })}
    />
  )
  return (
    <>
      <ReportPage
        key={now}
        {...screens[now]!}
        path={path}
        head={head}
        mark={`report=${now}`}
        tools={[
          {
            label: '结转',
            may: menu.fee.may.generate,
            why: project ? undefined : '请先选择一个项目',
            run: () => setCarrying(true),
          },
        ]}
      />
      {carrying && project && <CarryDialog project={project} onClose={() => setCarrying(false)} />}
    </>
  )
}
