import { toError } from '#kit/domain/to-error.ts'
import { PassThrough } from 'node:stream'
import { labelOf } from '#kit/contract/field.ts'
import type { FileResponse } from '#kit/contract/file-response.ts'
import { exportColumns, formatExportRow, sheetColumns, type SheetColumn } from '#kit/contract/sheet.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { sumFen } from '#kit/domain/money.ts'
import { audit } from '#kit/server/audit.ts'
import type { Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { App } from '#kit/server/app.ts'
import { exportHeaderLines, totalsRow } from '#kit/server/export-header-footer.ts'
import { writeWorkbook, xlsxMediaType } from '#kit/server/workbook/workbook-writer.ts'
import { previewGroup } from '../contract/choices.ts'
import { exportPreview, previewRowFields, type RunPreview } from '../contract/run.ts'

type ExportRequest = NonNullable<typeof exportPreview.input.T>

/** An export has no required fields. */
const optionalColumns = (keys: readonly (keyof typeof previewRowFields)[]): readonly SheetColumn[] =>
  exportColumns(sheetColumns(previewRowFields, keys))

const columnsByGroup = {
  make: optionalColumns([
    'sourceName',
    'payerName',
    'itemName',
    'standardName',
    'begin',
    'end',
    'dueDate',
    'amount',
    'last',
    'change',
    'isLargeChange',
    'payerMissing',
    'sentence',
  ]),
  skip: optionalColumns(['sourceName', 'itemName', 'standardName', 'begin', 'end', 'reason', 'detail']),
} as const

/** One group of a preview as a workbook, in the columns of the screen (EXP-4, EXP-5). */
export async function createPreviewFile(
  app: App,
  scope: Scope,
  { group = 'make', reason, ...request }: ExportRequest,
  db: Db,
  preview: RunPreview,
  today: Day,
): Promise<FileResponse> {
  const rows = preview.rows.filter(r => r.group === group && (!reason || r.reason === reason))
  const columns = columnsByGroup[group === 'make' ? 'make' : 'skip']
  const out = new PassThrough()
  const title = `账单预览_${labelOf(previewGroup, group)}`
  if (!rows.length) return refuse('暂无可导出的预览，请调整范围后重新预览')
  await app.database.tx(scope.ownerId, tx =>
    audit(tx, scope, [
      {
        action: 'export',
        entity: 'bill',
        entityId: 0,
        projectCode: request.projectCode,
        after: { rows: rows.length, preview: group, filter: { ...request, reason } },
      },
    ]),
  )
  const { projectCode, month } = request
  const asked = { projectCode, month, group, reason }
  const head = await exportHeaderLines(exportPreview, title, asked, { db, scope, app })
  const totals = totalsRow(columns, { amount: sumFen(rows.flatMap(r => r.amount ?? [])) }, rows.length)
  writeWorkbook(
    columns,
    [
      rows.map(r =>
        formatExportRow(columns, r as Record<string, unknown>, { mask: !scope.canSeePersonalData }),
      ),
    ],
    out,
    { sheetName: title, head, totals },
  ).catch((e: unknown) => out.destroy(toError(e)))
  return {
    name: `${title}_${request.month}_${today.replaceAll('-', '')}.xlsx`,
    type: xlsxMediaType,
    body: out,
  }
}
