import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import { monthOf, monthsBetween, shiftMonth, type Month } from '#kit/domain/month.ts'
import { sql } from '#kit/server/db.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { meterKind, readingSource, readingState } from '#modules/meters/contract/choices.ts'
import { countedOnceCondition, wasDueCondition, selectMetersByMonth } from '#modules/meters/server/public.ts'
import { meterKinds } from '../contract/meter.ts'
import type { ReportQuery } from '../contract/report.ts'
import { formatPercent } from '#kit/domain/percent.ts'
import {
  buildingDimension,
  createDayDimension,
  createMonthDimension,
  choiceLabelSql,
  projectDimension,
  sumOf,
  monthFilter,
  type FigureSql,
  type ReportSource,
  type Sql,
} from './report-source.ts'
import { billState } from '#modules/bills/contract/choices.ts'

/** `isCounted`: a main meter's usage is that of its parts. */
const usageFigures = (kind: Sql, usage: Sql, isCounted: Sql): FigureSql =>
  Object.fromEntries(
    meterKinds.map(key => [
      key,
      sql`coalesce(sum(${usage}) filter (where ${kind} = ${code(meterKind, key)} and ${isCounted}), 0)`,
    ]),
  )

const kindDimension = { key: sql`t.meter_kind`, name: choiceLabelSql(meterKind, sql`t.meter_kind`) }

/** A reading's bills: the one it was billed with, or the parts into which that was split. */
const billedJoin = (ownerId: Id): Sql => sql`left join lateral (
  select sum(b.receivable) as receivable, sum(b.paid_principal) as paid, sum(b.unpaid) as unpaid
  from bill b
  where b.owner_id = ${ownerId}
    and b.ref_type = 'reading'
    and b.ref_id = t.id
    and b.state = ${code(billState, 'normal')}
    and ${notDeleted('b')}
) b on t.state = ${code(readingState, 'billed')}`

export const meterSource: ReportSource = {
  from: (_, { scope }) =>
    sql`from meter_reading t
      join meter w on w.owner_id = ${scope.ownerId} and w.id = t.meter_id
      ${billedJoin(scope.ownerId)}`,
  where: () => [sql`t.state <> ${code(readingState, 'abolished')}`],
  dimensions: {
    kind: kindDimension,
    build: buildingDimension,
    source: {
      key: sql`t.project_code || '/' || w.source_type || '/' || w.source_code`,
      name: sql`max(w.source_name)`,
    },
    month: createMonthDimension(sql`t.month`),
    day: createDayDimension(sql`t.read_date::text`),
    way: { key: sql`t.source`, name: choiceLabelSql(readingSource, sql`t.source`) },
    project: projectDimension,
  },
  figures: (_, { scope }) => ({
    count: sql`count(*)`,
    estimated: sql`count(*) filter (where t.is_estimate)`,
    doubtful: sql`count(*) filter (
      where t.state = ${code(readingState, 'open')} and t.anomalies is not null and not t.confirmed
    )`,
    ...usageFigures(sql`t.meter_kind`, sql`t.usage`, countedOnceCondition(scope.ownerId, 'w')),
    receivable: sumOf('b.receivable'),
    paid: sumOf('b.paid'),
    unpaid: sumOf('b.unpaid'),
  }),
}

const maxMonths = 36

/** The months of a query; this one where it names none. */
export function resolveMonths(query: ReportQuery, today: Day): readonly [Month, Month] {
  const thisMonth = monthOf(today)
  const requestedFrom = monthFilter(query, 'monthFrom')
  const to =
    monthFilter(query, 'monthTo') ?? (requestedFrom && requestedFrom > thisMonth ? requestedFrom : thisMonth)
  const from = requestedFrom ?? to
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
const countMeterMonths = (condition: Sql): Sql =>
  sql`count(distinct (t.id, m.month)) filter (where ${condition})`

export const meterMonthSource: ReportSource = {
  from: (query, { scope, today }) =>
    sql`from ${selectMetersByMonth(scope.ownerId, ...resolveMonths(query, today))}`,
  where: () => [wasDueCondition],
  dimensions: {
    month: createMonthDimension(sql`m.month`),
    build: buildingDimension,
    kind: kindDimension,
    project: projectDimension,
  },
  figures: (_, { scope }) => ({
    due: sql`count(distinct (t.id, m.month))`,
    read: countMeterMonths(sql`r.id is not null`),
    left: countMeterMonths(sql`r.id is null`),
    estimated: countMeterMonths(sql`r.is_estimate`),
    doubtful: countMeterMonths(
      sql`r.state = ${code(readingState, 'open')} and r.anomalies is not null and not r.confirmed`,
    ),
    billed: countMeterMonths(sql`r.state = ${code(readingState, 'billed')}`),
    ...usageFigures(sql`t.meter_kind`, sql`r.usage`, countedOnceCondition(scope.ownerId, 't')),
  }),
  derive: figures => {
    const rate = formatPercent(defined(figures.read), defined(figures.due))
    return rate === undefined ? {} : { rate }
  },
}
