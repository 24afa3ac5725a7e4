import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { columnOf } from '#kit/contract/entity.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { monthOf, monthsBetween, monthsFrom, type Month } from '#kit/domain/month.ts'
import { sql } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { summaryFigure } from '../contract/month.ts'
import type { ReportQuery } from '../contract/report.ts'
import { computeRates } from '../domain/rate.ts'
import { isNotCarriedOver, monthColumns, selectMonthRows } from './month-rows.ts'
import {
  buildingDimension,
  createMonthDimension,
  listFilter,
  projectDimension,
  sumOf,
  monthFilter,
  type Figures,
  type FigureSql,
  type ReportContext,
  type ReportSource,
  type Sql,
} from './report-source.ts'

const maxMonths = 12

/** The months of a query; this month where it names none. */
export function resolveMonths(query: ReportQuery, today: Day): readonly Month[] {
  const thisMonth = monthOf(today)
  const to = monthFilter(query, 'monthTo') ?? monthFilter(query, 'monthFrom') ?? thisMonth
  const from = monthFilter(query, 'monthFrom') ?? to
  if (from > to) throw invalidInput([{ Field: 'MonthTo', Message: '止月不能早于起月' }])
  if (to > thisMonth) throw invalidInput([{ Field: 'MonthTo', Message: `只能看到本月（${thisMonth}）为止` }])
  if (monthsBetween(from, to) >= maxMonths)
    throw invalidInput([{ Field: 'MonthFrom', Message: `一次最多看 ${maxMonths} 个月` }])
  return monthsFrom(from, to)
}

/** Bills `b` of the query whose project has not carried `month` over. */
function billConditions(query: ReportQuery, ownerId: Id, month: Month): Sql {
  const filter = (column: string, values: readonly string[]): readonly Sql[] =>
    query.by === 'bill' && values.length ? [sql`${sql.ref(column)} = any(${values})`] : []
  return sql.join(
    [
      isNotCarriedOver(ownerId, month),
      ...(query.projectCode ? [sql`b.project_code = ${query.projectCode}`] : []),
      ...filter('b.fee_item_id', listFilter(query, 'feeItemId')),
      ...filter('b.build_code', listFilter(query, 'buildCode')),
    ],
    sql` and `,
  )
}

/** Months that were carried over as they were; the others from the bills as they are now. */
const selectRows = (query: ReportQuery, { scope, today }: ReportContext): Sql => {
  const ownerId = scope.ownerId
  const months = resolveMonths(query, today)
  const byBill = query.by === 'bill'
  return sql`from (
    select ${monthColumns}, null::bigint as bill_id, 0 as delete_tag
    from fee_month
    where owner_id = ${ownerId}
      and kept
      and ${notDeleted()}
      and month = any(${months}) ${sql.join(
        months.map(
          month => sql`union all
            select ${monthColumns}, bill_id, 0
            from (${selectMonthRows(ownerId, month, today, billConditions(query, ownerId, month), byBill)}) s`,
        ),
        sql` `,
      )}
  ) t`
}

/**
 * The bills that have a part in one of the figures named by `nonZeroFigures`: what is at an edge of
 * several months, in the month of that edge.
 */
function holdingCondition(query: ReportQuery, months: readonly Month[]): readonly Sql[] {
  const holding = listFilter(query, 'nonZeroFigures')
  if (!holding.length) return []
  const edgeMonths: Readonly<Record<string, Month>> = {
    opening: defined(months[0]),
    closing: defined(months.at(-1)),
  }
  const conditions = Object.keys(summaryFigure.rows)
    .filter(key => holding.includes(key))
    .map(key => {
      const isHeld = sql`${sql.raw(`t.${columnOf(key)}`)} <> 0`
      return edgeMonths[key] ? sql`${isHeld} and t.month = ${edgeMonths[key]}` : isHeld
    })
  return [sql`(${sql.join(conditions, sql` or `)})`]
}

/** `isChain`: over several months what the first opens with and the last closes with. */
function figureSums(months: readonly Month[], isChain: boolean): FigureSql {
  const edge = (column: string, month: Month): Sql =>
    isChain
      ? sql`coalesce(sum(t.${sql.raw(column)}) filter (where t.month = ${month}), 0)`
      : sumOf(`t.${column}`)
  return {
    opening: edge('opening', defined(months[0])),
    adjusted: sumOf('t.adjusted'),
    billed: sumOf('t.billed'),
    discount: sumOf('t.discount'),
    paidBefore: sumOf('t.paid_before'),
    received: sumOf('t.received'),
    recovered: sumOf('t.recovered'),
    writtenOff: sumOf('t.written_off'),
    closing: edge('closing', defined(months.at(-1))),
    prepaid: sumOf('t.prepaid'),
  }
}

const rateKeys = [
  'opening',
  'adjusted',
  'billed',
  'discount',
  'paidBefore',
  'received',
  'paidAfter',
  'recovered',
] as const

const rateKeyOf = (key: string): string => `rate${key.charAt(0).toUpperCase()}${key.slice(1)}`

/** STAT-8: what rates are made of, without the items that count in none. */
function rateSums(query: ReportQuery, { scope, today }: ReportContext, isChain: boolean): FigureSql {
  const first = defined(resolveMonths(query, today)[0])
  const inRate = sql`t.fee_item_id in (
    select r.id from fee_item r where r.owner_id = ${scope.ownerId} and r.in_rate
  )`
  return Object.fromEntries(
    rateKeys.map(key => {
      const month = isChain && key === 'opening' ? sql`and t.month = ${first}` : sql``
      const column = sql.ref(`t.${columnOf(key)}`)
      return [rateKeyOf(key), sql`coalesce(sum(${column}) filter (where ${inRate} ${month}), 0)`] as const
    }),
  )
}

function deriveRates(figures: Figures): Readonly<Record<string, string>> {
  const figure = (key: string): Fen => asFen(defined(figures[rateKeyOf(key)]))
  const { currentRate, clearRate } = computeRates({
    opening: figure('opening'),
    adjusted: figure('adjusted'),
    billed: figure('billed'),
    discount: figure('discount'),
    paidBefore: figure('paidBefore'),
    received: figure('received'),
    recovered: figure('recovered'),
    paidAfter: figure('paidAfter'),
  })
  return {
    ...(currentRate === undefined ? {} : { currentRate }),
    ...(clearRate === undefined ? {} : { clearRate }),
  }
}

const baseSource: Omit<ReportSource, 'figures' | 'derive'> = {
  from: selectRows,
  where: (query, { scope, today }) => [
    ...holdingCondition(query, resolveMonths(query, today)),
    ...(query.inRate === undefined
      ? []
      : [
          sql`t.fee_item_id in (
            select i.id
            from fee_item i
            where i.owner_id = ${scope.ownerId} and i.in_rate = ${query.inRate}
          )`,
        ]),
  ],
  dimensions: {
    bill: {
      key: sql`t.bill_id`,
      name: sql`max(dim.source_name || ' ' || dim.fee_item_name || ' ' || dim.bill_no)`,
      join: ownerId => sql`left join bill dim on dim.owner_id = ${ownerId} and dim.id = t.bill_id`,
    },
    item: {
      key: sql`t.fee_item_id`,
      name: sql`max(dim.name)`,
      join: ownerId => sql`left join fee_item dim on dim.owner_id = ${ownerId} and dim.id = t.fee_item_id`,
    },
    build: buildingDimension,
    project: projectDimension,
    month: createMonthDimension(sql`t.month`),
  },
}

// A rate is of one month: what was owed at the start of several is not what was recovered in them; nor is it
// of the bills behind one figure.
export const monthSource: ReportSource = {
  ...baseSource,
  figures: (query, { today }) => figureSums(resolveMonths(query, today), true),
  hidden: (query, context) => rateSums(query, context, true),
  derive: (figures, { query, context }) =>
    query.nonZeroFigures !== undefined || resolveMonths(query, context.today).length > 1
      ? {}
      : deriveRates(figures),
}

/** By month the totals open with the first row and close with the last. */
export const monthlySource: ReportSource = {
  ...baseSource,
  figures: (query, { today }) => figureSums(resolveMonths(query, today), false),
  hidden: (query, context) => rateSums(query, context, false),
  derive: (figures, { query, context, isTotal }) =>
    query.nonZeroFigures !== undefined || (isTotal && resolveMonths(query, context.today).length > 1)
      ? {}
      : deriveRates(figures),
}
