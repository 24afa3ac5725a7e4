import { Modal, Segmented } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { shiftMonth } from '#kit/domain/month.ts'
import { act, tellDone } from '#kit/web/acts.ts'
import { DatePicker } from '#kit/web/calendar.tsx'
import { yuan } from '#kit/web/figure.tsx'
import { today } from '#kit/web/when.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { feeMonths, feeSummary, generateSummary } from '../contract/month.ts'
import { menu } from '../module.ts'
import { ReportPage, type ReportScreen } from './report-page.tsx'
import type { Filter } from './way.ts'
import { monthWays } from './ways.ts'

const path = '/finance/chargemanage/feeSummary'
const six = (day: string): Filter => ({ monthFrom: shiftMonth(day.slice(0, 7), -5), monthTo: day.slice(0, 7) })
const entries = ['opening', { key: 'adjusted', drop: 2 }, 'billed', { key: 'discount', drop: 1 }, { key: 'paidBefore', roomy: true }, 'received', 'recovered', { key: 'writtenOff', drop: 1 }, 'closing', { key: 'prepaid', roomy: true }, { key: 'currentRate', drop: 3 }, { key: 'clearRate', roomy: true }]
const common = { span: 'month', bar: ['month', 'feeItemId', 'buildCode'], entries, way: monthWays }
const screens: Readonly<Record<string, Omit<ReportScreen, 'path'>>> = { item: { of: feeSummary, ...common, above: ['billed', 'received', 'recovered', 'closing'] }, month: { of: feeMonths, ...common, first: six } }

function CarryDialog({ project, onClose }: { readonly project: string; readonly onClose: () => void }) {
  const last = shiftMonth(today().slice(0, 7), -1), [month, setMonth] = useState(last), [busy, setBusy] = useState(false)
  const go = async (): Promise<void> => {
    setBusy(true)
    try { const d = await act(generateSummary, { projectCode: project, month }); tellDone(d, `${month} 已结转：期初欠费 ${yuan(d.opening)}，期末欠费 ${yuan(d.closing)}`); onClose() } catch { /* told in a toast */ } finally { setBusy(false) }
  }
  return <Modal open title="结转费用月汇总" width={440} okText="结转" cancelText="取消" okButtonProps={{ loading: busy }} onCancel={onClose} onOk={() => void go()}><p>结转后这个月的数不再变；之后对这个月和以前各月的补出、减免、作废，记在下一个月的“往期调整”里。每月 1 日会自动结转上一个月。</p><DatePicker picker="month" aria-label="月份" allowClear={false} value={dayjs(month)} maxDate={dayjs(last)} onChange={d => setMonth(dayjs(d).format('YYYY-MM'))} /></Modal>
}
/** 费用汇总 (CLO-4): 期初 + 出账 − 减免 − 收款 − 核销 = 期末, by item or month by month. */
export default function FeeSummaryPage() {
  const at = useLocation(), navigate = useNavigate(), project = useProject(), [carrying, setCarrying] = useState(false), now = new URLSearchParams(at.search).get('report') === 'month' ? 'month' : 'item'
  const head = <Segmented size="small" aria-label="报表" value={now} options={[{ value: 'item', label: '按项目与楼栋' }, { value: 'month', label: '逐月' }]} onChange={v => void navigate(`${path}?report=${v}`, { replace: true })} />
  return (
    <>
      <ReportPage key={now} {...screens[now]!} path={path} head={head} mark={`report=${now}`} tools={[{ label: '结转', may: menu.fee.may.generate, why: project ? undefined : '请先选择一个项目', run: () => setCarrying(true) }]} />
      {carrying && project && <CarryDialog project={project} onClose={() => setCarrying(false)} />}
    </>
  )
}
