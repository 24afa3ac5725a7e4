import { columnOf } from '#kit/contract/entity.ts'
import { money, type Field } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import { fromStored } from '#kit/server/column-storage.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, type Handler } from '#kit/server/handler.ts'
import { naturalOrder } from '#kit/server/sql.ts'
import { contains, filterConditions, readOrder, tenantFilter } from '#kit/server/table.ts'
import { unassignedName, type Report, type ReportQuery, type ReportRow } from '../contract/report.ts'
import {
  dimensionsOf,
  figuresOf,
  type Dimension,
  type Figures,
  type ReportContext,
  type ReportSource,
  type Sql,
} from './report-source.ts'

const maxPageSize = 2000

/** What a report reads: its declaration, its source, the query and for whom. */
interface ReportRequest {
  readonly report: Report
  readonly source: ReportSource
  readonly query: ReportQuery
  readonly context: ReportContext
}

const dimensionOf = ({ report, source, query, context }: ReportRequest): Dimension =>
  defined(dimensionsOf(source, context)[query.by ?? report.defaultDimension])

/** The figures that are shown, and those that only rates are made of. */
const selectedKeys = ({ report, source, query, context }: ReportRequest): string[] => [
  ...Object.keys(report.figures),
  ...Object.keys(source.hidden?.(query, context) ?? {}),
]

const hiddenField = money('', {})

/**
 * One row for each thing of the dimension, with its figures, in one scan. What belongs to nothing keeps a row
 * of its own, so that the total is the sum of what is shown (STAT-3).
 */
function selectGroups(request: ReportRequest, ids: readonly string[] = []): Sql {
  const { report, source, query, context } = request
  const dimension = dimensionOf(request)
  const figures = { ...figuresOf(source, query, context), ...source.hidden?.(query, context) }
  const keys = selectedKeys(request)
  const conditions = [
    tenantFilter(report.entity, context.scope, query.projectCode),
    ...filterConditions(report.entity, query, report.filters),
    ...(source.where?.(query, context) ?? []),
  ]
  const groups = sql`
    select ${dimension.key} as key, coalesce(${dimension.name}::text, ${unassignedName}) as name,
      ${sql.join(keys.map(key => sql`${defined(figures[key])} as ${sql.id(columnOf(key))}`))}
      ${source.from(query, context)} ${dimension.join?.(context.scope.ownerId) ?? sql``}
    where ${sql.join(conditions, sql` and `)}
    group by 1
  `
  // Keys become texts only once they are few.
  const named = sql`
    select x.key::text as key, x.name, ${sql.join(keys.map(key => sql`x.${sql.id(columnOf(key))}`))}
    from (${groups}) x
  `
  const groupConditions = [
    ...(query.keyword ? [contains(sql`name`, query.keyword)] : []),
    ...(ids.length ? [sql`coalesce(key, ${unassignedName}) = any(${ids})`] : []),
  ]
  return groupConditions.length
    ? sql`select * from (${named}) x where ${sql.join(groupConditions, sql` and `)}`
    : named
}

function orderOf(request: ReportRequest): Sql {
  const { report, query } = request
  const sortable = ['name', ...Object.keys(report.figures)]
  const [asked] = readOrder(report.list.output.fields, sortable, query.order)
  if (asked) {
    const column = sql.id(columnOf(asked.key))
    const ordered = asked.key === 'name' ? naturalOrder(column) : column
    return sql`${ordered} ${asked.isDescending ? sql`desc` : sql`asc`}, key`
  }
  if (dimensionOf(request).isSortedByKey) return sql`key asc`
  const keys = Object.keys(report.figures)
  const firstMoney = keys.find(key => report.figures[key]?.kind === 'money') ?? defined(keys[0])
  return sql`${sql.id(columnOf(firstMoney))} desc, key`
}

/** `all_net` of the totals arrives as `allNet`. */
const totalKey = (key: string): string => `all${key.charAt(0).toUpperCase()}${key.slice(1)}`

const figureValue = (stored: unknown, field: Field): unknown =>
  field.kind === 'int' ? Number(stored ?? 0) : fromStored(stored ?? '0', field)

/** Amounts and counts; a figure that is a decimal (text) is not derived from. */
const numbersOf = (figures: Readonly<Record<string, unknown>>): Figures =>
  Object.fromEntries(
    Object.entries(figures).flatMap(([key, value]) => (typeof value === 'number' ? [[key, value]] : [])),
  )

/** The figures of a row, or with `isTotal` of the totals beside it, and what follows from them. */
function readFigures(
  { report, source, query, context }: ReportRequest,
  row: Readonly<Record<string, unknown>>,
  isTotal: boolean,
): Readonly<Record<string, unknown>> {
  const figures = Object.fromEntries(
    Object.entries(report.figures).map(([key, field]) => [
      key,
      figureValue(row[isTotal ? totalKey(key) : key], field),
    ]),
  )
  const hidden = Object.fromEntries(
    Object.keys(source.hidden?.(query, context) ?? {}).map(key => [
      key,
      figureValue(row[isTotal ? totalKey(key) : key], hiddenField),
    ]),
  )
  return {
    ...figures,
    ...source.derive?.(numbersOf({ ...figures, ...hidden }), { query, context, isTotal }),
  }
}

export interface ReportResult {
  readonly total: number
  readonly sum: Readonly<Record<string, unknown>>
  readonly rows: readonly ReportRow[]
}

export interface ReportPage {
  readonly size: number
  readonly offset: number
  readonly ids?: readonly string[]
}

function selectTotals(request: ReportRequest): Sql {
  const { report } = request
  const totals = selectedKeys(request).map(key => {
    const column = sql.id(columnOf(key))
    const edge = report.edges[key]
    const total = edge
      ? sql`(array_agg(g.${column} order by g.key ${edge === 'last' ? sql`desc` : sql`asc`}))[1]`
      : sql`sum(g.${column})`
    return sql`coalesce(${total}, 0) as ${sql.id(`all_${columnOf(key)}`)}`
  })
  return sql`select count(*)::int as all_rows, ${sql.join(totals)} from g`
}

/**
 * A page of a report with its totals over the whole filter, from one statement: rows and totals cannot
 * disagree (STAT-1).
 */
export async function readReport(
  db: Db,
  report: Report,
  source: ReportSource,
  query: ReportQuery,
  context: ReportContext,
  page: ReportPage,
): Promise<ReportResult> {
  const request = { report, source, query, context }
  const order = orderOf(request)
  const found = await db.rows<Record<string, unknown>>(sql`
    with g as materialized (${selectGroups(request, page.ids)}),
      s as (${selectTotals(request)})
    select s.*, p.*
    from s
    left join (
      select true as has_row, g.*
      from g
      order by g.key is null, ${order}
      limit ${page.size} offset ${page.offset}
    ) p on true
    order by p.key is null, ${order}
  `)
  const first = found[0] ?? {}
  return {
    total: Number(first.allRows ?? 0),
    sum: readFigures(request, first, true),
    rows: found
      .filter(row => row.hasRow)
      .map(row => ({
        ...(row.key === undefined ? {} : { key: String(row.key) }),
        name: String(row.name),
        ...readFigures(request, row, false),
      })),
  }
}

const toSum = (sum: Readonly<Record<string, unknown>>): Record<string, number | string> =>
  Object.fromEntries(
    Object.entries(sum).map(([key, value]) => [key, typeof value === 'number' ? value : String(value)]),
  )

/** The page that a report's list shows. */
export const createReportHandler = (report: Report, source: ReportSource): Handler =>
  reads(report.list, async (query, { db, scope, today }) => {
    const size = Math.min(query.size ?? 10, maxPageSize)
    const offset = ((query.page ?? 1) - 1) * size
    const result = await readReport(db, report, source, query, { scope, today }, { size, offset })
    return { total: result.total, rows: result.rows, sum: toSum(result.sum) }
  })
