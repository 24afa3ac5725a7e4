import type { Id } from '#kit/domain/id.ts'
import { toError } from '#kit/domain/to-error.ts'
import { defined } from '#kit/domain/defined.ts'
import { PassThrough } from 'node:stream'
import { codeOf, keyOf, labelOf } from '#kit/contract/field.ts'
import type { FileResponse } from '#kit/contract/file-response.ts'
import {
  exportColumns,
  formatExportRow,
  sheetColumns,
  sheetLimits,
  type SheetColumn,
} from '#kit/contract/sheet.ts'
import { refuse } from '#kit/contract/wire.ts'
import { compare, div, mul, sub, type Decimal } from '#kit/domain/decimal.ts'
import { monthsBetween, shiftMonth, type Month } from '#kit/domain/month.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { keywordCondition, tenantFilter } from '#kit/server/table.ts'
import { exportHeaderLines, totalsRow } from '#kit/server/export-header-footer.ts'
import type { Row } from '#kit/server/workbook/column.ts'
import { writeWorkbook, xlsxMediaType } from '#kit/server/workbook/workbook-writer.ts'
import { notDeleted, code, naturalOrder } from '#kit/server/sql.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import { meterKind, meterUse, readingState } from '../contract/choices.ts'
import { meter } from '../contract/meter.ts'
import { exportReport, getMeterReport, listReportDetail, reportDetailFields } from '../contract/report.ts'
import { doubtfulReading, meterInUse, validReading } from './reading-conditions.ts'

interface ReportInput {
  readonly projectCode: string
  readonly fromMonth: Month
  readonly toMonth: Month
  readonly meterKind?: readonly (keyof typeof meterKind.rows)[]
  readonly buildCodes?: readonly string[]
  readonly keyword?: string
}

export const assertReportInput = (q: ReportInput): void => {
  if (q.toMonth < q.fromMonth) refuse('月份止不能早于月份起')
  if (monthsBetween(q.fromMonth, q.toMonth) > 35) refuse('一次最多统计 36 个月，请缩小月份范围')
}

const buildFilter = (q: ReportInput): RawBuilder<unknown> =>
  sql`
    ${q.meterKind?.length ? sql`and t.meter_kind = any(${q.meterKind.map(k => codeOf(meterKind, k))})` : sql``}
    ${q.buildCodes?.length ? sql`and t.build_code = any(${[...q.buildCodes]})` : sql``}`

/** Valid readings `r` of the meters `t`. */
const liveCondition = (ownerId: Id): RawBuilder<unknown> =>
  sql`r.owner_id = ${ownerId} and r.meter_id = t.id and ${validReading('r')}`

/**
 * Leaves out main meters whose parts count the same usage: they are listed, but not in the totals. So is a
 * main meter whose parts now belong to its successor (MTR-11).
 */
export const countedOnceCondition = (ownerId: Id, alias: string): RawBuilder<unknown> => {
  const table = sql.id(alias)
  return sql`not (
    ${table}.meter_use = ${code(meterUse, 'main')}
    and exists (
      with recursive now(id) as (
        select ${table}.id
        union all
        select p.new_meter_id
        from now
        join meter_replace p on p.owner_id = ${ownerId} and p.meter_id = now.id and ${notDeleted('p')}
      )
      select 1
      from now
      join meter c on c.owner_id = ${ownerId} and c.parent_meter_id = now.id and ${notDeleted('c')}
    )
  )`
}

/** The months `m` of a range, each with every meter `t` and its valid readings `r` of that month. */
export const selectMetersByMonth = (ownerId: Id, from: Month, to: Month): RawBuilder<unknown> => sql`(
    select to_char(d, 'YYYY-MM') as month, (d + interval '1 month')::date as next
    from generate_series(${`${from}-01`}::date, ${`${to}-01`}::date, interval '1 month') d
  ) m
  cross join meter t
  left join meter_reading r on ${liveCondition(ownerId)} and r.month = m.month`

/** Of those: meters that were to be read, or were read nevertheless. */
export const wasDueCondition = sql`(
  r.id is not null or ${meterInUse('t')} and (t.install_date is null or t.install_date < m.next)
)`

const toDecimal = (x: unknown): Decimal => String(x ?? '0')

interface DetailRow {
  meterId: Id
  meterNo: string
  meterKind: number
  sourceName?: string
  buildName?: string
  lastNum?: Decimal
  curNum: Decimal
  times: number
  usage: Decimal
  before?: Decimal
}

const usageDetail = sqlFile(import.meta.dirname, 'usage-detail.sql', [
  'ownerId',
  'fromMonth',
  'toMonth',
  'previousFrom',
  'previousTo',
  'liveReading',
  'liveBuilding',
  'visibleMeter',
  'keyword',
  'limit',
  'offset',
])

const selectDetail = (
  scope: Scope,
  query: ReportInput,
  limit: number,
  offset: number,
): RawBuilder<DetailRow> => {
  const span = monthsBetween(query.fromMonth, query.toMonth) + 1
  return usageDetail<DetailRow>({
    ownerId: scope.ownerId,
    fromMonth: query.fromMonth,
    toMonth: query.toMonth,
    previousFrom: shiftMonth(query.fromMonth, -span),
    previousTo: shiftMonth(query.fromMonth, -1),
    liveReading: liveCondition(scope.ownerId),
    liveBuilding: notDeleted('b'),
    visibleMeter: sql`${tenantFilter(meter, scope, query.projectCode)}${buildFilter(query)}`,
    keyword: sql.join([sql`true`, ...keywordCondition(meter, scope.ownerId, query.keyword)], sql` and `),
    limit,
    offset,
  })
}

/** A part in percent of the whole, two digits; undefined where the whole is not positive. */
export const computePercent = (part: Decimal, whole: Decimal | undefined): Decimal | undefined =>
  whole !== undefined && compare(whole, '0') > 0 ? div(mul(part, '100'), whole, 2) : undefined

const toDetailRow = (row: DetailRow) => {
  const change = computePercent(sub(row.usage, row.before ?? '0'), row.before)
  return {
    ...row,
    meterKind: defined(keyOf(meterKind, row.meterKind)),
    ...(change === undefined ? {} : { change }),
  }
}

interface KindTotal {
  readonly meters: number
  readonly meterKind: number
  readonly usage: Decimal
}

/** Tons and kilowatt-hours have no sum: one total for each kind of meter. */
const readTotals = (db: Db, scope: Scope, query: ReportInput): Promise<KindTotal[]> =>
  db.rows<KindTotal>(
    sql`
      select count(distinct t.id)::int as meters, t.meter_kind,
        trim_scale(coalesce(sum(r.usage) filter (where ${countedOnceCondition(scope.ownerId, 't')}), 0))::text as usage
      from meter t
      join meter_reading r on ${liveCondition(scope.ownerId)} and r.month between ${query.fromMonth} and ${query.toMonth}
      where ${tenantFilter(meter, scope, query.projectCode)}${buildFilter(query)}
        and ${sql.join([sql`true`, ...keywordCondition(meter, scope.ownerId, query.keyword)], sql` and `)}
      group by t.meter_kind
      order by t.meter_kind
    `,
  )

/** The last line of the sheet; of several kinds the usage of each, with its name. */
function detailTotals(columns: readonly SheetColumn[], totals: readonly KindTotal[], count: number): Row {
  const [only, ...others] = totals
  if (only && !others.length) return totalsRow(columns, { usage: only.usage }, count)
  const usages = totals.map(
    total => `${labelOf(meterKind, defined(keyOf(meterKind, total.meterKind)))} ${total.usage}`,
  )
  const usageIndex = columns.findIndex(column => column.key === 'usage')
  return totalsRow(columns, {}, count).map((cell, i) => (i === usageIndex ? usages.join('；') : cell))
}

export const reportHandlers = [
  reads(getMeterReport, async (query, { db, scope }) => {
    assertReportInput(query)
    const found = await db.rows<{
      month: Month
      buildCode?: string
      buildName?: string
      meterKind: number
      meters: number
      read: number
      estimated: number
      doubtful: number
      usage: Decimal
      billed: Decimal
    }>(sql`
      select m.month, t.build_code, b.name as build_name, t.meter_kind, count(distinct t.id)::int as meters,
        count(distinct r.meter_id)::int as read, (count(*) filter (where r.is_estimate))::int as estimated,
        (
          count(*) filter (where ${doubtfulReading('r')})
        )::int as doubtful,
        trim_scale(coalesce(sum(r.usage) filter (where ${countedOnceCondition(scope.ownerId, 't')}), 0))::text as usage,
        trim_scale(coalesce(sum(r.usage) filter (
          where r.state = ${code(readingState, 'billed')} and ${countedOnceCondition(scope.ownerId, 't')}
        ), 0))::text as billed
      from ${selectMetersByMonth(scope.ownerId, query.fromMonth, query.toMonth)}
      left join building b on b.owner_id = ${scope.ownerId}
        and b.project_code = t.project_code
        and b.code = t.build_code
        and ${notDeleted('b')}
      where ${tenantFilter(meter, scope, query.projectCode)}${buildFilter(query)} and ${wasDueCondition}
      group by 1, 2, 3, 4
      order by 1 desc, ${naturalOrder(sql`b.name`)} nulls last, 2, 4
    `)
    return found.map(r => ({ ...r, meterKind: defined(keyOf(meterKind, r.meterKind)) }))
  }),
  reads(listReportDetail, async ({ page = 1, size = 20, ...query }, { db, scope }) => {
    assertReportInput(query)
    const [rows, all] = await Promise.all([
      db.rows<DetailRow>(selectDetail(scope, query, size, (page - 1) * size)),
      readTotals(db, scope, query),
    ])
    const sum: Record<string, string> = all.length > 1 ? {} : { usage: toDecimal(all[0]?.usage) }
    return { total: all.reduce((n, each) => n + each.meters, 0), rows: rows.map(toDetailRow), sum }
  }),
  reads(exportReport, async (query, { db, scope, app, today }): Promise<FileResponse> => {
    assertReportInput(query)
    const rows = (await db.rows<DetailRow>(selectDetail(scope, query, sheetLimits.xlsxRows, 0))).map(
      toDetailRow,
    )
    if (!rows.length) return refuse('无符合条件的数据，请调整筛选条件')
    const columns = exportColumns(
      sheetColumns({ ...reportDetailFields, meterNo: { ...meter.fields.meterNo, required: false } }, [
        'meterNo',
        'meterKind',
        'sourceName',
        'buildName',
        'lastNum',
        'curNum',
        'times',
        'usage',
        'before',
        'change',
      ]),
    )
    const totals = detailTotals(columns, await readTotals(db, scope, query), rows.length)
    const lines = rows.map(r => formatExportRow(columns, { ...r }))
    const head = await exportHeaderLines(exportReport, '抄表明细', query, { db, scope, app })
    const output = new PassThrough()
    await app.database.tx(scope.ownerId, tx =>
      audit(tx, scope, [
        {
          action: 'export',
          entity: 'meterReading',
          entityId: 0,
          projectCode: query.projectCode,
          after: { rows: rows.length, filter: query },
        },
      ]),
    )
    writeWorkbook(columns, [lines], output, { sheetName: '抄表明细', head, totals }).catch((e: unknown) =>
      output.destroy(toError(e)),
    )
    return {
      name: `抄表明细_${query.fromMonth}至${query.toMonth}_${today.replaceAll('-', '')}.xlsx`,
      type: xlsxMediaType,
      body: output,
    }
  }),
]
