import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import { monthOf, monthsBetween, shiftMonth, type Month } from '#kit/domain/month.ts'
import { sql } from '#kit/server/db.ts'
import { live, code } from '#kit/server/sql.ts'
import { meterKind, readingSource, readingState } from '#modules/meters/contract/choices.ts'
import { countedOnceCondition, wasDueCondition, selectMetersByMonth } from '#modules/meters/server/public.ts'
import { meterKinds } from '../contract/meter.ts'
import { formatPercent } from '../domain/rate.ts'
import {
  buildingDimension,
  createCalendarDimension,
  choiceLabelSql,
  projectDimension,
  type ReportQuery,
  type ReportSource,
  type Sql,
} from './report.ts'
import { sumOf } from './room.ts'
import { billState } from '#modules/bills/contract/choices.ts'

const stateCode = (of: typeof readingState, k: keyof typeof readingState.rows): Sql =>
  sql.raw(String(codeOf(of, k)))

const usageFigures = (kind: Sql, usage: Sql, once: Sql): Readonly<Record<string, Sql>> =>
  Object.fromEntries(
    meterKinds.map(k => [
      k,
      sql`coalesce(
        sum(${usage}) filter (where ${kind} = ${sql.raw(String(codeOf(meterKind, k)))} and ${once}), 0
      )`,
    ]),
  )

const kindDimension = { key: sql`t.meter_kind`, name: choiceLabelSql(meterKind, sql`t.meter_kind`) }

/** A reading's bills: the one it was billed with, or the parts that was split into. */
const billedJoin = sql`left join lateral (
  select sum(b.receivable) as receivable, sum(b.paid_principal) as paid, sum(b.unpaid) as unpaid
  from bill b
  where b.owner_id = t.owner_id
    and b.ref_type = 'reading'
    and b.ref_id = t.id
    and b.state = ${code(billState, 'normal')}
    and ${live('b')}
) b on t.state = ${stateCode(readingState, 'billed')}`

export const meterSource: ReportSource = {
  from: () =>
    sql`from meter_reading t join meter w on w.owner_id = t.owner_id and w.id = t.meter_id ${billedJoin}`,
  where: () => [sql`t.state <> ${stateCode(readingState, 'abolished')}`],
  by: {
    kind: kindDimension,
    build: buildingDimension,
    source: {
      key: sql`t.project_code || '/' || w.source_type || '/' || w.source_code`,
      name: sql`max(w.source_name)`,
    },
    month: createCalendarDimension(sql`t.month`),
    day: createCalendarDimension(sql`t.read_date::text`),
    way: { key: sql`t.source`, name: choiceLabelSql(readingSource, sql`t.source`) },
    project: projectDimension,
  },
  figures: {
    count: sql`count(*)`,
    estimated: sql`count(*) filter (where t.is_estimate)`,
    doubtful: sql`count(*) filter (
      where t.state = ${stateCode(readingState, 'open')} and t.anomalies is not null and not t.confirmed
    )`,
    ...usageFigures(sql`t.meter_kind`, sql`t.usage`, countedOnceCondition('w')),
    receivable: sumOf('b.receivable'),
    paid: sumOf('b.paid'),
    unpaid: sumOf('b.unpaid'),
  },
}

const maxMonths = 36

/** The months that were asked for; this one where nothing was said. */
export function resolveMonths(q: ReportQuery, today: Day): readonly [Month, Month] {
  const now = monthOf(today)
  const said = q.monthFrom as Month | undefined
  const to = (q.monthTo as Month | undefined) ?? (said && said > now ? said : now)
  const from = said ?? to
  if (from > to) throw invalidInput([{ Field: 'MonthTo', Message: '月份止不能早于月份起' }])
  if (monthsBetween(from, to) >= maxMonths)
    throw invalidInput([
      {
        Field: 'MonthFrom',
        Message: `一次最多统计 ${maxMonths} 个月，请把起始月份改到 ${shiftMonth(to, 1 - maxMonths)} 或以后`,
      },
    ])
  return [from, to]
}

// A meter that was read twice in a month is one meter of that month.
const countMeterMonths = (where: Sql): Sql => sql`count(distinct (t.id, m.month)) filter (where ${where})`

export const meterMonthSource: ReportSource = {
  from: (q, { scope, today }) => sql`from ${selectMetersByMonth(scope.ownerId, ...resolveMonths(q, today))}`,
  where: () => [wasDueCondition],
  by: {
    month: createCalendarDimension(sql`m.month`),
    build: buildingDimension,
    kind: kindDimension,
    project: projectDimension,
  },
  figures: {
    due: sql`count(distinct (t.id, m.month))`,
    read: countMeterMonths(sql`r.id is not null`),
    left: countMeterMonths(sql`r.id is null`),
    estimated: countMeterMonths(sql`r.is_estimate`),
    doubtful: countMeterMonths(
      sql`r.state = ${stateCode(readingState, 'open')} and r.anomalies is not null and not r.confirmed`,
    ),
    billed: countMeterMonths(sql`r.state = ${stateCode(readingState, 'billed')}`),
    ...usageFigures(sql`t.meter_kind`, sql`r.usage`, countedOnceCondition('t')),
  },
  derive: f => {
    const rate = formatPercent(defined(f.read), defined(f.due))
    return rate === undefined ? {} : { rate }
  },
}
