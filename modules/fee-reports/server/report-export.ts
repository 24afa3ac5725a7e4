import { toError } from '#kit/domain/to-error.ts'
import { defined } from '#kit/domain/defined.ts'
import { mkdir, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { day, month, text } from '#kit/contract/field.ts'
import {
  exportColumns,
  formatExportRow,
  sheetColumns,
  sheetLimits,
  type SheetColumn,
} from '#kit/contract/sheet.ts'
import type { ExportInput } from '#kit/contract/import-export.ts'
import { refuse } from '#kit/contract/wire.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { writeDiskFile } from '#kit/server/disk-file.ts'
import { audit, type AuditEntry } from '#kit/server/audit.ts'
import { reads, writes, type Handler } from '#kit/server/handler.ts'
import { defineJob, type Job } from '#kit/server/jobs.ts'
import type { Scope } from '#kit/server/scope.ts'
import { exportHeaderLines, totalsRow } from '#kit/server/export-header-footer.ts'
import type { Row } from '#kit/server/workbook/column.ts'
import { writeWorkbook, xlsxMediaType } from '#kit/server/workbook/workbook-writer.ts'
import type { Report, ReportQuery } from '../contract/report.ts'
import { readReport, type ReportResult } from './report.ts'
import { dimensionsOf, type ReportContext, type ReportSource } from './report-source.ts'

type ExportQuery = ReportQuery & ExportInput

const formatThousands = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

function assertExportSize(count: number, expected: number | undefined): void {
  if (expected !== undefined && expected !== count)
    refuse(
      `符合条件的数据现在有 ${formatThousands(count)} 条（刚才是 ${formatThousands(expected)} 条），请刷新后重新导出`,
    )
  if (count > sheetLimits.xlsxRows)
    refuse(
      `共 ${formatThousands(count)} 行，超过一张表的 ${formatThousands(sheetLimits.xlsxRows)} 行，请缩小筛选范围`,
    )
  if (!count) refuse('无符合条件的数据，请调整筛选条件')
}

const nameFields = { day, month, text }

/** The chosen columns, the name under the label of the dimension as what it is, and the totals. */
function buildSheet(
  report: Report,
  source: ReportSource,
  query: ExportQuery,
  context: ReportContext,
  result: ReportResult,
): {
  readonly columns: readonly SheetColumn[]
  readonly rows: readonly Row[]
  readonly totals: Row
} {
  const by = query.by ?? report.defaultDimension
  const label = defined(report.dimensions.rows[by])[1]
  const kind = dimensionsOf(source, context)[by]?.calendar ?? 'text'
  const chosen = report.columns.filter(column => query.columns?.includes(column.key))
  const columns = exportColumns(
    (chosen.length ? chosen : report.columns).flatMap(column =>
      column.key === 'name' ? sheetColumns({ name: nameFields[kind](label) }) : [column],
    ),
  )
  return {
    columns,
    rows: result.rows.map(row => formatExportRow(columns, row)),
    totals: totalsRow(columns, result.sum, result.rows.length),
  }
}

const jobKindOf = (report: Report): string => `export.fee-reports.${report.key}`

const fileNameOf = (report: Report, today: string): string =>
  `${report.title}_${today.replaceAll('-', '')}.xlsx`

const auditEntriesOf = (
  report: Report,
  scope: Scope,
  filter: object,
  rows: number,
): readonly AuditEntry[] => [
  {
    action: 'export',
    entity: report.entity.name,
    entityId: 0,
    projectCode: scope.projectCode || undefined,
    after: { report: report.key, rows, filter },
  },
]

const idsOf = (query: ExportQuery): { readonly ids?: readonly string[] } =>
  query.ids?.length ? { ids: query.ids } : {}

/** Up to `sheetLimits.directRows` rows at once (EXP-1). */
const createDirectExport = (report: Report, source: ReportSource): Handler =>
  reads(report.export.get, async (query: ExportQuery, { db, scope, today, app }) => {
    const page = { size: sheetLimits.directRows, offset: 0, ...idsOf(query) }
    const result = await readReport(db, report, source, query, { scope, today }, page)
    assertExportSize(result.total, query.expected)
    if (result.total > sheetLimits.directRows)
      return refuse(
        `共 ${formatThousands(result.total)} 条，超过 ${formatThousands(sheetLimits.directRows)} 条，请用后台导出，完成后在任务中心下载`,
      )
    const body = new PassThrough()
    await app.database.tx(scope.ownerId, tx =>
      audit(tx, scope, auditEntriesOf(report, scope, query, result.total)),
    )
    const { columns, rows, totals } = buildSheet(report, source, query, { scope, today }, result)
    const head = await exportHeaderLines(report.export.get, report.title, query, { db, scope, app })
    writeWorkbook(columns, [rows], body, { sheetName: report.title, head, totals }).catch((error: unknown) =>
      body.destroy(toError(error)),
    )
    return { name: fileNameOf(report, today), type: xlsxMediaType, body }
  })

/** More as a task (EXP-2). */
const createTaskExport = (report: Report, source: ReportSource): Handler =>
  writes(report.export.start, async (query: ExportQuery, { tx, scope, today, app }) => {
    const page = { size: 1, offset: 0, ...idsOf(query) }
    const { total } = await readReport(tx, report, source, query, { scope, today }, page)
    assertExportSize(total, query.expected)
    return app.jobs.start(
      tx,
      scope,
      jobKindOf(report),
      `导出${report.title} ${formatThousands(total)} 条`,
      query,
    )
  })

const createExportJob = (report: Report, source: ReportSource): Job =>
  defineJob<ExportQuery>({
    kind: jobKindOf(report),
    type: 20,
    run: async ({ expected: _expected, ...query }, { app, database, scope, signal }) => {
      const today = dayOfMoment(fromInstant(app.clock()))
      const page = { size: sheetLimits.xlsxRows, offset: 0, ...idsOf(query) }
      const reader = database.reader(scope.ownerId)
      const result = await readReport(reader, report, source, query, { scope, today }, page)
      assertExportSize(result.total, undefined)
      const { columns, rows, totals } = buildSheet(report, source, query, { scope, today }, result)
      const head = await exportHeaderLines(report.export.get, report.title, query, { db: reader, scope, app })
      const directory = join(app.dataDir, 'tmp')
      const path = join(directory, randomUUID())
      await mkdir(directory, { recursive: true, mode: 0o700 })
      try {
        signal.throwIfAborted()
        const out = writeDiskFile(path)
        await writeWorkbook(columns, [rows], out, { sheetName: report.title, head, totals })
        const file = await app.files.save(
          scope.ownerId,
          scope.operatorId,
          { name: fileNameOf(report, today), type: xlsxMediaType, path },
          sheetLimits.retentionDays,
        )
        await database.tx(scope.ownerId, tx =>
          audit(tx, scope, auditEntriesOf(report, scope, query, result.total)),
        )
        return { success: result.total, file, message: `已导出 ${formatThousands(result.total)} 条` }
      } finally {
        await rm(path, { force: true })
      }
    },
  })

/** The export of a report, at once or as a task; each leaves its line in the log (EXP-5). */
export const createReportExport = (
  report: Report,
  source: ReportSource,
): { readonly handlers: readonly Handler[]; readonly job: Job } => ({
  handlers: [createDirectExport(report, source), createTaskExport(report, source)],
  job: createExportJob(report, source),
})
