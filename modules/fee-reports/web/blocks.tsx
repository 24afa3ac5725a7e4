import { Link } from 'react-router'
import { monthOf, shiftMonth } from '#kit/domain/month.ts'
import { addDays } from '#kit/domain/day.ts'
import { emptyPlaceholder } from '#kit/contract/text.ts'
import { formatSigned, displayYuan } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { InlineLoadFailure } from '#kit/web/page-error.tsx'
import { today } from '#kit/web/date-format.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { getChargeStatistic } from '../contract/statistic.ts'
import { tillDays } from '../contract/till.ts'
import { MonthTrend } from './bars.tsx'
import { useDrilldown } from './drilldown.ts'
import { tillsDrilldown } from './drilldowns.ts'
import './reports.css'

const pollOptions = { quiet: true, keepPrevious: true, refetchMs: 60_000 } as const
const maxShownMethods = 6

/** 今日收款: new money of the day by way, without what was taken from prestore or coupons (STAT-14). */
export function TodayTakings() {
  const project = useProject()
  const way = useDrilldown(tillsDrilldown)
  const day = today()
  const before = addDays(day, -1)
  const where = project ? { projectCode: project } : {}
  const of = (d: string, by: string) => ({ ...where, by, dayFrom: d, dayTo: d, page: 1, size: 50 })
  const q = useCall(tillDays.list, of(day, 'method'), pollOptions)
  const was = useCall(tillDays.list, of(before, 'day'), pollOptions)
  const s = q.data?.sum
  const at = (d: string, by: string): string | undefined => way('', { asked: { dayFrom: d, dayTo: d }, by })
  const fen = (x: Readonly<Record<string, unknown>> | undefined, key: string): number => Number(x?.[key] ?? 0)
  const ways = (q.data?.rows ?? [])
    .filter(r => fen(r, 'cash'))
    .toSorted((a, b) => fen(b, 'cash') - fen(a, 'cash'))
  const all = at(day, 'method')
  const yesterday = at(before, 'method')
  const aside = [
    fen(s, 'offset') && `不含预存与券抵扣 ${displayYuan(fen(s, 'offset'), true)}`,
    fen(s, 'refunded') && `退款 ${displayYuan(fen(s, 'refunded'), true)} 已扣除`,
  ]
    .filter(Boolean)
    .join('；')
  return (
    <>
      <header>
        <h2>今日收款</h2>
        {all && <Link to={all}>收款明细</Link>}
      </header>
      {q.isError && !q.data ? (
        <InlineLoadFailure onRetry={q.refetch} />
      ) : (
        q.data && (
          <>
            <p className="bench-sum">
              <b className="figure">
                {all ? (
                  <Link to={all}>{displayYuan(fen(s, 'cash'), true)}</Link>
                ) : (
                  displayYuan(fen(s, 'cash'), true)
                )}
              </b>
              {was.data && (
                <small>
                  昨天{' '}
                  {yesterday ? (
                    <Link to={yesterday}>{displayYuan(fen(was.data.sum, 'cash'))}</Link>
                  ) : (
                    displayYuan(fen(was.data.sum, 'cash'))
                  )}
                </small>
              )}
            </p>
            {ways.slice(0, maxShownMethods).map(r => (
              <div className="bench-row" key={r.key ?? r.name}>
                <span>{r.name}</span>
                <span className="bench-far">{((fen(r, 'cash') / fen(s, 'cash')) * 100).toFixed(2)}%</span>
                <span className="figure">{displayYuan(fen(r, 'cash'))}</span>
              </div>
            ))}
            {ways.length > maxShownMethods && all && (
              <Link className="bench-row" to={all}>
                另有 {ways.length - maxShownMethods} 种方式
              </Link>
            )}
            {!ways.length && <p className="block-none">今天还没有收款</p>}
            {aside && <p className="bench-aside">{aside}</p>}
          </>
        )
      )}
    </>
  )
}

const formatPointChange = (now: string | undefined, then: string | undefined): string | undefined =>
  now && then ? `${formatSigned(parseFloat(now) - parseFloat(then), 2)} 个点` : undefined

/** 本月收缴率 beside last month's as it stands now, and the months' net takings (STAT-4). */
export function CollectionRate() {
  const project = useProject()
  const month = monthOf(today())
  const where = project ? { projectCode: project } : {}
  const slow = { quiet: true, keepPrevious: true, refetchMs: 180_000 } as const
  const q = useCall(getChargeStatistic, { month, ...where }, slow)
  const last = useCall(getChargeStatistic, { month: shiftMonth(month, -1), ...where }, slow).data
  const s = q.data
  const more = formatPointChange(s?.currentRate, last?.currentRate)
  return (
    <>
      <header>
        <h2>本月收缴率</h2>
        <small>{month}</small>
        <Link to="/finance/indexFinance">财务首页</Link>
      </header>
      {q.isError && !s ? (
        <InlineLoadFailure onRetry={q.refetch} />
      ) : (
        s && (
          <>
            <p className="bench-sum">
              <b className="figure">
                <Link to="/finance/indexFinance">{s.currentRate ?? emptyPlaceholder}</Link>
              </b>
              <small>
                {displayYuan(s.paid)} ÷ {displayYuan(s.due)}
              </small>
            </p>
            <p className="bench-aside">
              {last?.currentRate ? `上月 ${last.currentRate}${more ? `，相差 ${more}` : ''}` : '上月没有应收'}
              ；待收 {displayYuan(s.closing, true)}
            </p>
            <div className="bench-chart">
              <small>近 12 个月净收，万元</small>
              <MonthTrend of={s.trend} />
            </div>
          </>
        )
      )}
    </>
  )
}
