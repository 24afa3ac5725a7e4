import { Unfit, columnName, grouped, type CellKind, type FileKind, type Limits, type Merge } from './sheet.ts'

/** Cells of some lines, packed to cross from thread to thread cheaply: one text and one mark per cell, `widths[i]` of them for `lines[i]`. */
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
  readonly headingLine: number
  readonly headingText: readonly string[]
  readonly merged: readonly Merge[]
}

export const kinds: readonly CellKind[] = ['empty', 'text', 'number', 'date', 'flag', 'error']
const markOf = Object.fromEntries(kinds.map((kind, i) => [kind, i])) as Record<CellKind, number>
export const formulaMark = 8
const batchCells = 16_384
/** One is enough to refuse a file; nobody reads a thousand. */
const mergesShown = 1_000

/** Where the readers of all formats put their cells. It drops what is blank, finds the heading, keeps to the limits. */
export interface Gather {
  /** The next line; `line` counts from 1. */
  line(line: number): void
  /** A cell of the current line; columns may come in any order and with gaps. */
  cell(column: number, kind: CellKind, text: string, formula: boolean): void
  merge(range: string): void
  finish(): Pick<Frame, 'headingLine' | 'headingText' | 'merged'>
}

export function gather(limits: Limits, headingLine: number | undefined, send: (batch: Batch) => void): Gather {
  let batch: Batch = { lines: [], widths: [], texts: [], marks: [] }
  let at = 0
  let filled = false
  let texts: string[] = []
  let marks: number[] = []
  let heading: { line: number; texts: string[] } | undefined
  let count = 0
  let widest = 0
  let widestLine = 0
  const merged: Merge[] = []

  function close(): void {
    if (!filled) {
      if (texts.length > 0) (texts = []), (marks = [])
      return
    }
    if (heading === undefined) {
      if (headingLine === undefined || at >= headingLine) heading = { line: at, texts }
    } else if (++count <= limits.lines) {
      batch.lines.push(at)
      batch.widths.push(texts.length)
      for (const text of texts) batch.texts.push(text)
      for (const mark of marks) batch.marks.push(mark)
      if (batch.texts.length >= batchCells) flush()
    }
    texts = []
    marks = []
    filled = false
  }
  function flush(): void {
    if (batch.lines.length > 0) send(batch)
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
      while (texts.length < column) texts.push(''), marks.push(0)
      texts[column] = text
      marks[column] = markOf[blank ? 'empty' : kind] + (formula ? formulaMark : 0)
      filled ||= !blank
    },
    merge(range) {
      const place = /^\$?([A-Z]{1,3})\$?(\d+)/.exec(range)
      if (place === null || merged.length >= mergesShown) return
      const column = [...place[1]!].reduce((n, c) => n * 26 + c.charCodeAt(0) - 64, 0) - 1
      merged.push({ line: Number(place[2]), column, range: range.replaceAll('$', '') })
    },
    finish() {
      close()
      if (count > limits.lines)
        throw new Unfit('too-many-lines', `共 ${grouped(count)} 行数据，一次最多 ${grouped(limits.lines)} 行。请拆成 ${Math.ceil(count / limits.lines)} 个文件分次导入`)
      if (widest > limits.columns)
        throw new Unfit('too-many-columns', `共 ${grouped(widest)} 列（第 ${widestLine} 行写到了 ${columnName(widest - 1)} 列），最多 ${limits.columns} 列。请删去多余的列`)
      if (heading === undefined) throw new Unfit('empty', '工作表是空的，没有表头也没有数据。请填写后再上传')
      flush()
      const headingText = heading.texts.slice()
      while (headingText.length < widest) headingText.push('')
      headingText.length = widest
      return { headingLine: heading.line, headingText, merged }
    },
  }
}
