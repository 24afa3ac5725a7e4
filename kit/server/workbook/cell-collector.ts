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
  /** How many of the first lines stand above the heading. */
  readonly above: number
  readonly width: number
  readonly merged: readonly MergedRange[]
}

export const cellKinds: readonly CellKind[] = ['empty', 'text', 'number', 'date', 'flag', 'error']
const markByKind = Object.fromEntries(cellKinds.map((kind, i) => [kind, i])) as Record<CellKind, number>
export const formulaMark = 8
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
  addCell(column: number, kind: CellKind, text: string, formula: boolean): void
  addMerge(range: string): void
  finish(): Pick<SheetFrame, 'above' | 'width' | 'merged'>
}

export function createCellCollector(limits: WorkbookLimits, send: (batch: CellBatch) => void): CellCollector {
  let batch: CellBatch = { lines: [], widths: [], texts: [], marks: [] }
  let at = 0
  let filled = 0
  let texts: string[] = []
  let marks: number[] = []
  let count = 0
  let above = -1
  let widest = 0
  let widestLine = 0
  const merged: MergedRange[] = []

  function close(): void {
    if (filled > 0) {
      count++
      if (above < 0 && filled > 1) {
        above = count <= maxHeadingLine ? count - 1 : 0
      }
      if (count <= limits.lines + maxHeadingLine) {
        batch.lines.push(at)
        batch.widths.push(texts.length)
        for (const text of texts) {
          batch.texts.push(text)
        }
        for (const mark of marks) {
          batch.marks.push(mark)
        }
        if (batch.texts.length >= cellsPerBatch) {
          flush()
        }
      }
    }
    if (texts.length > 0) {
      texts = []
      marks = []
    }
    filled = 0
  }
  function flush(): void {
    if (batch.lines.length > 0) {
      send(batch)
    }
    batch = { lines: [], widths: [], texts: [], marks: [] }
  }

  return {
    startLine(line) {
      close()
      at = line
    },
    addCell(column, kind, text, formula) {
      if (text === '' && !formula) return
      const blank = text.trim() === ''
      if (!blank && column >= widest) {
        widest = column + 1
        widestLine = at
      }
      if (column >= limits.columns) return
      while (texts.length < column) {
        texts.push('')
        marks.push(0)
      }
      texts[column] = text
      marks[column] = markByKind[blank ? 'empty' : kind] + (formula ? formulaMark : 0)
      if (!blank) {
        filled++
      }
    },
    addMerge(range) {
      const place = /^\$?([A-Z]{1,3})\$?(\d{1,7})/.exec(range)
      if (place === null || merged.length >= maxMerges) return
      merged.push({
        line: Number(place[2]),
        column: columnNumber(defined(place[1])),
        range: range.replaceAll('$', ''),
      })
    },
    finish() {
      close()
      if (count === 0) throw new UnfitWorkbook('empty', '工作表是空的，没有表头也没有数据。请填写后再上传')
      if (above < 0) {
        above = 0
      }
      const lines = count - above - 1
      if (lines > limits.lines)
        throw new UnfitWorkbook(
          'too-many-lines',
          `共 ${formatThousands(lines)} 行数据，一次最多 ${formatThousands(limits.lines)} 行。请拆成 ${Math.ceil(lines / limits.lines)} 个文件分次导入`,
        )
      if (widest > limits.columns)
        throw new UnfitWorkbook(
          'too-many-columns',
          `共 ${formatThousands(widest)} 列（第 ${widestLine} 行写到了 ${columnName(widest - 1)} 列），最多 ${limits.columns} 列。请删去多余的列`,
        )
      flush()
      return { above, width: widest, merged }
    },
  }
}
