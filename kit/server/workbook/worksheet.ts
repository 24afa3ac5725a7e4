import type { Gather } from './gather.ts'
import type { NumberReader } from './number-format.ts'
import { attribute, cellText, damaged, type XmlReader } from './xml.ts'

/** Collects the texts that cells share. Readings of Chinese characters (`rPh`) are no part of them. */
export function stringsReader(strings: string[]): XmlReader {
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
        strings.push(cellText(text))
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
  into: Gather,
): XmlReader {
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
      if (to < 0) throw damaged()
      const name = attributes.slice(i, equals).trim()
      if (name === 'r') {
        column = columnOf(attributes, from, to)
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
        return into.cell(column, 'text', strings[Number(value)] ?? '', formula)
      case 'inlineStr':
      case 'str':
        return into.cell(column, 'text', cellText(value), formula)
      case 'b':
        return into.cell(column, 'flag', value === '1' || value === 'true' ? 'TRUE' : 'FALSE', formula)
      case 'e':
        return into.cell(column, 'error', cellText(value), formula)
      case 'd':
        return into.cell(
          column,
          'date',
          value.replace('T', ' ').replace(/( 00:00:00)?(\.\d+)?Z?$/, ''),
          formula,
        )
    }
    const n = Number(value)
    if (value.trim() === '' || Number.isNaN(n)) return into.cell(column, 'text', cellText(value), formula)
    const read = format(style)(n)
    into.cell(column, read.kind, read.text, formula)
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
          line = Number(attribute(attributes, 'r') ?? line + 1)
          column = -1
          return into.line(line)
        case 'mergeCell':
          return into.merge(attribute(attributes, 'ref') ?? '')
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

function columnOf(text: string, from: number, to: number): number {
  let column = 0
  for (let i = from; i < to; i++) {
    const c = text.charCodeAt(i)
    if (c < 65 || c > 90) break
    column = column * 26 + c - 64
  }
  if (column === 0 || column > 16384) throw damaged()
  return column - 1
}
