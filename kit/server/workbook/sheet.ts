/** What a sheet is after reading, whatever file it came from. Shared by reader, writer and whoever imports. */

export type CellKind = 'empty' | 'text' | 'number' | 'date' | 'flag' | 'error'

/**
 * `text` is what a person reads, in one spelling: numbers plain (`13812345678`, `1234.5`: no thousands marks, no exponent),
 * `000123` where the format pads, `5%` where it says percent; dates `yyyy-MM-dd`, `yyyy-MM-dd HH:mm:ss`, `yyyy-MM` or `HH:mm:ss`
 * as far as their format shows them; flags `TRUE` / `FALSE`; errors `#N/A`. Nothing is trimmed or narrowed here.
 * `formula` says that the cell is computed; `text` is then its last value.
 */
export interface Cell {
  readonly kind: CellKind
  readonly text: string
  readonly formula: boolean
}

/** `line` counts from 1 as Excel shows it. `cells` is as long as the sheet's `heading`. Lines without any text are left out. */
export interface Line {
  readonly line: number
  readonly cells: readonly Cell[]
}

/** A merged range, at its first cell: `line` from 1, `column` from 0 (an index into `heading`), `range` as `A2:C3` (IMP-5). */
export interface Merge {
  readonly line: number
  readonly column: number
  readonly range: string
}

export type FileKind = 'xlsx' | 'xls' | 'csv'

export interface Sheet {
  readonly file: FileKind
  readonly sheetName: string
  /** The worksheets of the file in their order; empty for csv. */
  readonly sheetNames: readonly string[]
  readonly headingLine: number
  /** Headings fit for looking up: trimmed, without line breaks and without marks of 必填. `''` where a column has none. */
  readonly heading: readonly string[]
  /** The same headings as they stand in the file. */
  readonly headingText: readonly string[]
  readonly lines: readonly Line[]
  readonly merged: readonly Merge[]
}

export const emptyCell: Cell = { kind: 'empty', text: '', formula: false }

export interface Limits {
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

/** IMP-2, and what a hostile file may cost. */
export const limits: Limits = {
  bytes: 10 * 1024 * 1024,
  lines: 20_000,
  columns: 200,
  unpacked: 300 * 1024 * 1024,
  parts: 2_000,
  ratio: 200,
  milliseconds: 60_000,
  memory: 256,
}

export type Why =
  | 'too-large' | 'too-many-lines' | 'too-many-columns' | 'too-big-inside' | 'too-slow' | 'busy'
  | 'encrypted' | 'damaged' | 'not-a-workbook' | 'old-format' | 'unknown-letters' | 'empty' | 'no-such-sheet'

/** Thrown where a file turns out unfit; leaves the reading thread as `WorkbookRefused` (read.ts). `message` is for people, `why` for code. */
export class Unfit extends Error {
  readonly why: Why
  constructor(why: Why, message: string, options?: ErrorOptions) {
    super(message, options)
    this.why = why
  }
}

/** 0 → `A`, 25 → `Z`, 26 → `AA`. */
export function columnName(column: number): string {
  let name = ''
  for (let n = column; n >= 0; n = Math.floor(n / 26) - 1) name = String.fromCharCode(65 + (n % 26)) + name
  return name
}

/** Excel keeps 15 digits of a number: a longer one (an identity card typed as a number) has already lost its tail. */
export const lostDigits = (cell: Cell): boolean => cell.kind === 'number' && /^-?\d{16,}$/.test(cell.text)

/** `1234567` → `1,234,567`, for messages. */
export const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',')
/** Bytes as `12.3 MB`, never rounded down to a limit it exceeds. */
export const megabytes = (bytes: number): string => `${Math.ceil((bytes / 1048576) * 10) / 10} MB`
