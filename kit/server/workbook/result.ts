import type { Writable } from 'node:stream'
import type { Column, Row } from './column.ts'
import { textOf, type Line, type Sheet } from './sheet.ts'
import { writeWorkbook, type Written } from './write.ts'

export const resultHeading = '结果'

/**
 * Writes an uploaded sheet again as xlsx, its cells as the texts they were read as, with the last column 结果
 * saying what became of each line (IMP-3). A 结果 that it carried before is replaced. `heading` is the line of
 * headings when the import found another one than the reader; lines above it are left out. Corrected, the
 * file can be uploaded as it is.
 */
export function writeResult(
  sheet: Sheet,
  resultOf: (line: number) => string,
  out: Writable,
  heading = sheet.headingLine,
): Promise<Written> {
  const all: readonly Line[] = [
    ...sheet.above,
    { line: sheet.headingLine, cells: sheet.heading },
    ...sheet.lines,
  ]
  const head = (all.find(l => l.line === heading)?.cells ?? sheet.heading).map(textOf)
  const kept = head.flatMap((text, i) => (text.trim() === resultHeading ? [] : [i]))
  const columns: Column[] = [
    ...kept.map(i => ({ heading: head[i]!, format: '@' })),
    { heading: resultHeading, format: '@', width: 60 },
  ]
  return writeWorkbook(columns, batches(), out, { sheetName: sheet.sheetName || '导入结果' })

  function* batches(): Generator<Row[]> {
    const below = all.filter(l => l.line > heading)
    for (let at = 0; at < below.length; at += 500) {
      yield below.slice(at, at + 500).map(l => [...kept.map(i => textOf(l.cells[i])), resultOf(l.line)])
    }
  }
}
