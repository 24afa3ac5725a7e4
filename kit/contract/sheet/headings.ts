import type { SheetSchema, SheetColumn } from '../sheet.ts'
import { cleanText, toHalfWidth } from '../text.ts'
import { cellToText, type Cell } from './cell.ts'
import type { SheetFault } from './line.ts'

const normalizeHeading = (heading: string): string =>
  toHalfWidth(cleanText(heading))
    .replace(/[\s*:]/g, '')
    .replace(/\([^()]*\)$/, '')
    .toLowerCase()

/** Columns that our own files carry and that say nothing to an import (IMP-3). */
const ignoredHeadings = new Set(['', '结果', '原因', '行号', '序号', '说明'])

/** Whether a heading is one of those, or none at all. */
export const isOwnHeading = (heading: string): boolean => ignoredHeadings.has(normalizeHeading(heading))

/** The line of headings is among the first ten. */
const maxHeadingLine = 10

type FoundColumn = SheetColumn & { readonly index: number }

export interface MatchedHeadings {
  readonly headingIndex: number
  readonly columns: readonly FoundColumn[]
  readonly faults: readonly SheetFault[]
  readonly warnings: readonly SheetFault[]
}

/** Columns by heading, label and synonym; a column's own label wins over another's synonym. */
function columnsByHeading(sheet: SheetSchema): ReadonlyMap<string, SheetColumn> {
  const byHeading = new Map<string, SheetColumn>()
  for (const column of sheet.columns.toReversed()) {
    for (const name of [column.heading, column.field.label, ...(column.field.synonyms ?? [])].toReversed()) {
      byHeading.set(normalizeHeading(name), column)
    }
  }
  for (const column of sheet.columns) {
    byHeading.set(normalizeHeading(column.field.label), column)
  }
  return byHeading
}

/** The first line that knows the most columns. */
function findHeadingIndex(
  rows: readonly (readonly Cell[])[],
  byHeading: ReadonlyMap<string, SheetColumn>,
): number {
  const counts = rows.slice(0, maxHeadingLine).map(row => {
    const columns = row.map(cell => byHeading.get(normalizeHeading(cellToText(cell))))
    return new Set(columns.filter(column => column !== undefined)).size
  })
  return Math.max(0, counts.indexOf(Math.max(...counts, 0)))
}

/**
 * Finds the line of headings among the first ten and says which column is where. Unknown columns warn,
 * missing required ones are faults.
 */
export function matchHeadings(sheet: SheetSchema, rows: readonly (readonly Cell[])[]): MatchedHeadings {
  const byHeading = columnsByHeading(sheet)
  const headingIndex = findHeadingIndex(rows, byHeading)
  const columns: FoundColumn[] = []
  const faults: SheetFault[] = []
  const warnings: SheetFault[] = []
  const fault = (column: string, message: string, remedy: string): SheetFault => ({
    line: headingIndex + 1,
    column,
    value: '',
    message,
    remedy,
  })
  const isFound = (key: string): boolean => columns.some(column => column.key === key)
  rows[headingIndex]?.forEach((cell, index) => {
    const heading = cellToText(cell)
    const normalized = normalizeHeading(heading)
    if (ignoredHeadings.has(normalized)) return
    const column = byHeading.get(normalized)
    if (!column) {
      warnings.push(fault(heading, `无法识别列「${heading}」，已忽略`, '如需导入，请改为模板中的列名'))
    } else if (isFound(column.key)) {
      faults.push(fault(heading, `「${column.heading}」这一列出现了两次`, '只保留一列'))
    } else {
      columns.push({ ...column, index })
    }
  })
  for (const column of sheet.columns) {
    if (column.required && !isFound(column.key)) {
      faults.push(fault(column.heading, `缺少「${column.heading}」这一列`, '按模板补充该列'))
    }
  }
  return { headingIndex, columns, faults, warnings }
}
