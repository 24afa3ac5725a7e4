import {
  Unfit,
  columnName,
  columnNumber,
  grouped,
  type CellKind,
  type FileKind,
  type Limits,
  type Merge,
} from './sheet.ts'

/**
 * Cells of some lines, packed to cross from thread to thread cheaply: one text and one mark per cell,
 * `widths[i]` of them for `lines[i]`.
 */
export interface Batch {
  readonly lines: number[]
  readonly widths: number[]
  readonly texts: string[]
  readonly marks: number[]
}

export interface Frame {
  readonly file: FileKind
  readonly sheetName: string
  readonly sheetNames: readonly string[]
  /** How many of the first lines stand above the heading. */
  readonly above: number
  readonly width: number
  readonly merged: readonly Merge[]
}

export const kinds: readonly CellKind[] = ['empty', 'text', 'number', 'date', 'flag', 'error']
const markOf = Object.fromEntries(kinds.map((kind, i) => [kind, i])) as Record<CellKind, number>
export const formulaMark = 8
const batchCells = 16_384

/** One is enough to refuse a file; nobody reads a thousand. */
const mergesShown = 1_000

/** How far down a heading is looked for; as `matchHeadings` of the contract does. */
const headingWithin = 10

/**
 * Where the readers of all formats put their cells. It drops what is blank, finds the heading, keeps to the
 * limits.
 */
export interface Gather {
  /** The next line; `line` counts from 1. */
  line(line: number): void
  /** A cell of the current line; columns may come in any order and with gaps. */
  cell(column: number, kind: CellKind, text: string, formula: boolean): void
  merge(range: string): void
  finish(): Pick<Frame, 'above' | 'width' | 'merged'>
}

export function gather(limits: Limits, send: (batch: Batch) => void): Gather {
  let batch: Batch = { lines: [], widths: [], texts: [], marks: [] }
  let at = 0
  let filled = 0
  let texts: string[] = []
  let marks: number[] = []
  let count = 0
  let above = -1
  let widest = 0
  let widestLine = 0
  const merged: Merge[] = []

  function close(): void {
    if (filled > 0) {
      count++
      if (above < 0 && filled > 1) {
        above = count <= headingWithin ? count - 1 : 0
      }
      if (count <= limits.lines + headingWithin) {
        batch.lines.push(at)
        batch.widths.push(texts.length)
        for (const text of texts) {
          batch.texts.push(text)
        }
        for (const mark of marks) {
          batch.marks.push(mark)
        }
        if (batch.texts.length >= batchCells) {
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
    line(line) {
      close()
      at = line
    },
    cell(column, kind, text, formula) {
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
      marks[column] = markOf[blank ? 'empty' : kind] + (formula ? formulaMark : 0)
      if (!blank) {
        filled++
      }
    },
    merge(range) {
      const place = /^\$?([A-Z]{1,3})\$?(\d{1,7})/.exec(range)
      if (place === null || merged.length >= mergesShown) return
      merged.push({
        line: Number(place[2]),
        column: columnNumber(place[1]!),
        range: range.replaceAll('$', ''),
      })
    },
    finish() {
      close()
      if (count === 0) throw new Unfit('empty', '工作表是空的，没有表头也没有数据。请填写后再上传')
      if (above < 0) {
        above = 0
      }
      const lines = count - above - 1
      if (lines > limits.lines)
        throw new Unfit(
          'too-many-lines',
          `共 ${grouped(lines)} 行数据，一次最多 ${grouped(limits.lines)} 行。请拆成 ${Math.ceil(lines / limits.lines)} 个文件分次导入`,
        )
      if (widest > limits.columns)
        throw new Unfit(
          'too-many-columns',
          `共 ${grouped(widest)} 列（第 ${widestLine} 行写到了 ${columnName(widest - 1)} 列），最多 ${limits.columns} 列。请删去多余的列`,
        )
      flush()
      return { above, width: widest, merged }
    },
  }
}
