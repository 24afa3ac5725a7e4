import { defined } from '#kit/domain/defined.ts'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { sheetLimits, formatSheetRow, type SheetColumn } from '#kit/contract/sheet.ts'
import type { ExportInput } from '#kit/contract/import-export.ts'
import { refuse } from '#kit/contract/wire.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { audit } from '#kit/server/audit.ts'
import { reads, writes, type Handler } from '#kit/server/handler.ts'
import { defineJob, type Job } from '#kit/server/jobs.ts'
import type { Scope } from '#kit/server/scope.ts'
import { writeWorkbook, xlsxMediaType } from '#kit/server/workbook/workbook-writer.ts'
import type { Report } from '../contract/report.ts'
import { readReport, type ReportResult, type ReportQuery, type ReportSource } from './report.ts'

type ExportQuery = ReportQuery & ExportInput
const formatThousands = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',')

const assertExportSize = (n: number, { expected }: ExportInput): number => {
  if (expected !== undefined && expected !== n)
    refuse(
      `符合条件的数据现在有 ${formatThousands(n)} 条（刚才是 ${formatThousands(expected)} 条），请刷新后重新导出`,
    )
  if (n > sheetLimits.xlsxRows)
    refuse(
      `共 ${formatThousands(n)} 行，超过一张表的 ${formatThousands(sheetLimits.xlsxRows)} 行，请缩小筛选范围`,
    )
  return n || refuse('没有符合条件的数据，请调整筛选条件')
}

/** The asked columns under the name of the way it is broken down, and a last line with the totals. */
function buildSheet(
  r: Report,
  q: ExportQuery,
  said: ReportResult,
): { columns: readonly SheetColumn[]; lines: (string | number | undefined)[][] } {
  const by = defined(r.by.rows[q.by ?? r.defaultBy])[1]
  const chosen = q.columns?.length ? r.columns.filter(c => defined(q.columns).includes(c.key)) : r.columns
  const columns = (chosen.length ? chosen : r.columns).map(c => ({
    ...c,
    required: false,
    ...(c.key === 'name' ? { heading: by } : {}),
  }))
  return {
    columns,
    lines: [...said.rows, { ...said.sum, name: '合计' }].map(x => formatSheetRow(columns, x as never, false)),
  }
}

/**
 * The handlers of a report's export: up to 2,000 rows at once, more as a task (EXP-1, EXP-2, EXP-5); each
 * leaves its line in the log.
 */
export function createReportExport(
  r: Report,
  s: ReportSource,
): { readonly handlers: readonly Handler[]; readonly job: Job } {
  const noted = (who: Scope, input: object, rows: number) => [
    {
      action: 'export' as const,
      entity: r.of.name,
      entityId: 0,
      projectCode: who.projectCode || undefined,
      after: { report: r.key, rows, filter: input },
    },
  ]
  const one = (q: ExportQuery) => ({ size: 1, from: 0, ...(q.ids?.length ? { ids: q.ids } : {}) })
  const all = (q: ExportQuery) => ({ ...one(q), size: sheetLimits.xlsxRows })
  const handlers = [
    reads(r.export.get, async (q: ExportQuery, { db, scope, today, app }) => {
      const said = await readReport(
        db,
        r,
        s,
        q,
        { scope, today },
        { ...all(q), size: sheetLimits.directRows },
      )
      if (assertExportSize(said.total, q) > sheetLimits.directRows)
        return refuse(
          `共 ${formatThousands(said.total)} 条，超过 ${formatThousands(sheetLimits.directRows)} 条，请用后台导出，完成后在任务中心下载`,
        )
      const { columns, lines } = buildSheet(r, q, said)
      const out = new PassThrough()
      await app.database.tx(scope.ownerId, tx => audit(tx, scope, noted(scope, q, said.total)))
      writeWorkbook(columns, [lines], out, { sheetName: r.title }).catch(e => out.destroy(e as Error))
      return { name: `${r.title}_${today.replaceAll('-', '')}.xlsx`, type: xlsxMediaType, body: out }
    }),
    writes(r.export.start, async (q: ExportQuery, { tx, scope, today, app }) => {
      const n = assertExportSize((await readReport(tx, r, s, q, { scope, today }, one(q))).total, q)
      return app.jobs.start(
        tx,
        scope,
        `export.fee-reports.${r.key}`,
        `导出${r.title} ${formatThousands(n)} 条`,
        q,
      )
    }),
  ]
  const work = defineJob<ExportQuery>({
    kind: `export.fee-reports.${r.key}`,
    type: 20,
    run: async ({ expected: _, ...q }, c) => {
      const today = dayOfMoment(fromInstant(c.app.clock()))
      const said = await readReport(
        c.database.reader(c.scope.ownerId),
        r,
        s,
        q,
        { scope: c.scope, today },
        all(q),
      )
      const { columns, lines } = buildSheet(r, q, said)
      assertExportSize(said.total, {})
      const dir = join(c.app.dataDir, 'tmp')
      const path = join(dir, randomUUID())
      await mkdir(dir, { recursive: true, mode: 0o700 })
      try {
        c.signal.throwIfAborted()
        await writeWorkbook(columns, [lines], createWriteStream(path, { mode: 0o600 }), {
          sheetName: r.title,
        })
        const file = await c.app.files.save(
          c.scope.ownerId,
          c.scope.operatorId,
          { name: `${r.title}_${today.replaceAll('-', '')}.xlsx`, type: xlsxMediaType, path },
          sheetLimits.retentionDays,
        )
        await c.database.tx(c.scope.ownerId, tx => audit(tx, c.scope, noted(c.scope, q, said.total)))
        return { success: said.total, file, message: `已导出 ${formatThousands(said.total)} 条` }
      } finally {
        await rm(path, { force: true })
      }
    },
  })
  return { handlers, job: work }
}
