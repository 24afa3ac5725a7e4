import type { BulkResult } from '#kit/contract/bulk-result.ts'
import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { mkdir, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { text, type FileKey } from '#kit/contract/field.ts'
import { sheetColumns, sheetLimits, formatSheetRow } from '#kit/contract/sheet.ts'
import { writeDiskFile } from '#kit/server/disk-file.ts'
import type { JobContext } from '#kit/server/jobs.ts'
import { findByIds } from '#kit/server/table.ts'
import { writeWorkbook, xlsxMediaType } from '#kit/server/workbook/workbook-writer.ts'
import { bill } from '../contract/bill.ts'

/** The refused bill ids of a task by reason, as its checkpoint stores them. */
export type Refusals = Readonly<Record<string, readonly Id[]>>

export function addRefusals(previous: Refusals, rows: BulkResult['rows']): Refusals {
  const merged: Record<string, readonly Id[]> = { ...previous }
  for (const [reason, refused] of Map.groupBy(rows, r => r.reason)) {
    merged[reason] = [...(merged[reason] ?? []), ...refused.map(r => defined(r.id))]
  }
  return merged
}

/** The counts for the task centre, the most frequent reason first. */
export const countByReason = (refusals: Refusals): { reason: string; count: number }[] =>
  Object.entries(refusals)
    .map(([reason, list]) => ({ reason, count: list.length }))
    .toSorted((a, b) => b.count - a.count)

const refusalColumns = sheetColumns({ ...bill.fields, reason: text('原因', { required: true }) }, [
  'billNo',
  'sourceName',
  'payerName',
  'beginDate',
  'endDate',
  'dueDate',
  'amount',
  'unpaid',
  'reason',
])

/** Saves the refused bills with their reasons as a workbook of the task. */
export async function saveRefusalFile(
  { database, scope, app }: JobContext,
  refused: Refusals,
  title: string,
  refusals: string,
): Promise<FileKey> {
  const reasonById = new Map(
    Object.entries(refused).flatMap(([reason, ids]) => ids.map(id => [id, reason] as const)),
  )
  const columns = refusalColumns.map(c => ({ ...c, required: false }))
  const ids = [...reasonById.keys()]
  const dir = join(app.dataDir, 'tmp')
  const path = join(dir, randomUUID())
  const lines = async function* () {
    for (let i = 0; i < ids.length; i += 2000) {
      yield (await findByIds(database.reader(scope.ownerId), bill, scope, ids.slice(i, i + 2000))).map(b =>
        formatSheetRow(columns, { ...b, reason: reasonById.get(b.id) }, { mask: !scope.canSeePersonalData }),
      )
    }
  }
  await mkdir(dir, { recursive: true, mode: 0o700 })
  try {
    await writeWorkbook(columns, lines(), writeDiskFile(path), { sheetName: title })
    return await app.files.save(
      scope.ownerId,
      scope.operatorId,
      { name: `${title}_${refusals}.xlsx`, type: xlsxMediaType, path },
      sheetLimits.retentionDays,
    )
  } finally {
    await rm(path, { force: true })
  }
}
