import { defined } from '#kit/domain/defined.ts'
import type { Writable } from 'node:stream'
import type { OutputColumn, Row } from './column.ts'
import { cellToText, type WorksheetLine, type Worksheet } from './worksheet.ts'
import { writeWorkbook, type WriteResult } from './workbook-writer.ts'

export const resultHeading = '结果'

/**
 * Writes an uploaded sheet again as xlsx, its cells as the texts they were read as, with the last column 结果
 * saying what became of each line (IMP-3). A 结果 that it carried before is replaced. `heading` is the line of
 * headings when the import found another one than the reader; lines above it are left out. Corrected, the
 * file can be uploaded as it is.
 */
export function writeResult(
  sheet: Worksheet,
  resultOf: (line: number) => string,
  out: Writable,
  heading = sheet.headingLine,
): Promise<WriteResult> {
  const all: readonly WorksheetLine[] = [
    ...sheet.linesAbove,
    { line: sheet.headingLine, cells: sheet.heading },
    ...sheet.lines,
  ]
  const head = (all.find(l => l.line === heading)?.cells ?? sheet.heading).map(cellToText)
  const kept = head.flatMap((text, i) => (text.trim() === resultHeading ? [] : [i]))
  const columns: OutputColumn[] = [
    ...kept.map(i => ({ heading: defined(head[i]), format: '@' })),
    { heading: resultHeading, format: '@', width: 60 },
  ]
  return writeWorkbook(columns, batches(), out, { sheetName: sheet.sheetName || '导入结果' })

  function* batches(): Generator<Row[]> {
    const below = all.filter(l => l.line > heading)
    for (let at = 0; at < below.length; at += 500) {
      yield below.slice(at, at + 500).map(l => [...kept.map(i => cellToText(l.cells[i])), resultOf(l.line)])
    }
  }
}
