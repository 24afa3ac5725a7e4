import { useSearchParams } from 'react-router'
import { addDays, daysBetween } from '#kit/domain/day.ts'
import { firstDay, isMonth, lastDay, monthOf } from '#kit/domain/month.ts'
import { currentMinute, today } from '#kit/web/date-format.ts'
import { SignedInOnly } from '#kit/web/phone/signed-in-only.tsx'
import { useCall } from '#kit/web/query.ts'
import { useSession } from '#kit/web/session.ts'
import { listEstates } from '#modules/estates/contract/estate.ts'
import { getMissedPoints, getPatrolRates } from '../contract/rates.ts'
import { ReportMisses } from './report-misses.tsx'
import './report.css'

type Rates = NonNullable<typeof getPatrolRates.output.T>

const titles = ['应到', '正常', '早到', '迟到', '乱序', '漏检', '异常', '到位率', '准时率', '漏检率']

const Counts = ({ counts }: { readonly counts: Rates['total'][number] }) => (
  <>
    {[
      counts.due,
      counts.normal,
      counts.early,
      counts.late,
      counts.disorder,
      counts.missed,
      counts.abnormal,
      counts.signedRate,
      counts.punctualRate,
      counts.missedRate,
    ].map((value, i) => (
      <td key={i}>{value}</td>
    ))}
  </>
)

/** What nothing was due of says nothing on paper. */
const isDue = ({ due }: Rates['rows'][number]): boolean => due > 0

interface SheetTableProps {
  readonly title: string
  readonly noun: string
  readonly rates: Rates | undefined
}

/** One table of the sheet: by road, by person, by day or by point. */
export const SheetTable = ({ title, noun, rates }: SheetTableProps) => (
  <section>
    <h2>{title}</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">{noun}</th>
          {titles.map(each => (
            <th key={each} scope="col" className={each.endsWith('率') ? 'rate' : undefined}>
              {each}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rates?.rows.filter(isDue).map(row => (
          <tr key={row.id ?? row.name}>
            <th scope="row">{row.name}</th>
            <Counts counts={row} />
          </tr>
        ))}
        {rates?.total.map((total, i) => (
          <tr key={i} className="sum">
            <th scope="row">合计</th>
            <Counts counts={total} />
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

const monthText = (month: string): string => `${month.slice(0, 4)} 年 ${Number(month.slice(5))} 月`

function MonthReport() {
  const [address] = useSearchParams()
  const asked = address.get('month') ?? ''
  const month = isMonth(asked) ? asked : monthOf(today())
  const projectCode = address.get('project') ?? undefined
  const company = useSession(s => s.signed?.manager.companyName) ?? ''
  const period = {
    from: firstDay(month),
    to: lastDay(month),
    ...(projectCode ? { projectCode } : {}),
  }
  const options = { quiet: true, project: 0 } as const
  const byRoad = useCall(getPatrolRates, { ...period, by: 'road' }, options)
  const byStaff = useCall(getPatrolRates, { ...period, by: 'staff' }, options)
  const byDay = useCall(getPatrolRates, { ...period, by: 'day' }, options)
  const byPoint = useCall(getPatrolRates, { ...period, by: 'point' }, options)
  const missed = useCall(getMissedPoints, period, options)
  const estates = useCall(listEstates, { size: 500 }, options)
  const estateName = projectCode
    ? (estates.data?.rows.find(estate => estate.projectCode === projectCode)?.name ?? projectCode)
    : '全部项目'
  const days = Array.from({ length: daysBetween(period.from, period.to) + 1 }, (_, i) =>
    addDays(period.from, i),
  )
  const answers = [byRoad, byStaff, byDay, byPoint, missed]
  const failed = answers.find(({ error }) => error)?.error
  // Drawn as a whole: a table that came later would move those below it, and could be missing on paper.
  const isReady = [...answers, estates].every(({ isPending }) => !isPending)
  if (!isReady) {
    return (
      <main className="patrol-report">
        <p role="status">正在加载…</p>
      </main>
    )
  }
  return (
    <main className="patrol-report">
      <button type="button" onClick={() => window.print()}>
        打印
      </button>
      <h1>巡更月报</h1>
      <p className="about">
        <span>{company}</span>
        <span>项目：{estateName}</span>
        <span>月份：{monthText(month)}</span>
        <span>打印时间：{currentMinute()}</span>
      </p>
      {failed && <p role="alert">{failed.message}</p>}
      <SheetTable title="按路线" noun="路线" rates={byRoad.data} />
      <SheetTable title="按人员" noun="人员" rates={byStaff.data} />
      <SheetTable title="按日期" noun="日期" rates={byDay.data} />
      <SheetTable title="按点位" noun="点位" rates={byPoint.data} />
      <small>到位率 = 已签到 ÷ 应到；准时率 = 正常 ÷ 应到；漏检率 = 漏检 ÷ 应到。停用的任务不计入。</small>
      <footer>
        <span>制表人签字：</span>
        <span>负责人签字：</span>
        <span>日期：</span>
      </footer>
      {missed.data && (
        <ReportMisses points={missed.data} days={days} about={`${estateName}，${monthText(month)}`} />
      )}
    </main>
  )
}

/** 巡更月报: the month on A4, signed by the person responsible. */
export default function ReportPage() {
  return (
    <SignedInOnly>
      <MonthReport />
    </SignedInOnly>
  )
}
