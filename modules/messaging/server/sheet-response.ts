import { PassThrough } from 'node:stream'
import type { FileResponse } from '#kit/contract/file-response.ts'
import { toError } from '#kit/domain/to-error.ts'
import type { OutputColumn, Row } from '#kit/server/workbook/column.ts'
import { writeWorkbook, xlsxMediaType } from '#kit/server/workbook/workbook-writer.ts'

/** A sheet of a few rows that are read already; `head`: the lines above them. */
export function sheetResponse(
  name: string,
  columns: readonly OutputColumn[],
  rows: readonly Row[],
  sheetName: string,
  head?: readonly string[],
): FileResponse {
  const body = new PassThrough()
  writeWorkbook(columns, [rows], body, { sheetName, ...(head && { head }) }).catch((error: unknown) => {
    body.destroy(toError(error))
  })
  return { name, type: xlsxMediaType, body }
}
