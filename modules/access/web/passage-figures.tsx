import { useState } from 'react'
import { Link } from 'react-router'
import dayjs from 'dayjs'
import { addDays, type Day } from '#kit/domain/day.ts'
import { endOfDay, startOfDay } from '#kit/domain/moment.ts'
import { cssVariables } from '#kit/web/css-variables.ts'
import { dayOfPicker, today } from '#kit/web/date-format.ts'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { listLink } from '#kit/web/list/list-address.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { listPassages } from '../contract/passage.ts'
import { getPassageStatistics, maxStatisticsDays } from '../contract/passage-statistics.ts'
import { paths } from '../module.ts'

type Statistics = NonNullable<typeof getPassageStatistics.output.T>
type Figure = Statistics['days'][number]

interface Period {
  readonly dayFrom: Day
  readonly dayTo: Day
}

const totalOf = ({ opened, refused }: Pick<Figure, 'opened' | 'refused'>): number => opened + refused

const linkOf = ({ dayFrom, dayTo }: Period, filter: object): string =>
  listLink(paths.passages, listPassages, {
    recordTimeFrom: startOfDay(dayFrom),
    recordTimeTo: endOfDay(dayTo),
    ...filter,
  })

const share = (part: number, whole: number): number => (whole ? part / whole : 0)

interface ColumnsProps {
  readonly title: string
  readonly note: string
  readonly figures: readonly Figure[]
  readonly linkTo?: (figure: Figure) => string
}

/** Upright bars over time; what was refused stands on what was opened. */
function Columns({ title, note, figures, linkTo }: ColumnsProps) {
  const most = Math.max(1, ...figures.map(totalOf))
  const every = Math.ceil(figures.length / maxLabels)
  return (
    <section>
      <h3>
        {title} <small>{note}</small>
      </h3>
      <ol className="passage-columns">
        {figures.map((figure, i) => {
          const text = `${figure.label}：已开 ${figure.opened}，未开 ${figure.refused}`
          const bar = (
            <>
              <i
                className="refused"
                style={cssVariables({ '--part': share(figure.refused, most) })}
                aria-hidden
              />
              <i style={cssVariables({ '--part': share(figure.opened, most) })} aria-hidden />
              <span aria-hidden>{i % every === 0 ? figure.label : ''}</span>
            </>
          )
          return (
            <li key={figure.key} title={text}>
              {linkTo ? (
                <Link to={linkTo(figure)} aria-label={text}>
                  {bar}
                </Link>
              ) : (
                <div role="img" aria-label={text}>
                  {bar}
                </div>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}

const maxLabels = 16

interface LinesProps {
  readonly title: string
  readonly figures: readonly Figure[]
  readonly empty: string
  readonly linkTo?: (figure: Figure) => string
}

/** Lines with a bar, the most frequent first. */
function Lines({ title, figures, empty, linkTo }: LinesProps) {
  const most = Math.max(1, ...figures.map(totalOf))
  return (
    <section>
      <h3>{title}</h3>
      {figures.length ? (
        <ul className="passage-lines">
          {figures.map(figure => {
            const count = formatCount(totalOf(figure))
            return (
              <li key={figure.key}>
                <span title={figure.label}>{figure.label}</span>
                <div>
                  <i style={{ width: `${share(totalOf(figure), most) * 100}%` }} />
                </div>
                {linkTo ? <Link to={linkTo(figure)}>{count}</Link> : <b>{count}</b>}
              </li>
            )
          })}
        </ul>
      ) : (
        <Empty text={empty} />
      )}
    </section>
  )
}

function Tiles({ figures, period }: { readonly figures: Statistics; readonly period: Period }) {
  const tiles = [
    { label: '已开', value: figures.opened, filter: { openStatus: ['opened'] } },
    { label: '未开', value: figures.refused, filter: { openStatus: ['refused'] } },
    { label: '陌生人', value: figures.strangers, filter: { personKind: ['stranger'] } },
  ]
  return (
    <dl className="passage-tiles">
      {tiles.map(({ label, value, filter }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Link to={linkOf(period, filter)}>{formatCount(value)}</Link>
          </dd>
        </div>
      ))}
    </dl>
  )
}

const Charts = ({ figures, period }: { readonly figures: Statistics; readonly period: Period }) => (
  <>
    <Tiles figures={figures} period={period} />
    <Columns
      title="每日通行"
      note="上段为未开"
      figures={figures.days}
      linkTo={({ key }) => {
        const [from, to] = [`${key} 00:00:00`, `${key} 23:59:59`]
        return listLink(paths.passages, listPassages, { recordTimeFrom: from, recordTimeTo: to })
      }}
    />
    <Columns title="各时段通行" note="0 至 23 时，该期间合计" figures={figures.hours} />
    <div className="passage-pair">
      <Lines
        title="开门方式"
        figures={figures.methods}
        empty="该期间暂无通行"
        linkTo={({ key }) => linkOf(period, { openMethod: [key] })}
      />
      <Lines
        title="人员类型"
        figures={figures.kinds}
        empty="该期间暂无通行"
        linkTo={({ key }) => linkOf(period, { personKind: [key] })}
      />
      <Lines
        title="通行最多的门"
        figures={figures.doorways}
        empty="该期间暂无通行"
        linkTo={({ key }) => linkOf(period, { doorwayId: [key] })}
      />
      <Lines title="未开原因" figures={figures.reasons} empty="该期间暂无未开" />
    </div>
  </>
)

const lastWeek = (): Period => {
  const dayTo = today()
  return { dayFrom: addDays(dayTo, -6), dayTo }
}

/** What came through the doors in a time; every figure opens its records. */
export function PassageFigures() {
  const project = useProject()
  const [period, setPeriod] = useState(lastWeek)
  const figures = useCall(
    getPassageStatistics,
    { ...period, ...(project ? { projectCode: project } : {}) },
    { quiet: true, keepPrevious: true },
  )
  return (
    <div className="passage-figures scroll">
      <header>
        <DatePicker.RangePicker
          aria-label="通行日期"
          allowClear={false}
          value={[dayjs(period.dayFrom), dayjs(period.dayTo)]}
          onChange={range => {
            const [from, to] = range ?? []
            if (from && to) {
              setPeriod({ dayFrom: dayOfPicker(from), dayTo: dayOfPicker(to) })
            }
          }}
        />
        <small>最多 {maxStatisticsDays} 天</small>
      </header>
      <Loaded query={figures} height={480} rows={8} keepsAnswer>
        {answer => <Charts figures={answer} period={period} />}
      </Loaded>
    </div>
  )
}
