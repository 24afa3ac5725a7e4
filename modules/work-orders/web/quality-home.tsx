import { useState } from 'react'
import { Link } from 'react-router'
import dayjs from 'dayjs'
import { Segmented } from 'antd'
import { ref } from '#kit/contract/field.ts'
import { firstOfMonth } from '#kit/domain/day.ts'
import { toFixed } from '#kit/domain/decimal.ts'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { dayOfPicker, today } from '#kit/web/date-format.ts'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import {
  countByComplaint,
  countPerDay,
  getEvaluationRadar,
  getMyAssessment,
  getOrderStatistics,
} from '../contract/statistics.ts'
import { figurePath, type Cohort } from './cohort.ts'
import { Efficiency } from './efficiency.tsx'
import './statistics.css'

const countUnit = '张'

type Figure = NonNullable<typeof getOrderStatistics.output.T>[number]

/** A count is whole; shares and averages have two decimals (STAT-13). */
const figureText = ({ value, unit }: Figure): string =>
  value === undefined ? '--' : unit === countUnit ? value : toFixed(value, 2)

const FigureTile = ({ figure }: { readonly figure: Figure }) => (
  <div className="figure-tile" title={figure.help}>
    <span>{figure.label}</span>
    <b>
      <Link to={figurePath(figure.query)}>
        {figureText(figure)}
        {figure.unit && figure.value !== undefined && <small>{figure.unit}</small>}
      </Link>
    </b>
    {figure.of !== undefined && (
      <small>
        {figure.count} / {figure.outOf ? <Link to={figurePath(figure.outOf)}>{figure.of}</Link> : figure.of}
      </small>
    )}
  </div>
)

/** The tiles before their figures are there. */
const emptyTiles = (
  <div className="figure-tiles" aria-busy="true">
    {Array.from({ length: 9 }, (_, i) => (
      <div key={i} className="figure-tile" />
    ))}
  </div>
)

interface FiguresProps {
  readonly cohort: Cohort
  readonly isOwn: boolean
}

function Figures({ cohort, isOwn }: FiguresProps) {
  const figures = useCall(isOwn ? getMyAssessment : getOrderStatistics, cohort, {
    quiet: true,
    keepPrevious: true,
  })
  return (
    <Loaded query={figures} height={96} rows={3} keepsAnswer placeholder={emptyTiles}>
      {rows => (
        <div className="figure-tiles">
          {rows.map(figure => (
            <FigureTile key={figure.key} figure={figure} />
          ))}
        </div>
      )}
    </Loaded>
  )
}

const share = (part: number, whole: number): string => `${whole ? Math.round((part / whole) * 100) : 0}%`

/** Registered a day, with what of it was done and what was late. */
function PerDay({ cohort }: { readonly cohort: Cohort }) {
  const days = useCall(countPerDay, cohort, { quiet: true, keepPrevious: true })
  return (
    <section>
      <h3>
        每日工单 <small>登记数，下段为已处理完成</small>
      </h3>
      <Loaded query={days} height={141} rows={4} keepsAnswer keepsHeight>
        {rows => {
          const max = Math.max(1, ...rows.map(row => row.registered))
          return rows.length ? (
            <ol className="day-bars">
              {rows.map(row => (
                <li key={row.day}>
                  <Link
                    to={figurePath(row.query)}
                    title={`${row.day}：登记 ${row.registered}，已处理完成 ${row.finished}，超时 ${row.late}`}
                    aria-label={`${row.day} 登记 ${row.registered}`}
                  >
                    <i style={{ height: share(row.registered, max) }}>
                      <i style={{ height: share(row.finished, row.registered) }} />
                    </i>
                  </Link>
                </li>
              ))}
            </ol>
          ) : (
            <Empty text="该期间暂无工单" />
          )
        }}
      </Loaded>
    </section>
  )
}

interface BarRow {
  readonly key: string
  readonly label: string
  readonly value: number
  readonly text: string
  readonly query: string
}

/** Lines with a bar, each a link to what it counts. */
const Bars = ({ rows, max }: { readonly rows: readonly BarRow[]; readonly max: number }) => (
  <ul className="line-bars">
    {rows.map(row => (
      <li key={row.key}>
        <span>{row.label}</span>
        <div>
          <i style={{ width: share(row.value, max) }} />
        </div>
        <Link to={figurePath(row.query)}>{row.text}</Link>
      </li>
    ))}
  </ul>
)

const topScore = 5

function Distributions({ cohort }: { readonly cohort: Cohort }) {
  const complaints = useCall(countByComplaint, cohort, { quiet: true, keepPrevious: true })
  const ratings = useCall(getEvaluationRadar, cohort, { quiet: true, keepPrevious: true })
  return (
    <div className="statistics-pair">
      <section>
        <h3>投诉类型</h3>
        <Loaded query={complaints} height={160} rows={3} keepsAnswer keepsHeight>
          {rows =>
            rows.length ? (
              <Bars
                max={Math.max(...rows.map(row => row.count))}
                rows={rows.map(row => ({
                  key: String(row.typeId),
                  label: row.typeName,
                  value: row.count,
                  text: String(row.count),
                  query: row.query,
                }))}
              />
            ) : (
              <Empty text="该期间暂无投诉" />
            )
          }
        </Loaded>
      </section>
      <section>
        <h3>
          评价 <small>平均分，不含系统默认评价</small>
        </h3>
        <Loaded query={ratings} height={160} rows={3} keepsAnswer keepsHeight>
          {rows =>
            rows.length ? (
              <Bars
                max={topScore}
                rows={rows.map(row => ({
                  key: row.key,
                  label: row.label,
                  value: Number(row.average ?? 0),
                  text: row.average === undefined ? '--' : `${toFixed(row.average, 2)}（${row.count}）`,
                  query: row.query,
                }))}
              />
            ) : (
              <Empty text="该期间暂无评价" />
            )
          }
        </Loaded>
      </section>
    </div>
  )
}

const typesField = { ...ref('工单类型', 'workOrderType'), max: 200 }
const wholes = [
  { value: 'all', label: '全部' },
  { value: 'own', label: '我处理的' },
]

const thisMonth = (): Cohort => {
  const now = today()
  return { dayFrom: firstOfMonth(now), dayTo: now }
}

/** 品质首页 (STAT-10): orders registered in a period; every number opens its list. */
export default function QualityHome() {
  const [cohort, setCohort] = useState(thisMonth)
  const [whole, setWhole] = useState('all')
  return (
    <div className="statistics-page scroll">
      <header>
        <h2>品质首页</h2>
        <span className="spring" />
        <Segmented options={wholes} value={whole} onChange={setWhole} />
        <div style={{ width: 220 }}>
          <RefSelect
            field={typesField}
            multiple
            named
            value={cohort.typeIds}
            onChange={value => {
              const typeIds = [value].flat().flatMap(v => (v === undefined ? [] : [String(v)]))
              setCohort(({ dayFrom, dayTo }) => ({ dayFrom, dayTo, ...(typeIds.length ? { typeIds } : {}) }))
            }}
          />
        </div>
        <DatePicker.RangePicker
          aria-label="登记日期"
          allowClear={false}
          value={[dayjs(cohort.dayFrom), dayjs(cohort.dayTo)]}
          onChange={range => {
            const [from, to] = range ?? []
            if (from && to) {
              setCohort({ ...cohort, dayFrom: dayOfPicker(from), dayTo: dayOfPicker(to) })
            }
          }}
        />
      </header>
      <Figures cohort={cohort} isOwn={whole === 'own'} />
      <PerDay cohort={cohort} />
      <Distributions cohort={cohort} />
      <Efficiency cohort={cohort} />
    </div>
  )
}
