import { useState } from 'react'
import { Link } from 'react-router'
import { addDays } from '#kit/domain/day.ts'
import { displayYuan } from '#kit/domain/money.ts'
import { endOfDay, startOfDay } from '#kit/domain/moment.ts'
import { cssVariables } from '#kit/web/css-variables.ts'
import { today } from '#kit/web/date-format.ts'
import { listLink } from '#kit/web/list/list-address.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { SpanBar } from '#kit/web/span-bar.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import { getInOutStatistics, getStayStatistics, maxStatisticsDays } from '../contract/statistics.ts'
import { listStays } from '../contract/stay.ts'
import { paths } from '../module.ts'
import './parking-lanes.css'

type Figure = NonNullable<typeof getInOutStatistics.output.T>['days'][number]
type Totals = NonNullable<typeof getStayStatistics.output.T>

const maxLabels = 16
/** More columns are too narrow for the numbers on their bars. */
const maxNumbered = 31

/** Two bars for each: who came in beside who went out. */
function Bars({ title, figures }: { readonly title: string; readonly figures: readonly Figure[] }) {
  const most = Math.max(1, ...figures.flatMap(figure => [figure.inCount, figure.outCount]))
  const every = Math.ceil(figures.length / maxLabels)
  return (
    <section>
      <h3>
        {title}{' '}
        <small className="pass-legend">
          <i aria-hidden /> 入场 <i className="out" aria-hidden /> 出场
        </small>
      </h3>
      <ol className={figures.length > maxNumbered ? 'pass-columns' : 'pass-columns numbered'}>
        {figures.map((figure, i) => {
          const text = `${figure.label}：入场 ${figure.inCount}，出场 ${figure.outCount}`
          return (
            <li key={figure.key} title={text}>
              <div role="img" aria-label={text}>
                <i
                  style={cssVariables({ '--part': figure.inCount / most })}
                  data-count={figure.inCount || undefined}
                  aria-hidden
                />
                <i
                  className="out"
                  style={cssVariables({ '--part': figure.outCount / most })}
                  data-count={figure.outCount || undefined}
                  aria-hidden
                />
              </div>
              <span aria-hidden>{i % every === 0 ? figure.label : ''}</span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

function Tiles({ totals }: { readonly totals: Totals }) {
  const { dayFrom, dayTo } = totals
  const linkOf = (filter: Readonly<Record<string, unknown>>): string =>
    listLink(paths.stays, listStays, filter)
  const within = (key: string) => ({ [`${key}From`]: startOfDay(dayFrom), [`${key}To`]: endOfDay(dayTo) })
  const tiles = [
    { label: '入场', value: formatCount(totals.inCount), to: linkOf(within('inTime')) },
    { label: '出场', value: formatCount(totals.outCount), to: linkOf(within('outTime')) },
    { label: '现在在场', value: formatCount(totals.insideCount), to: linkOf({ state: ['inside', 'paid'] }) },
    {
      label: '免费放行',
      value: formatCount(totals.freeCount),
      to: linkOf({ exitKind: ['free'], ...within('outTime') }),
    },
    {
      label: '异常出场',
      value: formatCount(totals.abnormalCount),
      to: linkOf({ state: ['abnormal'], ...within('passTime') }),
    },
    { label: '应收', value: displayYuan(totals.shouldPay), to: linkOf(within('outTime')) },
    { label: '实收', value: displayYuan(totals.paid), to: linkOf(within('outTime')) },
  ]
  return (
    <dl className="pass-tiles">
      {tiles.map(({ label, value, to }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Link to={to}>{value}</Link>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Entries and exits of a time; every figure opens its records. */
export function StayFigures() {
  const project = useProject()
  const [span, setSpan] = useState(() => ({ from: addDays(today(), -6), to: today() }))
  const input = { dayFrom: span.from, dayTo: span.to, ...(project ? { projectCode: project } : {}) }
  const totals = useCall(getStayStatistics, input, { quiet: true, keepPrevious: true })
  const figures = useCall(getInOutStatistics, input, { quiet: true, keepPrevious: true })
  return (
    <div className="pass-figures scroll">
      <SpanBar span={span} onChange={setSpan}>
        <small>
          最多 {maxStatisticsDays} 天；应收、实收为期间内出场的车辆，按缴费时间的收入见「停车统计」
        </small>
      </SpanBar>
      <Loaded query={totals} height={96} rows={2} keepsAnswer>
        {answer => <Tiles totals={answer} />}
      </Loaded>
      <Loaded query={figures} height={400} rows={8} keepsAnswer>
        {answer => (
          <>
            <Bars title="每日" figures={answer.days} />
            <Bars title="各时段" figures={answer.hours} />
            <Bars title="车类" figures={answer.kinds} />
          </>
        )}
      </Loaded>
    </div>
  )
}
