import { addDays, daysBetween, type Day } from '#kit/domain/day.ts'
import type { Fen } from '#kit/domain/money.ts'
import { refuseField } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { requireProject, type Scope } from '#kit/server/scope.ts'
import { code, codes } from '#kit/server/sql.ts'
import { tenantFilter } from '#kit/server/table.ts'
import { exitKind, stayState } from '../contract/choices.ts'
import { getInOutStatistics, getStayStatistics, maxStatisticsDays } from '../contract/statistics.ts'
import { parkingStay } from '../contract/stay.ts'
import { dayFigures, hourFigures, kindFigures, type CountedPasses } from '../domain/in-out-figures.ts'

type Input = NonNullable<typeof getStayStatistics.input.T>

const defaultDays = 7

interface Period {
  readonly from: Day
  readonly to: Day
}

function periodOf({ dayFrom, dayTo }: Input, today: Day): Period {
  const to = dayTo ?? today
  const from = dayFrom ?? addDays(to, 1 - defaultDays)
  if (from > to) return refuseField('EndDate', '截止日期不能早于开始日期')
  return daysBetween(from, to) >= maxStatisticsDays
    ? refuseField('EndDate', `一次最多统计 ${maxStatisticsDays} 天，请缩短时间`)
    : { from, to }
}

const startOf = (day: Day) => sql`${`${day} 00:00:00+08`}::timestamptz`
const within = (column: ReturnType<typeof sql>, { from, to }: Period) => sql`
  ${column} >= ${startOf(from)} and ${column} < ${startOf(addDays(to, 1))}
`

const scopeOf = (scope: Scope, { projectCode, parkId }: Input) => sql`
  ${tenantFilter(parkingStay, scope, projectCode)} and t.state <> ${code(stayState, 'merged')}
  ${parkId === undefined ? sql`` : sql`and t.park_id = ${parkId}`}
`

interface Totals {
  readonly inCount: number
  readonly outCount: number
  readonly freeCount: number
  readonly abnormalCount: number
  readonly insideCount: number
  readonly shouldPay: Fen
  readonly discount: Fen
  readonly paid: Fen
}

/** One row of one reading: those of the time, and those that are inside now. */
const totalsOf = (db: Db, scope: Scope, input: Input, period: Period): Promise<Totals | undefined> => {
  const isOut = within(sql`t.out_time`, period)
  const isIn = within(sql`t.in_time`, period)
  const isInside = sql`t.state in ${codes(stayState, 'inside', 'paid')}`
  return db.one<Totals>(sql`
    select count(*) filter (where ${isIn})::integer as in_count,
      count(*) filter (where ${isOut})::integer as out_count,
      count(*) filter (where ${isOut} and t.exit_kind = ${code(exitKind, 'free')})::integer as free_count,
      count(*) filter (where ${within(sql`t.pass_time`, period)}
        and t.state = ${code(stayState, 'abnormal')})::integer as abnormal_count,
      count(*) filter (where ${isInside})::integer as inside_count,
      (coalesce(sum(t.should_pay) filter (where ${isOut}), 0) * 100)::bigint as should_pay,
      (coalesce(sum(t.discount) filter (where ${isOut}), 0) * 100)::bigint as discount,
      (coalesce(sum(t.paid) filter (where ${isOut}), 0) * 100)::bigint as paid
    from parking_stay t
    where ${scopeOf(scope, input)} and (${isIn} or ${isOut} or ${within(sql`t.pass_time`, period)} or ${isInside})
  `)
}

type CountedRow = CountedPasses & { readonly dimension: 'day' | 'hour' | 'kind' }

const countPasses = (db: Db, scope: Scope, input: Input, period: Period): Promise<CountedRow[]> =>
  db.rows(sql`
    with passed as (
      select t.in_time as at, true as is_entry, t.car_kind
      from parking_stay t
      where ${scopeOf(scope, input)} and ${within(sql`t.in_time`, period)}
      union all
      select t.out_time, false, t.car_kind
      from parking_stay t
      where ${scopeOf(scope, input)} and ${within(sql`t.out_time`, period)}
    ), by_hour as (
      select date_bin('1 hour', p.at, 'epoch'::timestamptz) as at, p.car_kind, p.is_entry, count(*) as passes
      from passed p
      group by 1, 2, 3
    ), counted as (
      select to_char(h.at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day,
        extract(hour from h.at at time zone 'Asia/Shanghai')::integer::text as hour, h.car_kind::text as kind,
        h.is_entry, h.passes
      from by_hour h
    )
    select (array['day', 'hour', 'kind'])[
        case grouping(day, hour, kind) when 3 then 1 when 5 then 2 else 3 end
      ] as dimension,
      coalesce(day, hour, kind) as value, is_entry, sum(passes)::integer as count
    from counted
    group by is_entry, grouping sets ((day), (hour), (kind))
  `)

function assertProject(scope: Scope, { projectCode }: Input): void {
  if (projectCode) {
    requireProject(scope.domain, projectCode)
  }
}

export const statisticsHandlers = [
  reads(getStayStatistics, async (input, { db, scope, today }) => {
    assertProject(scope, input)
    const period = periodOf(input, today)
    const totals = await totalsOf(db, scope, input, period)
    return {
      dayFrom: period.from,
      dayTo: period.to,
      inCount: totals?.inCount ?? 0,
      outCount: totals?.outCount ?? 0,
      insideCount: totals?.insideCount ?? 0,
      freeCount: totals?.freeCount ?? 0,
      abnormalCount: totals?.abnormalCount ?? 0,
      shouldPay: totals?.shouldPay ?? 0,
      discount: totals?.discount ?? 0,
      paid: totals?.paid ?? 0,
    }
  }),
  reads(getInOutStatistics, async (input, { db, scope, today }) => {
    assertProject(scope, input)
    const period = periodOf(input, today)
    const rows = await countPasses(db, scope, input, period)
    const rowsOf = (dimension: CountedRow['dimension']) => rows.filter(row => row.dimension === dimension)
    return {
      dayFrom: period.from,
      dayTo: period.to,
      days: dayFigures(rowsOf('day'), period.from, period.to),
      hours: hourFigures(rowsOf('hour')),
      kinds: kindFigures(rowsOf('kind')),
    }
  }),
]
