import { toError } from '#kit/domain/to-error.ts'
import { defined } from '#kit/domain/defined.ts'
import { PassThrough } from 'node:stream'
import { exportColumns, formatExportRow } from '#kit/contract/sheet.ts'
import { refuse } from '#kit/contract/wire.ts'
import { parseYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import type { Month } from '#kit/domain/month.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { exportHandlers } from '#kit/server/sheet-export.ts'
import { codes } from '#kit/server/sql.ts'
import { readOrder, tenantFilter } from '#kit/server/table.ts'
import { exportHeaderLines, totalsRow } from '#kit/server/export-header-footer.ts'
import { writeWorkbook, xlsxMediaType } from '#kit/server/workbook/workbook-writer.ts'
import { accountColumns, accountFilters, exportAccounts, prestoreAccount } from '../contract/account.ts'
import { entryColumns, entryFilters, exportEntries, listEntries, prestoreEntry } from '../contract/entry.ts'
import { entryType } from '../contract/choices.ts'
import {
  exportSummary,
  listSummary,
  getSummaryTotal,
  summaryColumns,
  summaryRow,
} from '../contract/summary.ts'
import { accountConditions, entryConditions, withItemNames } from './account-queries.ts'

type SummaryQuery = NonNullable<typeof listSummary.input.T>
export type SummaryMonth = NonNullable<typeof listSummary.output.T>['rows'][number]

/** Sums of entries by kind; `offset` and `refund` are positive for money that went out (CLO-4). */
export const flowKeys = ['came', 'offset', 'refund', 'other'] as const

export function flowColumns(alias: string, where: RawBuilder<unknown> = sql`true`): RawBuilder<unknown> {
  const entryTable = sql.id(alias)
  const sum = (sign: '' | '-', ...types: (keyof typeof entryType.rows)[]) =>
    sql`coalesce(
      ${sql.raw(sign)}sum(${entryTable}.amount) filter (
        where ${entryTable}.entry_type in ${codes(entryType, ...types)} and ${where}
      ),
      0
    )`
  return sql`${sum('', 'topUp', 'change', 'deposit', 'gift')} as came,
    ${sum('-', 'deduct', 'undone')} as "offset", ${sum('-', 'refund')} as refund,
    ${sum('', 'moveIn', 'moveOut', 'adjust', 'giftExpired')} as other`
}

type Figures = 'open' | 'came' | 'offset' | 'refund' | 'other' | 'close'

type MonthRow = Readonly<Record<'projectCode' | Figures, string>> & { readonly month: Month }

/**
 * Months of projects from the first movement to this month, each with what came before it. Read from the
 * entries alone; months without a movement are there too, so that what closes one opens the next. Uses
 * prestore_entry_list.
 */
const monthsQuery = (scope: Scope, query: SummaryQuery, today: string) => sql<MonthRow>`
  with e as (
    select t.project_code as p, date_trunc('month', t.entry_time at time zone 'Asia/Shanghai')::date as m,
      sum(t.amount) as delta, ${flowColumns('t')}
    from prestore_entry t
    where ${tenantFilter(prestoreEntry, scope, query.projectCode)}
    group by 1, 2
  ),
    all_months as (
      select p, s::date as m
      from (select p, min(m) as first from e group by p) f,
        generate_series(f.first, date_trunc('month', ${today}::date), interval '1 month') s
    ),
    r as (
      select a.p, a.m, coalesce(e.came, 0) as came, coalesce(e."offset", 0) as "offset",
        coalesce(e.refund, 0) as refund, coalesce(e.other, 0) as other, coalesce(e.delta, 0) as delta,
        sum(coalesce(e.delta, 0)) over (partition by a.p order by a.m) as close
      from all_months a
      left join e on e.p = a.p and e.m = a.m
    )
  select r.p as project_code, to_char(r.m, 'YYYY-MM') as month, (r.close - r.delta)::text as open,
    r.came::text, r."offset"::text, r.refund::text, r.other::text, r.close::text
  from r
  where true
    ${query.monthFrom ? sql`and to_char(r.m, 'YYYY-MM') >= ${query.monthFrom}` : sql``}
    ${query.monthTo ? sql`and to_char(r.m, 'YYYY-MM') <= ${query.monthTo}` : sql``}
  order by r.m desc, r.p
`

/** Few rows, one for each project and month: all are read and paged here. */
async function findMonths(db: Db, scope: Scope, query: SummaryQuery, today: string): Promise<SummaryMonth[]> {
  const rows = await db.rows<MonthRow>(monthsQuery(scope, query, today))
  const estates = rows.length
    ? await db.rows<{ code: string; name: string }>(
        sql`
          select project_code as code, name
          from estate
          where owner_id = ${scope.ownerId}
            and project_code = any(${[...new Set(rows.map(row => row.projectCode))]})
        `,
      )
    : []
  const nameByProject = new Map(estates.map(({ code, name }) => [code, name]))
  const months = rows.map(row => ({
    projectCode: row.projectCode,
    month: row.month,
    estateName: nameByProject.get(row.projectCode),
    open: parseYuan(row.open),
    came: parseYuan(row.came),
    offset: parseYuan(row.offset),
    refund: parseYuan(row.refund),
    other: parseYuan(row.other),
    close: parseYuan(row.close),
  }))
  const keyword = query.keyword?.trim()
  return keyword
    ? months.filter(row => row.estateName?.includes(keyword) || row.projectCode.includes(keyword))
    : months
}

/**
 * Over several months: what the first opens with, what the last closes with, the flows between; over projects
 * their sum.
 */
export function totalMonths(rows: readonly SummaryMonth[]): Readonly<Record<Figures, Fen>> {
  const byProject = [...Map.groupBy(rows, r => r.projectCode).values()].map(g =>
    g.toSorted((a, b) => (a.month < b.month ? -1 : 1)),
  )
  const flow = (k: 'came' | 'offset' | 'refund' | 'other'): Fen => sumFen(rows.map(r => r[k]))
  return {
    open: sumFen(byProject.map(g => defined(g[0]).open)),
    came: flow('came'),
    offset: flow('offset'),
    refund: flow('refund'),
    other: flow('other'),
    close: sumFen(byProject.map(g => defined(g.at(-1)).close)),
  }
}

export const accountExport = exportHandlers({
  kind: 'prestore.account',
  name: '预存账户',
  calls: exportAccounts,
  entity: prestoreAccount,
  columns: accountColumns,
  query: ({ feeItem, low, ...q }, { scope }) => ({
    q,
    find: { filters: accountFilters, where: accountConditions(scope.ownerId, feeItem, low) },
  }),
  enrichRows: (rows, { db, scope }) => withItemNames(db, scope, rows),
})

export const entryExport = exportHandlers<NonNullable<typeof listEntries.input.T>>({
  kind: 'prestore.entry',
  name: '预存流水',
  calls: exportEntries,
  entity: prestoreEntry,
  columns: entryColumns,
  query: ({ ownerCode, recordNo, ...q }, { scope }) => ({
    q,
    find: { filters: entryFilters, where: entryConditions(scope.ownerId, ownerCode, recordNo) },
  }),
})

const sortedKeys = ['month', 'estateName', 'open', 'came', 'offset', 'refund', 'other', 'close'] as const

/** By the asked columns; the months as they come among equals. */
function sortMonths(rows: readonly SummaryMonth[], order: string | undefined): readonly SummaryMonth[] {
  const terms = readOrder(summaryRow, sortedKeys, order)
  const compare = (a: unknown, b: unknown): number =>
    typeof a === 'number' && typeof b === 'number'
      ? a - b
      : String(a ?? '').localeCompare(String(b ?? ''), 'zh')
  return rows.toSorted((a, b) => {
    for (const { key, isDescending } of terms) {
      const found = sortedKeys.find(k => k === key)
      const difference = found ? compare(a[found], b[found]) : 0
      if (difference) return isDescending ? -difference : difference
    }
    return 0
  })
}

export const summaryHandlers = [
  reads(listSummary, async (query, { db, scope, today }) => {
    const rows = sortMonths(await findMonths(db, scope, query, today), query.order)
    const size = query.size ?? 10
    const from = ((query.page ?? 1) - 1) * size
    return { total: rows.length, rows: rows.slice(from, from + size) }
  }),
  reads(getSummaryTotal, async (q, { db, scope, today }) =>
    totalMonths(await findMonths(db, scope, q, today)),
  ),
  reads(exportSummary, async (query, { db, scope, app, today }) => {
    const rows = sortMonths(await findMonths(db, scope, query, today), query.order)
    const output = new PassThrough()
    if (!rows.length) return refuse('无符合条件的数据，请调整筛选条件')
    const columns = exportColumns(summaryColumns)
    const head = await exportHeaderLines(exportSummary, '预存汇总', query, { db, scope, app })
    writeWorkbook(columns, [rows.map(r => formatExportRow(columns, r))], output, {
      sheetName: '预存汇总',
      head,
      totals: totalsRow(columns, totalMonths(rows), rows.length),
    }).catch((error: unknown) => output.destroy(toError(error)))
    return { name: `预存汇总_${today.replaceAll('-', '')}.xlsx`, type: xlsxMediaType, body: output }
  }),
]
