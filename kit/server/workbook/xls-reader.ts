import { defined } from '#kit/domain/defined.ts'
import { UnfitWorkbook, columnName } from './worksheet.ts'
import { recordTypes, readRecord, readRkNumber, readSharedStrings, readShortText } from './biff.ts'
import { readCompoundFile } from './compound-file.ts'
import { numberReader, readPlainNumber, type NumberReader } from './number-format.ts'
import { damagedWorkbook } from './xml-scanner.ts'
import { noSuchSheet } from './xlsx-reader.ts'
import type { SheetFrame, CellCollector } from './cell-collector.ts'

/** Reads one worksheet of an xls file (Excel 97–2003) into `into`; the rest as readXlsx. */
export function readXls(file: Buffer, wanted: string | undefined, into: CellCollector): SheetFrame {
  const streams = readCompoundFile(file)
  if (streams.names.includes('EncryptedPackage')) throw encryptedWorkbook()
  const stream = streams.read('Workbook')
  if (stream === undefined) throw streams.names.includes('Book') ? outdatedFormat() : notWorkbook()
  const begin = readRecord(stream, 0)
  if (begin?.id !== recordTypes.begin) throw damagedWorkbook()
  if (begin.data.readUInt16LE(0) !== 0x600) throw outdatedFormat()

  const book = readGlobals(stream, begin.next)
  const sheet =
    wanted === undefined
      ? (book.sheets.find(s => !s.hidden) ?? book.sheets[0])
      : book.sheets.find(s => s.name === wanted)
  if (sheet === undefined)
    throw noSuchSheet(
      wanted,
      book.sheets.map(s => s.name),
    )
  readCells(stream, sheet.at, book, into)
  return { file: 'xls', sheetName: sheet.name, sheetNames: book.sheets.map(s => s.name), ...into.finish() }
}

const encryptedWorkbook = () =>
  new UnfitWorkbook('encrypted', '工作簿有密码，无法读取。请去掉密码（文件 → 信息 → 保护工作簿）后再上传')

const outdatedFormat = () =>
  new UnfitWorkbook(
    'old-format',
    '这是 Excel 95 或更早的格式，无法读取。请用 Excel 或 WPS 另存为 xlsx 后再上传',
  )

const notWorkbook = () =>
  new UnfitWorkbook(
    'not-a-workbook',
    '这不是工作簿（可能是 Word 或其他文档），只能读取 xlsx、xls、csv。请另存为 xlsx 后再上传',
  )

interface WorkbookGlobals {
  readonly sheets: { name: string; at: number; hidden: boolean }[]
  readonly texts: string[]
  readonly formats: NumberReader[]
}

function readGlobals(stream: Buffer, from: number): WorkbookGlobals {
  const book: WorkbookGlobals = { sheets: [], texts: [], formats: [] }
  const codes = new Map<number, string>()
  const used: number[] = []
  let epoch1904 = false
  let rec = readRecord(stream, from)
  for (; rec !== undefined && rec.id !== recordTypes.eof; rec = readRecord(stream, rec.next)) {
    const { data } = rec
    switch (rec.id) {
      case recordTypes.filePass:
        throw encryptedWorkbook()
      case recordTypes.dateMode:
        epoch1904 = data.readUInt16LE(0) === 1
        break
      case recordTypes.format:
        codes.set(data.readUInt16LE(0), readShortText(data, 2, 2))
        break
      case recordTypes.xf:
        used.push(data.readUInt16LE(2))
        break
      case recordTypes.boundSheet:
        if (data[5] === 0) {
          book.sheets.push({
            at: data.readUInt32LE(0),
            hidden: (defined(data[4]) & 3) !== 0,
            name: readShortText(data, 6, 1),
          })
        }
        break
      case recordTypes.strings: {
        const blocks = [data]
        for (
          let more = readRecord(stream, rec.next);
          more?.id === recordTypes.continued;
          more = readRecord(stream, more.next)
        ) {
          blocks.push(more.data)
        }
        for (const text of readSharedStrings(blocks)) {
          book.texts.push(text)
        }
      }
    }
  }
  if (rec === undefined) throw damagedWorkbook()
  const made = new Map(used.map(id => [id, numberReader(id, codes.get(id), epoch1904)]))
  for (const id of used) {
    book.formats.push(defined(made.get(id)))
  }
  return book
}

const errorTexts: Record<number, string> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
}

const normalizeLineEnds = (text: string) => text.replace(/\r\n?/g, '\n')

function readCells(stream: Buffer, from: number, book: WorkbookGlobals, into: CellCollector): void {
  let row = -1
  let computed = -1 // column of a formula whose text follows in a record of its own
  let depth = 0 // a chart within the sheet is a stream within the stream
  const go = (line: number) => {
    if (line !== row) {
      into.startLine((row = line) + 1)
    }
  }
  const number = (column: number, style: number, n: number, formula: boolean) => {
    const read = (book.formats[style] ?? readPlainNumber)(n)
    into.addCell(column, read.kind, read.text, formula)
  }
  for (let rec = readRecord(stream, from); rec !== undefined; rec = readRecord(stream, rec.next)) {
    const { data, id } = rec
    if (id === recordTypes.begin) {
      depth++
    } else if (id === recordTypes.eof && --depth === 0) {
      return
    }
    if (depth !== 1) continue
    const place = data.length >= 6 && id !== recordTypes.mergeCells
    const column = place ? data.readUInt16LE(2) : 0
    const style = place ? data.readUInt16LE(4) : 0
    switch (id) {
      case recordTypes.labelString:
        go(data.readUInt16LE(0))
        into.addCell(column, 'text', normalizeLineEnds(book.texts[data.readUInt32LE(6)] ?? ''), false)
        break
      case recordTypes.label:
      case recordTypes.rString:
        go(data.readUInt16LE(0))
        into.addCell(column, 'text', normalizeLineEnds(readShortText(data, 6, 2)), false)
        break
      case recordTypes.number:
        go(data.readUInt16LE(0))
        number(column, style, data.readDoubleLE(6), false)
        break
      case recordTypes.rk:
        go(data.readUInt16LE(0))
        number(column, style, readRkNumber(data, 6), false)
        break
      case recordTypes.mulRk:
        go(data.readUInt16LE(0))
        for (let at = 4, c = column; at + 8 <= data.length; at += 6, c++) {
          number(c, data.readUInt16LE(at), readRkNumber(data, at + 2), false)
        }
        break
      case recordTypes.boolOrError:
        go(data.readUInt16LE(0))
        if (data[7] === 1) {
          into.addCell(column, 'error', errorTexts[defined(data[6])] ?? '#N/A', false)
        } else {
          into.addCell(column, 'flag', data[6] === 1 ? 'TRUE' : 'FALSE', false)
        }
        break
      case recordTypes.formula:
        go(data.readUInt16LE(0))
        if (data.readUInt16LE(12) !== 0xffff) {
          number(column, style, data.readDoubleLE(6), true)
        } else if (data[6] === 1) {
          into.addCell(column, 'flag', data[8] === 1 ? 'TRUE' : 'FALSE', true)
        } else if (data[6] === 2) {
          into.addCell(column, 'error', errorTexts[defined(data[8])] ?? '#N/A', true)
        } else {
          into.addCell(column, 'text', '', true)
          computed = column
        }
        break
      case recordTypes.string:
        if (computed >= 0) {
          into.addCell(computed, 'text', normalizeLineEnds(readShortText(data, 0, 2)), true)
        }
        computed = -1
        break
      case recordTypes.mergeCells:
        for (let i = 0, at = 2; i < data.readUInt16LE(0) && at + 8 <= data.length; i++, at += 8) {
          into.addMerge(
            `${columnName(data.readUInt16LE(at + 4))}${data.readUInt16LE(at) + 1}:${columnName(data.readUInt16LE(at + 6))}${data.readUInt16LE(at + 2) + 1}`,
          )
        }
    }
  }
  throw damagedWorkbook() // the end mark was not reached
}
