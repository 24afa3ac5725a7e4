import type { Cell } from '#kit/contract/sheet-reader.ts'
import { formatPlainNumber } from './number-format.ts'

/** What a sheet is after reading, whatever file it came from. Shared by reader, writer and importers. */

/** What stood in the file; readers tell it, `Cell` is what the import sees of it. */
export type CellKind = 'empty' | 'text' | 'number' | 'date' | 'flag' | 'error'

/**
 * `line` counts from 1 as Excel shows it. `cells` is as long as the sheet's `heading`. Lines without any text
 * are left out.
 */
export interface WorksheetLine {
  readonly line: number
  readonly cells: readonly Cell[]
}

/**
 * A merged range, at its first cell: `line` from 1, `column` from 0 (an index into `heading`), `range` as
 * `A2:C3` (IMP-5).
 */
export interface MergedRange {
  readonly line: number
  readonly column: number
  readonly range: string
}

export type FileKind = 'xlsx' | 'xls' | 'csv'

export interface Worksheet {
  readonly file: FileKind
  readonly sheetName: string
  /** The worksheets of the file in their order; empty for csv. */
  readonly sheetNames: readonly string[]
  /** Titles and notes above the heading, at most ten lines. */
  readonly linesAbove: readonly WorksheetLine[]
  /** The line (from 1) of the heading: the first with two texts, so that a title above it is stepped over. */
  readonly headingLine: number
  /** The headings of the file; `''` where a column has none. */
  readonly heading: readonly string[]
  /** Below the heading. */
  readonly lines: readonly WorksheetLine[]
  readonly merged: readonly MergedRange[]
}

/** A cell as text: numbers plain (no exponent, 15 digits), flags as Excel shows them. */
export const cellToText = (cell: Cell): string => {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'string') return cell
  if (typeof cell === 'number') return formatPlainNumber(cell)
  return typeof cell === 'boolean' ? (cell ? 'TRUE' : 'FALSE') : (cell.text ?? '')
}

/**
 * All lines with nothing left out, `rows[i]` is line i + 1: what `readSheet` and `matchHeadings` of the
 * contract take.
 */
export function toRows(sheet: Worksheet): (readonly Cell[])[] {
  const rows: (readonly Cell[])[] = []
  for (const { line, cells } of [
    ...sheet.linesAbove,
    { line: sheet.headingLine, cells: sheet.heading },
    ...sheet.lines,
  ]) {
    while (rows.length < line) {
      rows.push(emptyRow)
    }
    rows[line - 1] = cells
  }
  return rows
}

const emptyRow: readonly Cell[] = []

export interface WorkbookLimits {
  /** Bytes of the file. */
  readonly bytes: number
  /** Lines with text below the heading. */
  readonly lines: number
  readonly columns: number
  /** Bytes of all parts of the file after unpacking, and how many parts there may be. */
  readonly unpacked: number
  readonly parts: number
  /** Unpacked to packed; looked at above 10 MB only, small parts repeat themselves honestly. */
  readonly ratio: number
  readonly milliseconds: number
  /** Heap of the reading thread, MB. */
  readonly memory: number
}

export type WorkbookFault =
  | 'too-large'
  | 'too-many-lines'
  | 'too-many-columns'
  | 'too-big-inside'
  | 'too-slow'
  | 'busy'
  | 'encrypted'
  | 'damaged'
  | 'not-a-workbook'
  | 'old-format'
  | 'unknown-letters'
  | 'empty'
  | 'no-such-sheet'

/**
 * Thrown where a file turns out unfit; leaves the reading thread as `WorkbookRefused` (read.ts). `message` is
 * for people, `why` for code.
 */
export class UnfitWorkbook extends Error {
  readonly reason: WorkbookFault
  constructor(why: WorkbookFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = why
  }
}

/** 0 → `A`, 25 → `Z`, 26 → `AA`. */
export function columnName(column: number): string {
  let name = ''
  for (let n = column; n >= 0; n = Math.floor(n / 26) - 1) {
    name = String.fromCharCode(65 + (n % 26)) + name
  }
  return name
}

/** `A` → 0, `AA` → 26. */
export const columnNumber = (name: string): number =>
  [...name].reduce((n, c) => n * 26 + c.charCodeAt(0) - 64, 0) - 1

/** `1234567` → `1,234,567`, for messages. */
export const formatThousands = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',')

/** Bytes as `12.3 MB`, never rounded down to a limit it exceeds. */
export const formatMegabytes = (bytes: number): string => `${Math.ceil((bytes / 1048576) * 10) / 10} MB`
