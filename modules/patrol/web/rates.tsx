import { Button, Segmented } from 'antd'
import { Link } from 'react-router'
import { isDay } from '#kit/domain/day.ts'
import { monthOf } from '#kit/domain/month.ts'
import { keysOf, labelOf } from '#kit/contract/field.ts'
import { monthSoFar, useAddressSpan } from '#kit/web/address-span.ts'
import { useAddressValue } from '#kit/web/address-value.ts'
import { readChoice } from '#kit/web/controls/read-value.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { ScrollRegion } from '#kit/web/scroll-region.tsx'
import { useCall } from '#kit/web/query.ts'
import { SpanBar } from '#kit/web/span-bar.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import { getPatrolRates, rateGroup } from '../contract/rates.ts'
import { paths } from '../module.ts'
import { MissedStrip } from './missed-strip.tsx'
import { recordsLink, type RateFilter } from './rate-links.ts'
import './patrol.css'

type Answer = NonNullable<typeof getPatrolRates.output.T>
type Counts = Answer['total'][number]
type Row = Answer['rows'][number]
type Group = (typeof groupKeys)[number]

const groupKeys = keysOf(rateGroup)
const nameTitles: Record<Group, string> = { day: '日期', staff: '人员', road: '路线', point: '点位' }

/** What a row counts, as the list of records is asked for it. */
function countedOf(by: Group, row: Row): Parameters<typeof recordsLink>[1] {
  if (row.id === undefined || by === 'day') return {}
  return { staff: { taskStaffId: row.id }, road: { roadId: row.id }, point: { pointId: row.id } }[by]
}

const resultKeys = ['normal', 'early', 'late', 'disorder', 'missed'] as const
const columnTitles = ['应到', '正常', '早到', '迟到', '乱序', '漏检', '异常', '到位率', '准时率', '漏检率']

interface FiguresProps {
  readonly counts: Counts
  readonly filter: RateFilter
  readonly counted?: Parameters<typeof recordsLink>[1]
}

/** The figures of a row; each opens the records that it counts. */
const Figures = ({ counts, filter, counted = {} }: FiguresProps) => (
  <>
    <td className="number">
      <Link to={recordsLink(filter, counted)}>{counts.due}</Link>
    </td>
    {resultKeys.map(key => (
      <td key={key} className="number">
        <Link to={recordsLink(filter, { ...counted, result: [key] })}>{counts[key]}</Link>
      </td>
    ))}
    <td className="number">
      <Link to={recordsLink(filter, { ...counted, isAbnormal: true })}>{counts.abnormal}</Link>
    </td>
    <td className="number">{counts.signedRate}</td>
    <td className="number">{counts.punctualRate}</td>
    <td className="number">{counts.missedRate}</td>
  </>
)

interface RateTableProps {
  readonly answer: Answer
  readonly by: Group
  readonly filter: RateFilter
}

function RateTable({ answer, by, filter }: RateTableProps) {
  const filterOf = ({ name }: Row): RateFilter => (isDay(name) ? { ...filter, from: name, to: name } : filter)
  return (
    <ScrollRegion label="到位率明细" className="rows">
      <table>
        <thead>
          <tr>
            <th>{nameTitles[by]}</th>
            {columnTitles.map(title => (
              <th key={title} className="number">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {answer.rows.map(row => (
            <tr key={row.id ?? row.name}>
              <th scope="row">{row.name}</th>
              <Figures counts={row} filter={filterOf(row)} counted={countedOf(by, row)} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          {answer.total.map((total, i) => (
            <tr key={i}>
              <th scope="row">合计</th>
              <Figures counts={total} filter={filter} />
            </tr>
          ))}
        </tfoot>
      </table>
    </ScrollRegion>
  )
}

/** 到位统计: rates by day, person, road and point, and where points are missed (PAT-9). */
export default function RatesPage() {
  const project = useProject()
  const [span, setSpan] = useAddressSpan(monthSoFar())
  const [chosen, setChosen] = useAddressValue('by')
  const by = readChoice(rateGroup, chosen) ?? 'day'
  const filter: RateFilter = { ...span, ...(project ? { projectCode: project } : {}) }
  const rates = useCall(getPatrolRates, { ...filter, by }, { quiet: true, keepPrevious: true })
  return (
    <div className="patrol-rates">
      <SpanBar span={span} onChange={setSpan}>
        <Segmented
          value={by}
          options={groupKeys.map(value => ({ value, label: labelOf(rateGroup, value) }))}
          onChange={value => setChosen(value)}
        />
        <span className="spring" />
        <Button
          onClick={() => {
            window.open(
              `${paths.report}?month=${monthOf(span.to)}${project ? `&project=${project}` : ''}`,
              '_blank',
            )
          }}
        >
          打印月报
        </Button>
      </SpanBar>
      <section aria-label="到位率">
        <div className="figures">
          <Loaded query={rates} height={320} rows={6} keepsAnswer>
            {answer =>
              answer.rows.length ? (
                <RateTable answer={answer} by={by} filter={filter} />
              ) : (
                <Empty text="该期间暂无到期的巡更点" />
              )
            }
          </Loaded>
        </div>
        <p className="note">
          到位率 = 已签到 ÷ 应到；准时率 = 正常 ÷ 应到；漏检率 = 漏检 ÷ 应到。停用的任务不计入。
        </p>
      </section>
      <MissedStrip filter={filter} />
    </div>
  )
}
