import type { CellCollector } from './cell-collector.ts'
import type { NumberReader } from './number-format.ts'
import type { CellKind } from './worksheet.ts'
import { readAttribute, unescapeCellText, damagedWorkbook, type XmlHandler } from './xml-scanner.ts'

/** Collects the texts that cells share. Readings of Chinese characters (`rPh`) are no part of them. */
export function sharedStringsReader(strings: string[]): XmlHandler {
  let text = ''
  let inText = false
  let inReading = false
  return {
    open(name) {
      if (name === 'si') {
        text = ''
      } else if (name === 'rPh') {
        inReading = true
      } else if (name === 't') {
        inText = !inReading
      }
    },
    close(name) {
      if (name === 't') {
        inText = false
      } else if (name === 'rPh') {
        inReading = false
      } else if (name === 'si') {
        strings.push(unescapeCellText(text))
      }
    },
    text(raw) {
      if (inText) {
        text += raw
      }
    },
  }
}

/** The attributes of a cell, as the last `c` element gave them. */
interface CellAttributes {
  column: number
  type: string
  style: number
}

/** By hand and not with readAttribute(): this runs for each of a million cells. */
function readCellAttributes(attributes: string, cell: CellAttributes): void {
  cell.type = ''
  cell.style = 0
  cell.column++
  for (let i = 0; i < attributes.length;) {
    const equals = attributes.indexOf('=', i)
    if (equals < 0) break
    let from = equals + 1
    while (attributes.charCodeAt(from) <= 32) {
      from++
    }
    const to = attributes.indexOf(attributes.charAt(from++), from)
    if (to < 0) throw damagedWorkbook()
    const name = attributes.slice(i, equals).trim()
    if (name === 'r') {
      cell.column = columnOfReference(attributes, from, to)
    } else if (name === 't') {
      cell.type = attributes.slice(from, to)
    } else if (name === 's') {
      cell.style = Number(attributes.slice(from, to))
    }
    i = to + 1
  }
}

/** The kind and text of a cell; `value` is as it is in the file. */
function readCellValue(
  type: string,
  style: number,
  value: string,
  strings: readonly string[],
  format: (style: number) => NumberReader,
): { readonly kind: CellKind; readonly text: string } {
  switch (type) {
    case 's':
      return { kind: 'text', text: strings[Number(value)] ?? '' }
    case 'inlineStr':
    case 'str':
      return { kind: 'text', text: unescapeCellText(value) }
    case 'b':
      return { kind: 'flag', text: value === '1' || value === 'true' ? 'TRUE' : 'FALSE' }
    case 'e':
      return { kind: 'error', text: unescapeCellText(value) }
    case 'd':
      return { kind: 'date', text: value.replace('T', ' ').replace(/( 00:00:00)?(\.\d+)?Z?$/, '') }
  }
  const number = Number(value)
  if (value.trim() === '' || Number.isNaN(number)) return { kind: 'text', text: unescapeCellText(value) }
  return format(style)(number)
}

/** Puts the cells and merged ranges of one worksheet into the collector. */
class WorksheetReader implements XmlHandler {
  readonly #strings: readonly string[]
  readonly #format: (style: number) => NumberReader
  readonly #collector: CellCollector
  readonly #cell: CellAttributes = { column: -1, type: '', style: 0 }
  #line = 0
  #value = ''
  #isFormula = false
  #isInCell = false
  #isInValue = false
  #isInReading = false

  constructor(strings: readonly string[], format: (style: number) => NumberReader, collector: CellCollector) {
    this.#strings = strings
    this.#format = format
    this.#collector = collector
  }

  open(name: string, attributes: string): void {
    switch (name) {
      case 'c':
        this.#isInCell = true
        this.#isFormula = false
        this.#value = ''
        return readCellAttributes(attributes, this.#cell)
      case 'v':
        this.#isInValue = this.#isInCell
        return
      case 't':
        this.#isInValue = this.#isInCell && !this.#isInReading
        return
      case 'f':
        this.#isFormula = this.#isInCell
        return
      case 'rPh':
        this.#isInReading = true
        return
      case 'row':
        this.#line = Number(readAttribute(attributes, 'r') ?? this.#line + 1)
        this.#cell.column = -1
        return this.#collector.startLine(this.#line)
      case 'mergeCell':
        return this.#collector.addMerge(readAttribute(attributes, 'ref') ?? '')
    }
  }

  close(name: string): void {
    if (name === 'c') {
      this.#closeCell()
    } else if (name === 'v' || name === 't') {
      this.#isInValue = false
    } else if (name === 'rPh') {
      this.#isInReading = false
    }
  }

  text(raw: string): void {
    if (this.#isInValue) {
      this.#value += raw
    }
  }

  #closeCell(): void {
    this.#isInCell = false
    if (this.#value === '' && !this.#isFormula) return
    const { column, type, style } = this.#cell
    const { kind, text } = readCellValue(type, style, this.#value, this.#strings, this.#format)
    this.#collector.addCell(column, kind, text, this.#isFormula ? 'formula' : 'value')
  }
}

export const worksheetReader = (
  strings: readonly string[],
  format: (style: number) => NumberReader,
  collector: CellCollector,
): XmlHandler => new WorksheetReader(strings, format, collector)

function columnOfReference(text: string, from: number, to: number): number {
  let column = 0
  for (let i = from; i < to; i++) {
    const c = text.charCodeAt(i)
    if (c < 65 || c > 90) break
    column = column * 26 + c - 64
  }
  if (column === 0 || column > 16384) throw damagedWorkbook()
  return column - 1
}
