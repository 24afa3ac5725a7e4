import { defined } from '#kit/domain/defined.ts'
import {
  UnfitWorkbook,
  columnName,
  columnNumber,
  formatThousands,
  type CellKind,
  type FileKind,
  type WorkbookLimits,
  type MergedRange,
} from './worksheet.ts'

/**
 * Cells of some lines, packed to cross from thread to thread cheaply: one text and one mark per cell,
 * `widths[i]` of them for `lines[i]`.
 */
export interface CellBatch {
  readonly lines: number[]
  readonly widths: number[]
  readonly texts: string[]
  readonly marks: number[]
}

export interface SheetFrame {
  readonly file: FileKind
  readonly sheetName: string
  readonly sheetNames: readonly string[]
  /** How many of the first lines are above the heading. */
  readonly above: number
  readonly width: number
  readonly merged: readonly MergedRange[]
}

/** Kinds by their mark. */
export const cellKinds: readonly CellKind[] = ['empty', 'text', 'number', 'date', 'flag', 'error']
const markByKind: Readonly<Record<CellKind, number>> = {
  empty: 0,
  text: 1,
  number: 2,
  date: 3,
  flag: 4,
  error: 5,
}
export const formulaMark = 8

/** Whether a cell's text was entered or computed. */
export type CellOrigin = 'value' | 'formula'
const cellsPerBatch = 16_384

/** One is enough to refuse a file; nobody reads a thousand. */
const maxMerges = 1_000

/** How far down a heading is looked for; as `matchHeadings` of the contract does. */
const maxHeadingLine = 10

/**
 * Where the readers of all formats put their cells. It drops what is blank, finds the heading, keeps to the
 * limits.
 */
export interface CellCollector {
  /** The next line; `line` counts from 1. */
  startLine(line: number): void
  /** A cell of the current line; columns may come in any order and with gaps. */
  addCell(column: number, kind: CellKind, text: string, origin: CellOrigin): void
  addMerge(range: string): void
  finish(): Pick<SheetFrame, 'above' | 'width' | 'merged'>
}

const emptyBatch = (): CellBatch => ({ lines: [], widths: [], texts: [], marks: [] })

class BatchingCollector implements CellCollector {
  readonly #limits: WorkbookLimits
  readonly #send: (batch: CellBatch) => void
  readonly #merged: MergedRange[] = []
  #batch = emptyBatch()
  /** The current line: its number, its cells, and how many of them are not blank. */
  #line = 0
  #texts: string[] = []
  #marks: number[] = []
  #filledCells = 0
  /** Lines that are not blank. */
  #lineCount = 0
  /** How many of them are above the heading; -1 until it is found. */
  #above = -1
  #width = 0
  #widestLine = 0

  constructor(limits: WorkbookLimits, send: (batch: CellBatch) => void) {
    this.#limits = limits
    this.#send = send
  }

  startLine(line: number): void {
    this.#closeLine()
    this.#line = line
  }

  addCell(column: number, kind: CellKind, text: string, origin: CellOrigin): void {
    if (text === '' && origin === 'value') return
    const isBlank = text.trim() === ''
    if (!isBlank && column >= this.#width) {
      this.#width = column + 1
      this.#widestLine = this.#line
    }
    if (column >= this.#limits.columns) return
    while (this.#texts.length < column) {
      this.#texts.push('')
      this.#marks.push(0)
    }
    this.#texts[column] = text
    this.#marks[column] = markByKind[isBlank ? 'empty' : kind] + (origin === 'formula' ? formulaMark : 0)
    if (!isBlank) {
      this.#filledCells++
    }
  }

  addMerge(range: string): void {
    const start = /^\$?([A-Z]{1,3})\$?(\d{1,7})/.exec(range)
    if (start === null || this.#merged.length >= maxMerges) return
    this.#merged.push({
      line: Number(start[2]),
      column: columnNumber(defined(start[1])),
      range: range.replaceAll('$', ''),
    })
  }

  finish(): Pick<SheetFrame, 'above' | 'width' | 'merged'> {
    this.#closeLine()
    const above = Math.max(this.#above, 0)
    this.#checkLimits(this.#lineCount - above - 1)
    this.#flush()
    return { above, width: this.#width, merged: this.#merged }
  }

  #checkLimits(lines: number): void {
    const { lines: maxLines, columns: maxColumns } = this.#limits
    if (this.#lineCount === 0)
      throw new UnfitWorkbook('empty', '工作表是空的，没有表头也没有数据。请填写后再上传')
    if (lines > maxLines)
      throw new UnfitWorkbook(
        'too-many-lines',
        `共 ${formatThousands(lines)} 行数据，一次最多 ${formatThousands(maxLines)} 行。请拆成 ${Math.ceil(lines / maxLines)} 个文件分次导入`,
      )
    if (this.#width > maxColumns)
      throw new UnfitWorkbook(
        'too-many-columns',
        `共 ${formatThousands(this.#width)} 列（第 ${this.#widestLine} 行写到了 ${columnName(this.#width - 1)} 列），最多 ${maxColumns} 列。请删除多余的列`,
      )
  }

  /** Blank lines are dropped; the heading is the first line with two cells. */
  #closeLine(): void {
    if (this.#filledCells > 0) {
      this.#lineCount++
      if (this.#above < 0 && this.#filledCells > 1) {
        this.#above = this.#lineCount <= maxHeadingLine ? this.#lineCount - 1 : 0
      }
      // Lines beyond the limit are only counted.
      if (this.#lineCount <= this.#limits.lines + maxHeadingLine) {
        this.#packLine()
      }
    }
    if (this.#texts.length > 0) {
      this.#texts = []
      this.#marks = []
    }
    this.#filledCells = 0
  }

  #packLine(): void {
    const batch = this.#batch
    batch.lines.push(this.#line)
    batch.widths.push(this.#texts.length)
    for (const text of this.#texts) {
      batch.texts.push(text)
    }
    for (const mark of this.#marks) {
      batch.marks.push(mark)
    }
    if (batch.texts.length >= cellsPerBatch) {
      this.#flush()
    }
  }

  #flush(): void {
    if (this.#batch.lines.length > 0) {
      this.#send(this.#batch)
    }
    this.#batch = emptyBatch()
  }
}

export const createCellCollector = (
  limits: WorkbookLimits,
  send: (batch: CellBatch) => void,
): CellCollector => new BatchingCollector(limits, send)
