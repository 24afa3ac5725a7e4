import { addMonths, type Day, firstOfMonth } from '#kit/domain/day.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import { monthOf, monthsBetween } from '#kit/domain/month.ts'
import { sql } from '#kit/server/db.ts'
import { live } from '#kit/server/sql.ts'
import { ownerKind } from '#modules/prestore/contract/choices.ts'
import { flowKeys, flowColumns } from '#modules/prestore/server/public.ts'
import {
  buildingDimension,
  createCalendarDimension,
  choiceLabelSql,
  projectDimension,
  type ReportContext,
  type ReportQuery,
  type ReportSource,
  type Sql,
} from './report.ts'
import { sumOf } from './room.ts'

const feeItemConditions = (q: ReportQuery): readonly Sql[] =>
  q.feeItem === undefined ? [] : [sql`t.fee_item_id = ${q.feeItem}`]

/**
 * Movements by account, from the entries alone; only accounts that ever moved. Uses prestore_entry_report.
 */
const selectEntries = (q: ReportQuery, { scope }: ReportContext): Sql =>
  sql`prestore_entry e
    where e.owner_id = ${scope.ownerId}
      and ${live('e')} ${q.projectCode ? sql`and e.project_code = ${q.projectCode}` : sql``} ${q.dayTo ? sql`and e.entry_time < (${q.dayTo}::date + 1)::timestamp at time zone 'Asia/Shanghai'` : sql``}`

const sinceCondition = (q: ReportQuery): Sql =>
  q.dayFrom ? sql`e.entry_time >= ${q.dayFrom}::date::timestamp at time zone 'Asia/Shanghai'` : sql`true`

const movementFigures = {
  open: sumOf('e.open'),
  came: sumOf('e.came'),
  offset: sumOf('e."offset"'),
  refund: sumOf('e.refund'),
  other: sumOf('e.other'),
  close: sumOf('e.open + e.came - e."offset" - e.refund + e.other'),
}

export const prestoreSource: ReportSource = {
  from: (q, c) =>
    sql`from prestore_account t
      join (
        select e.account_id, coalesce(sum(e.amount) filter (where not (${sinceCondition(q)})), 0) as open,
          ${flowColumns('e', sinceCondition(q))}
        from ${selectEntries(q, c)}
        group by 1
      ) e on e.account_id = t.id`,
  where: feeItemConditions,
  figures: movementFigures,
  by: {
    owner: {
      key: sql`t.project_code || '/' || t.owner_kind || '/' || t.owner_code`,
      name: sql`max(t.owner_name)`,
    },
    kind: { key: sql`t.owner_kind`, name: choiceLabelSql(ownerKind, sql`t.owner_kind`) },
    item: {
      key: sql`t.fee_item_id`,
      name: sql`max(case when t.fee_item_id = 0 then '通用' else dim.name end)`,
      join: sql`left join fee_item dim on dim.owner_id = t.owner_id and dim.id = t.fee_item_id`,
    },
    build: buildingDimension,
    project: projectDimension,
  },
}

const maxMonths = 36

/** Days that a row of months may have; the last twelve months where nothing was said. */
export function resolveDays(q: ReportQuery, today: Day): readonly [from: Day, to: Day] {
  const to = (q.dayTo as Day | undefined) ?? today
  const from = (q.dayFrom as Day | undefined) ?? firstOfMonth(addMonths(to, -12))
  if (from > to) throw invalidInput([{ Field: 'DayTo', Message: '日期止不能早于日期起' }])
  if (monthsBetween(monthOf(from), monthOf(to)) >= maxMonths)
    throw invalidInput([{ Field: 'DayFrom', Message: `逐月汇总一次最多 ${maxMonths} 个月，请缩短日期范围` }])
  return [from, to]
}

/**
 * Months of accounts: what moved in one, opened by all that moved before it. A month without a movement
 * stands there too.
 */
const selectMonthlyAccounts = (q: ReportQuery, c: ReportContext): Sql => {
  const [dayFrom, dayTo] = resolveDays(q, c.today)
  const asked = { ...q, dayFrom, dayTo }
  return sql`from prestore_account t
    join (
      select m.month, x.account_id, coalesce(sum(x.moved) filter (where x.month < m.month), 0) as open,
        ${sql.join(
          flowKeys.map(
            k => sql`coalesce(
    sum(x.${sql.id(k)}) filter (where x.month = m.month), 0
  ) as ${sql.id(k)}`,
          ),
        )}
      from (
        select to_char(d, 'YYYY-MM') as month
        from generate_series(date_trunc('month', ${dayFrom}::date), ${dayTo}::date, interval '1 month') d
      ) m
      join (
        select e.account_id,
          case
            when ${sinceCondition(asked)} then to_char(e.entry_time at time zone 'Asia/Shanghai', 'YYYY-MM')
            else ''
            end as month,
          sum(e.amount) as moved, ${flowColumns('e', sinceCondition(asked))}
        from ${selectEntries(asked, c)}
        group by 1, 2
      ) x on x.month <= m.month
      group by 1, 2
    ) e on e.account_id = t.id`
}

export const prestoreMonthSource: ReportSource = {
  from: selectMonthlyAccounts,
  where: feeItemConditions,
  figures: movementFigures,
  by: { month: createCalendarDimension(sql`e.month`) },
}
