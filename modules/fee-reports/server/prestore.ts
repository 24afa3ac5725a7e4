import { asDay, type Day } from '#kit/domain/day.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import { monthOf, monthsBetween } from '#kit/domain/month.ts'
import { sql } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import type { ReportQuery } from '../contract/report.ts'
import { ownerKind } from '#modules/prestore/contract/choices.ts'
import { flowKeys, flowColumns } from '#modules/prestore/server/public.ts'
import {
  buildingDimension,
  createMonthDimension,
  choiceLabelSql,
  projectDimension,
  sumOf,
  dayFilter,
  type ReportContext,
  type ReportSource,
  type Sql,
} from './report-source.ts'

const feeItemConditions = (query: ReportQuery): readonly Sql[] =>
  query.feeItem === undefined ? [] : [sql`t.fee_item_id = ${query.feeItem}`]

/** Movements by account, from the entries alone; only accounts with any. Uses prestore_entry_report. */
const selectEntries = (query: ReportQuery, { scope }: ReportContext): Sql =>
  sql`prestore_entry e
    where e.owner_id = ${scope.ownerId}
      and ${notDeleted('e')}
      ${query.projectCode ? sql`and e.project_code = ${query.projectCode}` : sql``}
      ${query.dayTo ? sql`and e.entry_time < (${query.dayTo}::date + 1)::timestamp at time zone 'Asia/Shanghai'` : sql``}`

const sinceCondition = (query: ReportQuery): Sql =>
  query.dayFrom
    ? sql`e.entry_time >= ${query.dayFrom}::date::timestamp at time zone 'Asia/Shanghai'`
    : sql`true`

const movementFigures = {
  open: sumOf('e.open'),
  came: sumOf('e.came'),
  offset: sumOf('e."offset"'),
  refund: sumOf('e.refund'),
  other: sumOf('e.other'),
  close: sumOf('e.open + e.came - e."offset" - e.refund + e.other'),
}

export const prestoreSource: ReportSource = {
  from: (query, context) =>
    sql`from prestore_account t
      join (
        select e.account_id, coalesce(sum(e.amount) filter (where not (${sinceCondition(query)})), 0) as open,
          ${flowColumns('e', sinceCondition(query))}
        from ${selectEntries(query, context)}
        group by 1
      ) e on e.account_id = t.id`,
  where: feeItemConditions,
  figures: movementFigures,
  dimensions: {
    owner: {
      key: sql`t.project_code || '/' || t.owner_kind || '/' || t.owner_code`,
      name: sql`max(t.owner_name)`,
    },
    kind: { key: sql`t.owner_kind`, name: choiceLabelSql(ownerKind, sql`t.owner_kind`) },
    item: {
      key: sql`t.fee_item_id`,
      name: sql`max(case when t.fee_item_id = 0 then '通用' else dim.name end)`,
      join: owner => sql`left join fee_item dim on dim.owner_id = ${owner} and dim.id = t.fee_item_id`,
    },
    build: buildingDimension,
    project: projectDimension,
  },
}

const maxMonths = 36

/** The days of a query; the last twelve months where it names none. */
export function resolveDays(query: ReportQuery, today: Day): readonly [from: Day, to: Day] {
  const to = dayFilter(query, 'dayTo') ?? today
  const from = dayFilter(query, 'dayFrom') ?? asDay(`${Number(to.slice(0, 4)) - 1}${to.slice(4, 7)}-01`)
  if (from > to) throw invalidInput([{ Field: 'DayTo', Message: '日期止不能早于日期起' }])
  if (monthsBetween(monthOf(from), monthOf(to)) >= maxMonths)
    throw invalidInput([{ Field: 'DayFrom', Message: `逐月汇总一次最多 ${maxMonths} 个月，请缩短日期范围` }])
  return [from, to]
}

/**
 * Months of accounts: what moved in one, opened by all that moved before it; months without movements too.
 */
const selectMonthlyAccounts = (query: ReportQuery, context: ReportContext): Sql => {
  const [dayFrom, dayTo] = resolveDays(query, context.today)
  const ranged = { ...query, dayFrom, dayTo }
  return sql`from prestore_account t
    join (
      select m.month, x.account_id, coalesce(sum(x.moved) filter (where x.month < m.month), 0) as open,
        ${sql.join(
          flowKeys.map(
            key => sql`coalesce(sum(x.${sql.id(key)}) filter (where x.month = m.month), 0) as ${sql.id(key)}`,
          ),
        )}
      from (
        select to_char(d, 'YYYY-MM') as month
        from generate_series(date_trunc('month', ${dayFrom}::date), ${dayTo}::date, interval '1 month') d
      ) m
      join (
        select e.account_id,
          case
            when ${sinceCondition(ranged)} then to_char(e.entry_time at time zone 'Asia/Shanghai', 'YYYY-MM')
            else ''
            end as month,
          sum(e.amount) as moved, ${flowColumns('e', sinceCondition(ranged))}
        from ${selectEntries(ranged, context)}
        group by 1, 2
      ) x on x.month <= m.month
      group by 1, 2
    ) e on e.account_id = t.id`
}

export const prestoreMonthSource: ReportSource = {
  from: selectMonthlyAccounts,
  where: feeItemConditions,
  figures: movementFigures,
  dimensions: { month: createMonthDimension(sql`e.month`) },
}
