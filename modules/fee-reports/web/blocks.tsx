import { Link } from 'react-router'
import { monthOf, shiftMonth } from '#kit/domain/month.ts'
import { addDays } from '#kit/domain/day.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { emptyPlaceholder } from '#kit/contract/text.ts'
import { formatSigned, displayYuan, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { InlineLoadFailure } from '#kit/web/page-error.tsx'
import { today } from '#kit/web/date-format.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { getChargeStatistic } from '../contract/statistic.ts'
import { dailyCollections } from '../contract/daily-collection.ts'
import { chartUnitOf } from './chart-unit.ts'
import { MonthTrend } from './bars.tsx'
import { useDrilldown } from './drilldown.ts'
import { collectionDrilldown } from './drilldowns.ts'
import { paths } from './paths.ts'
import './reports.css'

const pollOptions = { quiet: true, keepPrevious: true, refetchMs: 60_000 } as const
const maxShownMethods = 6

/** A part of what came in; none of a day on which more went out, or where a part is below zero. */
const formatShare = (part: Fen, whole: Fen): string =>
  part >= 0 && whole > 0 && part <= whole ? `${((part / whole) * 100).toFixed(2)}%` : ''

/** 今日收款: new money of the day by way of paying, without prestore and coupons (STAT-14). */
export function TodayReceipts() {
  const project = useProject()
  const drilldownLink = useDrilldown(collectionDrilldown)
  const day = today()
  const yesterday = addDays(day, -1)
  const projectFilter = project ? { projectCode: project } : {}
  const queryOf = (date: string, by: string) => ({
    ...projectFilter,
    by,
    dayFrom: date,
    history: false,
    dayTo: date,
    page: 1,
    size: 50,
  })
  const todayCall = useCall(dailyCollections.list, queryOf(day, 'method'), pollOptions)
  const yesterdayCall = useCall(dailyCollections.list, queryOf(yesterday, 'day'), pollOptions)
  const sums = todayCall.data?.sum
  const linkOf = (date: string, by: string): string | undefined =>
    drilldownLink('', { query: { dayFrom: date, dayTo: date, history: false }, by })
  const amountOf = (figures: Readonly<Record<string, unknown>> | undefined, key: string): Fen =>
    asFen(Number(figures?.[key] ?? 0))
  const methods = (todayCall.data?.rows ?? [])
    .filter(row => amountOf(row, 'net'))
    .toSorted((a, b) => amountOf(b, 'net') - amountOf(a, 'net'))
  const todayLink = linkOf(day, 'method')
  const yesterdayLink = linkOf(yesterday, 'method')
  const remark = [
    amountOf(sums, 'offset') && `不含预存与券抵扣 ${displayYuanWithSymbol(amountOf(sums, 'offset'))}`,
    amountOf(sums, 'refunded') && `退款 ${displayYuanWithSymbol(amountOf(sums, 'refunded'))} 已扣除`,
  ]
    .filter(Boolean)
    .join('；')
  return (
    <>
      <header>
        <h2>今日收款</h2>
        {todayLink && <Link to={todayLink}>收款明细</Link>}
      </header>
      {todayCall.isError && !todayCall.data ? (
        <InlineLoadFailure onRetry={todayCall.refetch} />
      ) : (
        todayCall.data && (
          <>
            <p className="bench-sum">
              <b className="figure">
                {todayLink ? (
                  <Link to={todayLink}>{displayYuanWithSymbol(amountOf(sums, 'net'))}</Link>
                ) : (
                  displayYuanWithSymbol(amountOf(sums, 'net'))
                )}
              </b>
              {yesterdayCall.data && (
                <small>
                  昨天{' '}
                  {yesterdayLink ? (
                    <Link to={yesterdayLink}>{displayYuan(amountOf(yesterdayCall.data.sum, 'net'))}</Link>
                  ) : (
                    displayYuan(amountOf(yesterdayCall.data.sum, 'net'))
                  )}
                </small>
              )}
            </p>
            {methods.slice(0, maxShownMethods).map(row => (
              <div className="bench-row" key={row.key ?? row.name}>
                <span>{row.name}</span>
                <span className="bench-far">{formatShare(amountOf(row, 'net'), amountOf(sums, 'net'))}</span>
                <span className="figure">{displayYuan(amountOf(row, 'net'))}</span>
              </div>
            ))}
            {methods.length > maxShownMethods && todayLink && (
              <Link className="bench-row" to={todayLink}>
                另有 {methods.length - maxShownMethods} 种方式
              </Link>
            )}
            {!methods.length && <p className="block-none">今天暂无收款</p>}
            {remark && <p className="bench-aside">{remark}</p>}
          </>
        )
      )}
    </>
  )
}

const formatPointChange = (current: string | undefined, previous: string | undefined): string | undefined =>
  current && previous ? `${formatSigned(parseFloat(current) - parseFloat(previous), 2)} 个点` : undefined

/** Last month's rate with the difference; nothing before it is loaded. */
function describeLastMonth(
  last: { readonly currentRate?: string | undefined } | undefined,
  current: string | undefined,
): string {
  if (!last) return ''
  if (!last.currentRate) return '上月无应收；'
  const change = formatPointChange(current, last.currentRate)
  return `上月 ${last.currentRate}${change ? `，相差 ${change}` : ''}；`
}

/** 本月收缴率 beside last month's as it is now, and the net amounts of the months (STAT-4). */
export function CollectionRate() {
  const project = useProject()
  const month = monthOf(today())
  const projectFilter = project ? { projectCode: project } : {}
  const slowPollOptions = { quiet: true, keepPrevious: true, refetchMs: 180_000 } as const
  const call = useCall(getChargeStatistic, { month, ...projectFilter }, slowPollOptions)
  const lastMonth = useCall(
    getChargeStatistic,
    { month: shiftMonth(month, -1), ...projectFilter },
    slowPollOptions,
  ).data
  const statistic = call.data
  return (
    <>
      <header>
        <h2>本月收缴率</h2>
        <small>{month}</small>
        <Link to={paths.home}>财务首页</Link>
      </header>
      {call.isError && !statistic ? (
        <InlineLoadFailure onRetry={call.refetch} />
      ) : (
        statistic && (
          <>
            <p className="bench-sum">
              <b className="figure">
                <Link to={paths.home}>{statistic.currentRate ?? emptyPlaceholder}</Link>
              </b>
              <small>
                {statistic.due
                  ? `${displayYuan(statistic.paid)} ÷ ${displayYuan(statistic.due)}`
                  : '本月暂无应收'}
              </small>
            </p>
            <p className="bench-aside">
              {describeLastMonth(lastMonth, statistic.currentRate)}
              期末欠费 {displayYuanWithSymbol(statistic.closing)}
            </p>
            <div className="bench-chart">
              <small>近 12 个月净收，{chartUnitOf(statistic.trend.map(({ net }) => net))}</small>
              <MonthTrend months={statistic.trend} />
            </div>
          </>
        )
      )}
    </>
  )
}
