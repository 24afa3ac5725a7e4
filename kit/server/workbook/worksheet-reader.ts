import type { CellCollector } from './cell-collector.ts'
import type { NumberReader } from './number-format.ts'
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

/** Puts the cells and merged ranges of one worksheet into `into`. */
export function worksheetReader(
  strings: readonly string[],
  format: (style: number) => NumberReader,
  into: CellCollector,
): XmlHandler {
  let line = 0
  let column = -1
  let type = ''
  let style = 0
  let value = ''
  let formula = false
  let inCell = false
  let inValue = false
  let inReading = false

  function openCell(attributes: string): void {
    inCell = true
    formula = false
    value = ''
    type = ''
    style = 0
    column++
    // By hand and not with attribute(): this runs for each of a million cells.
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
        column = columnOfReference(attributes, from, to)
      } else if (name === 't') {
        type = attributes.slice(from, to)
      } else if (name === 's') {
        style = Number(attributes.slice(from, to))
      }
      i = to + 1
    }
  }

  function closeCell(): void {
    inCell = false
    if (value === '' && !formula) return
    switch (type) {
      case 's':
        return into.addCell(column, 'text', strings[Number(value)] ?? '', formula)
      case 'inlineStr':
      case 'str':
        return into.addCell(column, 'text', unescapeCellText(value), formula)
      case 'b':
        return into.addCell(column, 'flag', value === '1' || value === 'true' ? 'TRUE' : 'FALSE', formula)
      case 'e':
        return into.addCell(column, 'error', unescapeCellText(value), formula)
      case 'd':
        return into.addCell(
          column,
          'date',
          value.replace('T', ' ').replace(/( 00:00:00)?(\.\d+)?Z?$/, ''),
          formula,
        )
    }
    const n = Number(value)
    if (value.trim() === '' || Number.isNaN(n))
      return into.addCell(column, 'text', unescapeCellText(value), formula)
    const read = format(style)(n)
    into.addCell(column, read.kind, read.text, formula)
  }

  return {
    open(name, attributes) {
      switch (name) {
        case 'c':
          return openCell(attributes)
        case 'v':
          inValue = inCell
          return
        case 't':
          inValue = inCell && !inReading
          return
        case 'f':
          formula = inCell
          return
        case 'rPh':
          inReading = true
          return
        case 'row':
          line = Number(readAttribute(attributes, 'r') ?? line + 1)
          column = -1
          return into.startLine(line)
        case 'mergeCell':
          return into.addMerge(readAttribute(attributes, 'ref') ?? '')
      }
    },
    close(name) {
      if (name === 'c') {
        closeCell()
      } else if (name === 'v' || name === 't') {
        inValue = false
      } else if (name === 'rPh') {
        inReading = false
      }
    },
    text(raw) {
      if (inValue) {
        value += raw
      }
    },
  }
}

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
