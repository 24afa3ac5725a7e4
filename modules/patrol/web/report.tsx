import { useSearchParams } from 'react-router'
import { firstDay, isMonth, lastDay, monthOf } from '#kit/domain/month.ts'
import { today } from '#kit/web/date-format.ts'
import { SignedInOnly } from '#kit/web/phone/signed-in-only.tsx'
import { useCall } from '#kit/web/query.ts'
import { listEstates } from '#modules/estates/contract/estate.ts'
import { getMissedPoints, getPatrolRates } from '../contract/rates.ts'
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
      <td key={i} className="right">
        {value}
      </td>
    ))}
  </>
)

interface SheetTableProps {
  readonly title: string
  readonly noun: string
  readonly rates: Rates | undefined
}

/** One table of the sheet: by road, by person or by point. */
const SheetTable = ({ title, noun, rates }: SheetTableProps) => (
  <section>
    <h2>{title}</h2>
    <table>
      <thead>
        <tr>
          <th>{noun}</th>
          {titles.map(each => (
            <th key={each}>{each}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rates?.rows.map(row => (
          <tr key={row.id ?? row.name}>
            <td>{row.name}</td>
            <Counts counts={row} />
          </tr>
        ))}
        {rates?.total.map((total, i) => (
          <tr key={i} className="sum">
            <td>合计</td>
            <Counts counts={total} />
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

function MonthReport() {
  const [address] = useSearchParams()
  const asked = address.get('month') ?? ''
  const month = isMonth(asked) ? asked : monthOf(today())
  const projectCode = address.get('project') ?? undefined
  const period = {
    from: firstDay(month),
    to: lastDay(month),
    ...(projectCode ? { projectCode } : {}),
  }
  const options = { quiet: true, project: 0 } as const
  const byRoad = useCall(getPatrolRates, { ...period, by: 'road' }, options)
  const byStaff = useCall(getPatrolRates, { ...period, by: 'staff' }, options)
  const byPoint = useCall(getPatrolRates, { ...period, by: 'point' }, options)
  const missed = useCall(getMissedPoints, period, options)
  const estates = useCall(listEstates, { size: 500 }, options).data?.rows
  const estateName = estates?.find(estate => estate.projectCode === projectCode)?.name ?? '全部项目'
  const worst = missed.data?.filter(point => point.missed > 0).slice(0, 10) ?? []
  const failed = byRoad.error ?? byStaff.error ?? byPoint.error
  return (
    <main className="patrol-report">
      <button type="button" onClick={() => window.print()}>
        打印
      </button>
      <h1>巡更月报</h1>
      <p className="about">
        {estateName}　{month}　打印日期 {today()}
      </p>
      {failed && <p role="alert">{failed.message}</p>}
      <SheetTable title="按路线" noun="路线" rates={byRoad.data} />
      <SheetTable title="按人员" noun="人员" rates={byStaff.data} />
      <SheetTable title="按点位" noun="点位" rates={byPoint.data} />
      <section>
        <h2>漏检最多的点位</h2>
        {worst.length ? (
          <ol>
            {worst.map(point => (
              <li key={point.pointId}>
                {point.pointName}：应到 {point.due}，漏检 {point.missed}
              </li>
            ))}
          </ol>
        ) : (
          <p>当月没有漏检</p>
        )}
      </section>
      <footer>
        <span>制表人签字：</span>
        <span>负责人签字：</span>
        <span>日期：</span>
      </footer>
    </main>
  )
}

/** 巡更月报: the month on A4, signed by who is responsible. */
export default function ReportPage() {
  return (
    <SignedInOnly>
      <MonthReport />
    </SignedInOnly>
  )
}
