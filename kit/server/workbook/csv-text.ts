import { Unfit } from './sheet.ts'
import type { Frame, Gather } from './gather.ts'

/**
 * Reads comma, semicolon or tab separated text. A record is a line as Excel counts them, whatever line ends
 * its quotes hold.
 */
export function readCsv(file: Buffer, into: Gather): Frame {
  const text = decoded(file)
  const separator = separatorOf(text)
  let at = 0
  let line = 0
  while (at < text.length) {
    into.line(++line)
    for (let column = 0; ; column++) {
      let field: string
      if (text.charCodeAt(at) === 34) {
        const end = quoteEnd(text, at + 1)
        field = text.slice(at + 1, end).replaceAll('""', '"')
        at = end + 1
        const stop = fieldEnd(text, at, separator)
        field += text.slice(at, stop)
        at = stop
      } else {
        const stop = fieldEnd(text, at, separator)
        field = text.slice(at, stop)
        at = stop
      }
      into.cell(column, 'text', unguarded(field), false)
      if (text[at] !== separator) break
      at++
    }
    if (text.charCodeAt(at) === 13) {
      at++
    }
    if (text.charCodeAt(at) === 10) {
      at++
    }
  }
  return { file: 'csv', sheetName: '', sheetNames: [], ...into.finish() }
}

/**
 * A tab before a text keeps Excel from making a formula or a number of it (see csv-file.ts); it is no part of
 * the text.
 */
const unguarded = (field: string) => {
  const text = field.charCodeAt(0) === 9 ? field.slice(1) : field
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}

function fieldEnd(text: string, from: number, separator: string): number {
  const mark = separator.charCodeAt(0)
  for (let i = from; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === mark || c === 10 || c === 13) return i
  }
  return text.length
}

function quoteEnd(text: string, from: number): number {
  for (let i = text.indexOf('"', from); i >= 0; i = text.indexOf('"', i + 2)) {
    if (text.charCodeAt(i + 1) !== 34) return i
  }
  throw new Unfit(
    'damaged',
    '有一处引号没有结束，无法分清单元格。请检查文件，或用 Excel 另存为 xlsx 后再上传',
  )
}

/** The commonest of the three in the first record; a quoted heading may hold any of them. */
function separatorOf(text: string): string {
  const first = (/^[\r\n]*((?:"[^"]*"|[^"\r\n])*)/.exec(text.slice(0, 65536))?.[1] ?? '').replace(
    /"[^"]*"/g,
    '',
  )
  const counts = [',', '\t', ';'].map(c => [c, first.split(c).length] as const)
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0]
}

/**
 * UTF-8 with or without mark, UTF-16 with mark (Excel's "Unicode 文本"), else GB18030, which holds GBK and
 * GB2312.
 */
function decoded(file: Buffer): string {
  if (file[0] === 0xff && file[1] === 0xfe) return decode('utf-16le', file) ?? refuseLetters()
  if (file[0] === 0xfe && file[1] === 0xff) return decode('utf-16be', file) ?? refuseLetters()
  const text = decode('utf-8', file) ?? decode('gb18030', file) ?? refuseLetters()
  // oxlint-disable-next-line no-control-regex -- they tell bytes from text
  if (/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text))
    throw new Unfit(
      'not-a-workbook',
      '这不是工作簿，只能读取 xlsx、xls、csv。请用 Excel 或 WPS 另存为 xlsx 后再上传',
    )
  return text
}

function decode(letters: string, file: Buffer): string | undefined {
  try {
    return new TextDecoder(letters, { fatal: true }).decode(file)
  } catch {
    return undefined
  }
}

function refuseLetters(): never {
  throw new Unfit(
    'unknown-letters',
    '认不出文件的文字编码（应为 UTF-8 或 GBK）。请用 Excel 或 WPS 另存为 xlsx 后再上传',
  )
}
