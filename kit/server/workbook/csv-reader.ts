import { UnfitWorkbook } from './worksheet.ts'
import type { SheetFrame, CellCollector } from './cell-collector.ts'

/**
 * Reads comma, semicolon or tab separated text. A record is a line as Excel counts them, whatever line ends
 * its quotes hold.
 */
export function readCsv(file: Buffer, into: CellCollector): SheetFrame {
  const text = decodeFile(file)
  const separator = detectSeparator(text)
  let at = 0
  let line = 0
  while (at < text.length) {
    into.startLine(++line)
    for (let column = 0; ; column++) {
      let field: string
      if (text.charCodeAt(at) === 34) {
        const end = findQuoteEnd(text, at + 1)
        field = text.slice(at + 1, end).replaceAll('""', '"')
        at = end + 1
        const stop = findFieldEnd(text, at, separator)
        field += text.slice(at, stop)
        at = stop
      } else {
        const stop = findFieldEnd(text, at, separator)
        field = text.slice(at, stop)
        at = stop
      }
      into.addCell(column, 'text', stripGuardTab(field), isFormula(field) ? 'formula' : 'value')
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
 * What Excel computes as it opens the file. A sign or an @ before a text is none: `+8613800001111`, `-5.00`;
 * a tab keeps a text that begins with = what it is.
 */
const isFormula = (field: string): boolean => field.charCodeAt(0) === 61 && field.length > 1

/**
 * A tab before a text keeps Excel from making a formula or a number of it (see csv-writer.ts); it is no part
 * of the text.
 */
const stripGuardTab = (field: string) => {
  const text = field.charCodeAt(0) === 9 ? field.slice(1) : field
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}

function findFieldEnd(text: string, from: number, separator: string): number {
  const mark = separator.charCodeAt(0)
  for (let i = from; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === mark || c === 10 || c === 13) return i
  }
  return text.length
}

function findQuoteEnd(text: string, from: number): number {
  for (let i = text.indexOf('"', from); i >= 0; i = text.indexOf('"', i + 2)) {
    if (text.charCodeAt(i + 1) !== 34) return i
  }
  throw new UnfitWorkbook(
    'damaged',
    '有一处引号没有结束，无法分清单元格。请检查文件，或用 Excel 另存为 xlsx 后再上传',
  )
}

/** The commonest of the three in the first record; a quoted heading may hold any of them. */
function detectSeparator(text: string): string {
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
function decodeFile(file: Buffer): string {
  if (file[0] === 0xff && file[1] === 0xfe) return decodeAs('utf-16le', file) ?? refuseEncoding()
  if (file[0] === 0xfe && file[1] === 0xff) return decodeAs('utf-16be', file) ?? refuseEncoding()
  const text = decodeAs('utf-8', file) ?? decodeAs('gb18030', file) ?? refuseEncoding()
  // oxlint-disable-next-line no-control-regex -- they tell bytes from text
  if (/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text))
    throw new UnfitWorkbook(
      'not-a-workbook',
      '这不是工作簿，只能读取 xlsx、xls、csv。请用 Excel 或 WPS 另存为 xlsx 后再上传',
    )
  return text
}

function decodeAs(letters: string, file: Buffer): string | undefined {
  try {
    return new TextDecoder(letters, { fatal: true }).decode(file)
  } catch {
    return undefined
  }
}

function refuseEncoding(): never {
  throw new UnfitWorkbook(
    'unknown-letters',
    '无法识别文件编码（应为 UTF-8 或 GBK）。请用 Excel 或 WPS 另存为 xlsx 后再上传',
  )
}
