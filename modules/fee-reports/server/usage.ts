import { codeOf } from '#kit/contract/field.ts'
import { wrong } from '#kit/contract/wire.ts'
import { monthOf, monthsBetween, shiftMonth, type Month } from '#kit/domain/month.ts'
import { sql } from '#kit/server/db.ts'
import { meterKind, readingSource, readingState } from '#modules/meters/contract/choices.ts'
import { countedOnce, dueThen, metersByMonth } from '#modules/meters/server/public.ts'
import { kinds } from '../contract/usage.ts'
import { percent } from '../domain/rate.ts'
import { build, calendar, named, project, type Asked, type Source, type Sql } from './report.ts'
import { sum } from './rooms.ts'

const code = (of: typeof readingState, k: keyof typeof readingState.rows): Sql =>
  sql.raw(String(codeOf(of, k)))

const used = (kind: Sql, usage: Sql, once: Sql): Readonly<Record<string, Sql>> =>
  Object.fromEntries(
    kinds.map(k => [
      k,
      sql`coalesce(
        sum(${usage}) filter (where ${kind} = ${sql.raw(String(codeOf(meterKind, k)))} and ${once}), 0
      )`,
    ]),
  )

const kind = { key: sql`t.meter_kind`, name: named(meterKind, sql`t.meter_kind`) }

/** A reading's bills: the one it was billed with, or the parts that was split into. */
const billed = sql`left join lateral (
  select sum(b.receivable) as receivable, sum(b.paid_principal) as paid, sum(b.unpaid) as unpaid
  from bill b
  where b.owner_id = t.owner_id
    and b.ref_type = 'reading'
    and b.ref_id = t.id
    and b.state = 20
    and b.delete_tag = 0
) b on t.state = ${code(readingState, 'billed')}`

export const meterSource: Source = {
  from: () =>
    sql`from meter_reading t join meter w on w.owner_id = t.owner_id and w.id = t.meter_id ${billed}`,
  where: () => [sql`t.state <> ${code(readingState, 'abolished')}`],
  by: {
    kind,
    build,
    source: {
      key: sql`t.project_code || '/' || w.source_type || '/' || w.source_code`,
      name: sql`max(w.source_name)`,
    },
    month: calendar(sql`t.month`),
    day: calendar(sql`t.read_date::text`),
    way: { key: sql`t.source`, name: named(readingSource, sql`t.source`) },
    project,
  },
  figures: {
    count: sql`count(*)`,
    estimated: sql`count(*) filter (where t.is_estimate)`,
    doubtful: sql`count(*) filter (
      where t.state = ${code(readingState, 'open')} and t.anomalies is not null and not t.confirmed
    )`,
    ...used(sql`t.meter_kind`, sql`t.usage`, countedOnce('w')),
    receivable: sum('b.receivable'),
    paid: sum('b.paid'),
    unpaid: sum('b.unpaid'),
  },
}

const most = 36

/** The months that were asked for; this one where nothing was said. */
export function span(q: Asked, today: string): readonly [Month, Month] {
  const now = monthOf(today)
  const said = q.monthFrom as Month | undefined
  const to = (q.monthTo as Month | undefined) ?? (said && said > now ? said : now)
  const from = said ?? to
  if (from > to) throw wrong([{ Field: 'MonthTo', Message: '月份止不能早于月份起' }])
  if (monthsBetween(from, to) >= most)
    throw wrong([
      {
        Field: 'MonthFrom',
        Message: `一次最多统计 ${most} 个月，请把起始月份改到 ${shiftMonth(to, 1 - most)} 或以后`,
      },
    ])
  return [from, to]
}

// A meter that was read twice in a month is one meter of that month.
const times = (where: Sql): Sql => sql`count(distinct (t.id, m.month)) filter (where ${where})`

export const meterMonthSource: Source = {
  from: (q, { scope, today }) => sql`from ${metersByMonth(scope.ownerId, ...span(q, today))}`,
  where: () => [dueThen],
  by: { month: calendar(sql`m.month`), build, kind, project },
  figures: {
    due: sql`count(distinct (t.id, m.month))`,
    read: times(sql`r.id is not null`),
    left: times(sql`r.id is null`),
    estimated: times(sql`r.is_estimate`),
    doubtful: times(
      sql`r.state = ${code(readingState, 'open')} and r.anomalies is not null and not r.confirmed`,
    ),
    billed: times(sql`r.state = ${code(readingState, 'billed')}`),
    ...used(sql`t.meter_kind`, sql`r.usage`, countedOnce('t')),
  },
  derive: f => {
    const rate = percent(f.read!, f.due!)
    return rate === undefined ? {} : { rate }
  },
}
