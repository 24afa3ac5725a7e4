import { defined } from '#kit/domain/defined.ts'
import dayjs from 'dayjs'
import { Link, useLocation, useNavigate } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { emptyPlaceholder } from '#kit/contract/text.ts'
import { isMonth, monthOf } from '#kit/domain/month.ts'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-states.tsx'
import { useCall } from '#kit/web/query.ts'
import { relativeText, today, monthOfPicker } from '#kit/web/date-format.ts'
import { billAge } from '#modules/bills/contract/choices.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { getChargeStatistic } from '../contract/statistic.ts'
import { AgeBars, Bars, MonthTrend } from './bars.tsx'
import { useDrilldown, type Drilldown } from './drilldown.ts'
import { toAgeFilter, selectMonthDrilldown, tillsDrilldown, unpaidDrilldown } from './drilldowns.ts'
import './reports.css'

const homePath = '/finance/indexFinance'
const financeReportsPath = '/finance/reportCenter/financialManagement'
type ChargeStatistic = NonNullable<typeof getChargeStatistic.output.T>
const statisticFields = getChargeStatistic.output.fields
const ageOrder = Object.keys(billAge.rows)
const summaryDrilldown: Drilldown = { path: '/finance/chargemanage/feeSummary', filter: q => q.asked }
const unpaidByAgeDrilldown: Drilldown = {
  path: `${financeReportsPath}/charge`,
  filter: () => ({ by: 'age' }),
}

function Figure({
  name,
  words,
  to,
  note,
}: {
  readonly name: keyof typeof statisticFields
  readonly words: string
  readonly to?: string | undefined
  readonly note?: string | undefined
}) {
  return (
    <div className="fin-figure">
      <dt title={defined(statisticFields[name]).help}>
        {defined(statisticFields[name]).label}
        {defined(statisticFields[name]).help && <i aria-hidden="true">ⓘ</i>}
      </dt>
      <dd>
        {to ? (
          <Link to={to} aria-label={`${defined(statisticFields[name]).label}的明细`}>
            {words}
          </Link>
        ) : (
          words
        )}
      </dd>
      {note && <small>{note}</small>}
    </div>
  )
}

function HomeFigures({ of: s }: { readonly of: ChargeStatistic }) {
  const asked = { monthFrom: s.month, monthTo: s.month, inRate: true }
  const toSummary = useDrilldown(summaryDrilldown)('', { asked, by: '' })
  const month = useDrilldown(selectMonthDrilldown)
  const till = useDrilldown(tillsDrilldown)
  const owed = useDrilldown(unpaidDrilldown)
  const wait = useDrilldown(unpaidByAgeDrilldown)('', { asked: {}, by: '' })
  const at = (k: string): string | undefined => month(k, { asked, by: 'item' }) ?? toSummary
  const days = (from: string, to: string): string | undefined =>
    till('', { asked: { dayFrom: from, dayTo: to }, by: 'day' })
  const first = `${s.month}-01`
  const day = today()
  const oneTill = (label: string, t: ChargeStatistic['today'], to: string | undefined) => (
    <tr>
      <th>{label}</th>
      {(['received', 'refunded', 'net', 'cash'] as const).map(k => (
        <td key={k}>
          {to ? (
            <Link to={to} className="figure">
              {displayYuan(t[k])}
            </Link>
          ) : (
            <span className="figure">{displayYuan(t[k])}</span>
          )}
        </td>
      ))}
    </tr>
  )
  return (
    <>
      <section aria-label="收缴率">
        <h2>{s.month} 收缴</h2>
        <dl className="fin-rates">
          <Figure
            name="currentRate"
            words={s.currentRate ?? emptyPlaceholder}
            to={toSummary}
            note={`${displayYuan(s.paid)} ÷ ${displayYuan(s.due)}`}
          />
          <Figure
            name="clearRate"
            words={s.clearRate ?? emptyPlaceholder}
            to={toSummary}
            note={`${displayYuan(s.recovered)} ÷ ${displayYuan(s.opening)}`}
          />
          <Figure
            name="overallRate"
            words={s.overallRate ?? emptyPlaceholder}
            to={toSummary}
            note={`${displayYuan(s.paid + s.recovered)} ÷ ${displayYuan(s.due + s.opening)}`}
          />
          <Figure
            name="householdRate"
            words={s.householdRate ?? emptyPlaceholder}
            to={at('billed')}
            note={`${s.clear} ÷ ${s.households} 户`}
          />
        </dl>
        <dl className="fin-figures">
          <Figure name="due" words={displayYuan(s.due)} to={at('due')} />
          <Figure name="paid" words={displayYuan(s.paid)} to={at('paid')} />
          <Figure name="opening" words={displayYuan(s.opening)} to={at('old')} />
          <Figure name="recovered" words={displayYuan(s.recovered)} to={at('recovered')} />
          <Figure name="prepaid" words={displayYuan(s.prepaid)} to={at('prepaid')} />
          <Figure name="cash" words={displayYuan(s.cash)} to={days(first, s.asOf)} />
          <Figure name="other" words={displayYuan(s.other)} to={days(first, s.asOf)} />
          <Figure name="closing" words={displayYuan(s.closing)} to={at('closing')} />
        </dl>
      </section>
      <section aria-label="收款">
        <h2>收款</h2>
        <table className="fin-tills">
          <thead>
            <tr>
              <th />
              <th>收款</th>
              <th>退款</th>
              <th>净额</th>
              <th>到账</th>
            </tr>
          </thead>
          <tbody>
            {oneTill('今天', s.today, days(day, day))}
            {oneTill(s.month === day.slice(0, 7) ? '本月' : s.month, s.tills, days(first, s.asOf))}
          </tbody>
        </table>
      </section>
      <section aria-label="近 12 个月收款">
        <h2>
          近 12 个月净收 <small>万元</small>
        </h2>
        <MonthTrend of={s.trend} />
      </section>
      <section aria-label="每天收款">
        <h2>
          每天净收 <small>元</small>
        </h2>
        <Bars
          rows={s.days.map(d => ({
            key: d.day,
            label: d.day.slice(8),
            value: d.net,
            to: days(d.day, d.day),
          }))}
          empty={`${s.month} 还没有收款`}
        />
      </section>
      <section aria-label="账龄">
        <h2>
          待收账龄 <small>未收本金，元</small>
          {wait && <Link to={`${wait}&report=waiting`}>看明细</Link>}
        </h2>
        <AgeBars
          rows={s.ages.map(a => {
            const i = ageOrder.indexOf(a.age)
            return {
              key: a.age,
              label: labelOf(billAge, a.age) ?? '',
              age: i,
              value: a.sum,
              count: a.count,
              to: owed('', { asked: toAgeFilter(i), by: '' }),
            }
          })}
        />
      </section>
    </>
  )
}

/** 财务首页: the day's and the month's figures, each with its way down (STAT-4…8, STAT-14). */
export default function FinanceHome() {
  const at = useLocation()
  const navigate = useNavigate()
  const project = useProject()
  const now = monthOf(today())
  const said = new URLSearchParams(at.search).get('month') ?? ''
  const month = isMonth(said) && said <= now ? said : now
  const q = useCall(
    getChargeStatistic,
    { month, ...(project ? { projectCode: project } : {}) },
    { quiet: true, keepPrevious: true, refetchMs: 180_000 },
  )
  const s = q.data
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
          maxDate={dayjs(`${now}-28`)}
          onChange={d => d && void navigate(`${homePath}?month=${monthOfPicker(d)}`, { replace: true })}
        />
        {s && <small>数据截至 {relativeText(s.builtTime)}</small>}
      </header>
      {q.isError && !s ? (
        <ErrorState error={q.error} onRetry={() => void q.refetch()} />
      ) : s ? (
        <HomeFigures of={s} />
      ) : (
        <div style={{ position: 'relative', height: 320 }}>
          <RowSkeleton rows={6} />
        </div>
      )}
    </div>
  )
}
