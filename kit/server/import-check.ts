import type { Fields } from '#kit/contract/field.ts'
import {
  findDuplicateLines,
  resolveReferences,
  type SheetFault,
  type SheetLine,
  type readSheet,
} from '#kit/contract/sheet-reader.ts'
import type { ImportDefinition, ImportSession, ReadyLine } from './import-definition.ts'

/** The lines of a file by what becomes of them. */
export interface CheckedLines<T, E> {
  readonly ready: readonly ReadyLine<T, E>[]
  /** How many of the ready lines the chosen mode leaves out. */
  readonly skippedCount: number
  readonly faults: readonly SheetFault[]
  readonly repeats: readonly SheetFault[]
  readonly existing: readonly SheetFault[]
  readonly warnings: readonly SheetFault[]
}

/** What is in the cell: yuan, names and days as they were typed, not as they are kept. */
const displayedValue = (line: SheetLine, key: string): string => line.texts[key] ?? ''

/** A line has no faults: its required cells are filled, so that it is a whole row. */
const isComplete = <T>(line: SheetLine<T>): line is SheetLine<T> & { readonly row: T } =>
  line.faults.length === 0

interface RowFault {
  readonly column: string
  readonly message: string
  readonly remedy: string
}

/** Names the cells of a line by the headings of the sheet. */
function createFaultBuilders<T, X extends Fields, E>(
  definition: ImportDefinition<T, X, E>,
  session: ImportSession<T, E>,
) {
  const { columns, unique } = definition.sheet
  const headingByKey = new Map(columns.map(column => [column.key, column.heading]))
  const uniqueColumns = columns.filter(column => unique.includes(column.key))
  const atCell = (line: SheetLine<T>, { column, message, remedy }: RowFault): SheetFault => ({
    line: line.line,
    column: headingByKey.get(column) ?? '',
    value: displayedValue(line, column),
    message,
    remedy,
  })
  const existingFault = (line: SheetLine<T>, existing: E): SheetFault => ({
    line: line.line,
    column: uniqueColumns.map(column => column.heading).join('、'),
    value: uniqueColumns.map(column => displayedValue(line, column.key)).join('、'),
    message: '系统中已有',
    remedy: '按所选的方式处理',
    ...session.describeExisting?.(existing),
  })
  return { atCell, existingFault }
}

/**
 * Checks every line; all that is wrong comes back, repeats inside the file apart from what already exists
 * (IMP-6).
 */
export async function checkLines<T, X extends Fields, E>(
  definition: ImportDefinition<T, X, E>,
  sheet: ReturnType<typeof readSheet<T>>,
  session: ImportSession<T, E>,
): Promise<CheckedLines<T, E>> {
  const { normalizeRow } = session
  const resolved = sheet.lines.map(line => resolveReferences(sheet, line, session.findReferences))
  const lines = normalizeRow ? resolved.map(line => ({ ...line, row: normalizeRow(line.row) })) : resolved
  const existingByLine = await session.findExisting(lines)
  const rowByLine = new Map(lines.map(({ line, row }) => [line, row]))
  const repeats = findDuplicateLines(definition.sheet, lines).map(fault => {
    const row = rowByLine.get(fault.line)
    return { ...fault, remedy: (row && session.repeatRemedy?.(row)) ?? fault.remedy }
  })
  const repeatedLines = new Set(repeats.map(fault => fault.line))
  const { atCell, existingFault } = createFaultBuilders(definition, session)
  const checked = {
    ready: new Array<ReadyLine<T, E>>(),
    faults: new Array<SheetFault>(),
    existing: new Array<SheetFault>(),
    warnings: new Array<SheetFault>(),
  }
  for (const line of lines) {
    const existing = existingByLine.get(line.line)
    const faultyColumns = new Set(line.faults.map(fault => fault.column))
    const ruleFaults = session
      .checkRow(line.row, existing)
      .map(fault => atCell(line, fault))
      .filter(fault => !faultyColumns.has(fault.column))
    checked.faults.push(...line.faults, ...ruleFaults)
    if (!isComplete(line) || ruleFaults.length) continue
    checked.warnings.push(...(session.warnRow?.(line.row) ?? []).map(warning => atCell(line, warning)))
    if (!repeatedLines.has(line.line)) {
      checked.ready.push({ line: line.line, row: line.row, existing })
      // A faulty or repeated line is counted there, once: what is known of it is treated in no way.
      if (existing !== undefined) {
        checked.existing.push(existingFault(line, existing))
      }
    }
  }
  const { isSkipped } = session
  return { ...checked, repeats, skippedCount: isSkipped ? checked.ready.filter(isSkipped).length : 0 }
}

const faultText = ({ column, message, remedy }: SheetFault): string =>
  `${column ? `「${column}」` : ''}${message}${remedy ? `（${remedy}）` : ''}`

/** Everything that is wrong with a line and what to do about it, as one text. */
export const faultTextByLine = (faults: readonly SheetFault[]): Map<number, string> =>
  new Map(
    [...Map.groupBy(faults, fault => fault.line)].map(([line, ofLine]) => [
      line,
      ofLine.map(faultText).join('；'),
    ]),
  )
