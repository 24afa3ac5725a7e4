import { defined } from '#kit/domain/defined.ts'
import { columnOf } from '#kit/contract/entity.ts'
import type { Choices } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads, type Handler } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { fromStored } from '#kit/server/column-storage.ts'
import { filterConditions, tenantFilter } from '#kit/server/table.ts'
import { live } from '#kit/server/sql.ts'
import { nowhere, type Report, type ReportInput, type ReportRow } from '../contract/report.ts'

export type Sql = RawBuilder<any>
export type ReportQuery = ReportInput & Readonly<Record<string, unknown>>

export interface ReportContext {
  readonly scope: Scope
  readonly today: Day
}

/**
 * One way of breaking down: what rows share, what it is called (an aggregate), what it must be joined with.
 * `sortByUrgency`: by its key, not by size.
 */
export interface Dimension {
  readonly key: Sql
  readonly name: Sql
  readonly join?: (owner: number) => Sql
  readonly inOrder?: boolean
}

/**
 * Where a report's rows come from. `from` names the entity's rows `t`; the wall and the entity's own filters
 * are put on `t` here.
 */
export interface ReportSource {
  readonly from: (q: ReportQuery, c: ReportContext) => Sql
  readonly where?: (q: ReportQuery, c: ReportContext) => readonly Sql[]
  readonly by:
    | Readonly<Record<string, Dimension>>
    | ((c: ReportContext) => Readonly<Record<string, Dimension>>)
  readonly figures:
    | Readonly<Record<string, Sql>>
    | ((q: ReportQuery, c: ReportContext) => Readonly<Record<string, Sql>>)
  /** `whole`: of the totals. */
  readonly derive?: (
    figures: Readonly<Record<string, number>>,
    of: { readonly q: ReportQuery; readonly c: ReportContext; readonly whole: boolean },
  ) => Readonly<Record<string, unknown>>
}

export const projectDimension: Dimension = {
  key: sql`t.project_code`,
  name: sql`max(dim.name)`,
  join: owner => sql`left join estate dim on dim.owner_id = ${owner}
    and dim.project_code = t.project_code
    and ${live('dim')}`,
}

/** A building is known by its project and its code. */
export const buildingDimension: Dimension = {
  key: sql`t.project_code || '/' || t.build_code`,
  name: sql`max(dim.name)`,
  join: owner => sql`left join building dim on dim.owner_id = ${owner}
    and dim.project_code = t.project_code
    and dim.code = t.build_code
    and ${live('dim')}`,
}

export const createCalendarDimension = (key: Sql): Dimension => ({
  key,
  name: sql`max(${key})`,
  inOrder: true,
})

/** The words of a choice, for the name of its code. */
export const choiceLabelSql = (of: Choices, at: Sql): Sql =>
  sql`max(case ${at} ${sql.join(
    Object.values(of.rows).map(
      r => sql`when ${sql.raw(typeof r[0] === 'number' ? String(r[0]) : `'${r[0]}'`)} then ${r[1]}::text`,
    ),
    sql` `,
  )} end)`

const selectDimension = (r: Report, s: ReportSource, q: ReportQuery, c: ReportContext): Dimension =>
  defined((typeof s.by === 'function' ? s.by(c) : s.by)[q.by ?? r.defaultBy])

const toLikePattern = (s: string): string => `%${s.replace(/[\\%_]/g, c => `\\${c}`)}%`

/**
 * `g`: one row for each thing of the dimension, with its figures, in one scan. What belongs to nothing keeps
 * a row of its own, so that the total is the sum of what is shown (STAT-3).
 */
function buildGroups(
  r: Report,
  s: ReportSource,
  q: ReportQuery,
  c: ReportContext,
  ids?: readonly string[],
): Sql {
  const dim = selectDimension(r, s, q, c)
  const figures = typeof s.figures === 'function' ? s.figures(q, c) : s.figures
  const where = [
    tenantFilter(r.of, c.scope, q.projectCode),
    ...filterConditions(r.of, q, r.filters),
    ...(s.where?.(q, c) ?? []),
  ]
  const rows = sql`
    select ${dim.key} as key, coalesce(${dim.name}::text, ${nowhere}) as name,
      ${sql.join(Object.keys(r.figures).map(k => sql`${defined(figures[k])} as ${sql.id(columnOf(k))}`))} ${s.from(q, c)} ${dim.join?.(c.scope.ownerId) ?? sql``}
    where ${sql.join(where, sql` and `)}
    group by 1
  `
  const after = [
    ...(q.keyword ? [sql`name ilike ${toLikePattern(q.keyword)} escape '\\'`] : []),
    ...(ids?.length ? [sql`coalesce(key, ${nowhere}) = any(${ids})`] : []),
  ]
  // Keys become texts only once they are few.
  const few = sql`
    select x.key::text as key, x.name,
      ${sql.join(Object.keys(r.figures).map(k => sql`x.${sql.id(columnOf(k))}`))}
    from (${rows}) x
  `
  return after.length ? sql`select * from (${few}) x where ${sql.join(after, sql` and `)}` : few
}

function buildOrder(r: Report, s: ReportSource, q: ReportQuery, c: ReportContext): Sql {
  const down = q.order?.startsWith('-') ?? false
  const key = q.order?.replace(/^-/, '') ?? ''
  if (key === 'name' || r.figures[key])
    return sql`${sql.id(columnOf(key))} ${down ? sql`desc` : sql`asc`}, key`
  const keys = Object.keys(r.figures)
  const first = keys.find(k => defined(r.figures[k]).kind === 'money') ?? defined(keys[0])
  return selectDimension(r, s, q, c).inOrder ? sql`key asc` : sql`${sql.id(columnOf(first))} desc, key`
}

const readFigures = (
  r: Report,
  s: ReportSource,
  raw: Readonly<Record<string, unknown>>,
  of: { readonly q: ReportQuery; readonly c: ReportContext; readonly whole: boolean },
): Record<string, unknown> => {
  const at = of.whole ? 'all/' : ''
  const figures = Object.fromEntries(
    Object.entries(r.figures).map(([k, f]) => [
      k,
      f.kind === 'int' ? Number(raw[at + k] ?? 0) : fromStored(raw[at + k] ?? '0', f),
    ]),
  ) as Record<string, number>
  return { ...figures, ...s.derive?.(figures, of) }
}

export interface ReportResult {
  readonly total: number
  readonly sum: Readonly<Record<string, unknown>>
  readonly rows: readonly ReportRow[]
}

/**
 * A page of a report with its totals over the whole filter, from one statement: rows and totals cannot
 * disagree (STAT-1).
 */
export async function readReport(
  db: Db,
  r: Report,
  s: ReportSource,
  q: ReportQuery,
  c: ReportContext,
  turn: { readonly size: number; readonly from: number; readonly ids?: readonly string[] },
): Promise<ReportResult> {
  const edge = r.edges
  const total = (k: string): Sql => {
    const c = sql.id(columnOf(k))
    return edge[k]
      ? sql`(array_agg(g.${c} order by g.key ${edge[k] === 'last' ? sql`desc` : sql`asc`}))[1]`
      : sql`sum(g.${c})`
  }
  const sums = Object.keys(r.figures).map(
    k => sql`coalesce(${total(k)}, 0) as ${sql.id(`all_${columnOf(k)}`)}`,
  )
  const found = await db.rows<Record<string, unknown>>(sql`
    with g as materialized (${buildGroups(r, s, q, c, turn.ids)}),
      s as (select count(*)::int as all_rows, ${sql.join(sums)} from g)
    select s.*, p.*
    from s
    left join (
      select true as here, g.*
      from g
      order by g.key is null, ${buildOrder(r, s, q, c)}
      limit ${turn.size} offset ${turn.from}
    ) p on true
    order by p.key is null, ${buildOrder(r, s, q, c)}
  `)
  const all = Object.fromEntries(
    Object.entries(found[0] ?? {}).map(([k, v]) => [
      k.replace(/^all(.)/, (_, x: string) => `all/${x.toLowerCase()}`),
      v,
    ]),
  )
  return {
    total: Number(found[0]?.allRows ?? 0),
    sum: readFigures(r, s, all, { q, c, whole: true }),
    rows: found.flatMap(x =>
      x.here
        ? [
            {
              ...(x.key === undefined ? {} : { key: String(x.key) }),
              name: String(x.name),
              ...readFigures(r, s, x, { q, c, whole: false }),
            },
          ]
        : [],
    ),
  }
}

/** The page that its list shows. */
export const createReportHandler = (r: Report, s: ReportSource): Handler =>
  reads(r.list, async (q, c) => {
    const size = Math.min(q.size ?? 10, 2000)
    const said = await readReport(c.db, r, s, q, c, { size, from: ((q.page ?? 1) - 1) * size })
    return { total: said.total, rows: said.rows, sum: said.sum as never }
  })
