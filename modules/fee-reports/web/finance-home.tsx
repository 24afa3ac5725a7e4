import { isMonth, monthOf } from '#kit/domain/month.ts'
import { defined } from '#kit/domain/defined.ts'
import { addFen } from '#kit/domain/money.ts'
import dayjs from 'dayjs'
import { Link, useLocation, useNavigate } from 'react-router'
import { emptyPlaceholder } from '#kit/contract/text.ts'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { relativeText, today } from '#kit/web/date-format.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { moneyTerms } from '#modules/fees/contract/money-terms.ts'
import { getChargeStatistic } from '../contract/statistic.ts'
import { chartUnitOf } from './chart-unit.ts'
import { Bars, MonthTrend } from './bars.tsx'
import { useDrilldown, type Drilldown } from './drilldown.ts'
import { selectMonthDrilldown, collectionDrilldown } from './drilldowns.ts'
import { PendingLists } from './pending-lists.tsx'
import { UnpaidAges } from './unpaid-ages.tsx'
import { paths } from './paths.ts'
import './reports.css'

type ChargeStatistic = NonNullable<typeof getChargeStatistic.output.T>
const statisticFields = getChargeStatistic.output.fields
const summaryDrilldown: Drilldown = {
  path: paths.feeSummary,
  filter: origin => origin.query,
}

function Figure({
  name,
  text,
  to,
  note,
}: {
  readonly name: keyof typeof statisticFields
  readonly text: string
  readonly to?: string | undefined
  readonly note?: string | undefined
}) {
  const field = defined(statisticFields[name])
  return (
    <div className="fin-figure">
      <dt title={field.help}>
        {field.label}
        {field.help && <i aria-hidden="true">ⓘ</i>}
      </dt>
      <dd>
        {to ? (
          <Link to={to} aria-label={`${field.label} ${text}，查看明细`}>
            {text}
          </Link>
        ) : (
          text
        )}
      </dd>
      {note && <dd className="fin-note">{note}</dd>}
    </div>
  )
}

interface StatisticProps {
  readonly statistic: ChargeStatistic
}

/** The link to the day summary of a range of days. */
function useCollectionLink(): (from: string, to: string) => string | undefined {
  const collectionLink = useDrilldown(collectionDrilldown)
  return (from, to) => collectionLink('', { query: { dayFrom: from, dayTo: to, history: false }, by: 'day' })
}

function CollectionFigures({ statistic }: StatisticProps) {
  const query = { monthFrom: statistic.month, monthTo: statistic.month, inRate: true }
  const summaryLink = useDrilldown(summaryDrilldown)('', { query, by: '' })
  const monthLink = useDrilldown(selectMonthDrilldown)
  const linkOf = (figure: string): string | undefined =>
    monthLink(figure, { query, by: 'item' }) ?? summaryLink
  const cashLink = useCollectionLink()(`${statistic.month}-01`, statistic.asOf)
  const { paid, due, recovered, opening } = statistic
  return (
    <section aria-label="收缴率">
      <h2>{statistic.month} 收缴</h2>
      <dl className="fin-rates">
        <Figure
          name="currentRate"
          text={statistic.currentRate ?? emptyPlaceholder}
          to={summaryLink}
          note={due ? `${displayYuan(paid)} ÷ ${displayYuan(due)}` : '本月暂无应收'}
        />
        <Figure
          name="clearRate"
          text={statistic.clearRate ?? emptyPlaceholder}
          to={summaryLink}
          note={opening ? `${displayYuan(recovered)} ÷ ${displayYuan(opening)}` : '无往期欠费'}
        />
        <Figure
          name="overallRate"
          text={statistic.overallRate ?? emptyPlaceholder}
          to={summaryLink}
          note={
            due || opening
              ? `${displayYuan(addFen(paid, recovered))} ÷ ${displayYuan(addFen(due, opening))}`
              : '暂无应收'
          }
        />
        <Figure
          name="householdRate"
          text={statistic.householdRate ?? emptyPlaceholder}
          to={linkOf('billed')}
          note={statistic.households ? `${statistic.clear} ÷ ${statistic.households} 户` : '暂无到期账单'}
        />
      </dl>
      <dl className="fin-figures">
        <Figure name="due" text={displayYuan(due)} to={linkOf('due')} />
        <Figure name="paid" text={displayYuan(paid)} to={linkOf('paid')} />
        <Figure name="opening" text={displayYuan(opening)} to={linkOf('openingAdjusted')} />
        <Figure name="recovered" text={displayYuan(recovered)} to={linkOf('recovered')} />
        <Figure name="prepaid" text={displayYuan(statistic.prepaid)} to={linkOf('prepaid')} />
        <Figure name="cash" text={displayYuan(statistic.cash)} to={cashLink} />
        <Figure name="other" text={displayYuan(statistic.other)} to={cashLink} />
        <Figure name="closing" text={displayYuan(statistic.closing)} to={linkOf('closing')} />
      </dl>
    </section>
  )
}

function CollectionRow({
  label,
  collection,
  to,
}: {
  readonly label: string
  readonly collection: ChargeStatistic['today']
  readonly to: string | undefined
}) {
  return (
    <tr>
      <th>{label}</th>
      {(['received', 'refunded', 'net'] as const).map(key => (
        <td key={key}>
          {to ? (
            <Link to={to} className="figure">
              {displayYuan(collection[key])}
            </Link>
          ) : (
            <span className="figure">{displayYuan(collection[key])}</span>
          )}
        </td>
      ))}
    </tr>
  )
}

function TodayFigures({ statistic }: StatisticProps) {
  const collectionLink = useCollectionLink()
  const day = today()
  const { month } = statistic
  return (
    <section aria-label="收款">
      <h2>收款</h2>
      <table className="fin-collection">
        <thead>
          <tr>
            <th />
            {(['received', 'refunded', 'net'] as const).map(word => (
              <th key={word} title={moneyTerms[word][1]}>
                {moneyTerms[word][0]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <CollectionRow label="今天" collection={statistic.today} to={collectionLink(day, day)} />
          <CollectionRow
            label={month === day.slice(0, 7) ? '本月' : month}
            collection={statistic.thisMonth}
            to={collectionLink(`${month}-01`, statistic.asOf)}
          />
        </tbody>
      </table>
    </section>
  )
}

function HomeFigures({ statistic }: StatisticProps) {
  const collectionLink = useCollectionLink()
  return (
    <>
      <CollectionFigures statistic={statistic} />
      <TodayFigures statistic={statistic} />
      <section aria-label="近 12 个月收款">
        <h2>
          近 12 个月净收 <small>{chartUnitOf(statistic.trend.map(({ net }) => net))}</small>
        </h2>
        <MonthTrend months={statistic.trend} />
      </section>
      <section aria-label="每天收款">
        <h2>
          每天净收 <small>元</small>
        </h2>
        <Bars
          rows={statistic.days.map(({ day, net }) => ({
            key: day,
            label: day.slice(8),
            value: net,
            to: collectionLink(day, day),
          }))}
          empty={`${statistic.month} 暂无收款`}
        />
      </section>
      <UnpaidAges statistic={statistic} />
    </>
  )
}

/** 财务首页: the day's and the month's figures, each with its drill-down (STAT-4…8, STAT-14). */
export default function FinanceHome() {
  const location = useLocation()
  const navigate = useNavigate()
  const project = useProject()
  const thisMonth = monthOf(today())
  const requested = new URLSearchParams(location.search).get('month') ?? ''
  const month = isMonth(requested) && requested <= thisMonth ? requested : thisMonth
  const call = useCall(
    getChargeStatistic,
    { month, ...(project ? { projectCode: project } : {}) },
    { quiet: true, keepPrevious: true, refetchMs: 180_000 },
  )
  const statistic = call.data
  return (
    <div className="fin-home">
      <header>
        <h1>财务首页</h1>
        <DatePicker
          picker="month"
          size="small"
          aria-label="月份"
          allowClear={false}
          value={dayjs(`${month}-01`)}
          maxDate={dayjs(`${thisMonth}-28`)}
          onChange={date =>
            void navigate(`${paths.home}?month=${dayjs(date).format('YYYY-MM')}`, { replace: true })
          }
        />
        {statistic && <small>数据截至 {relativeText(statistic.builtTime)}</small>}
        <PendingLists />
      </header>
      {call.isError && !statistic ? (
        <ErrorState error={call.error} onRetry={() => void call.refetch()} />
      ) : statistic ? (
        <HomeFigures statistic={statistic} />
      ) : (
        <div style={{ position: 'relative', height: 320 }}>
          <RowSkeleton rows={6} />
        </div>
      )}
    </div>
  )
}
