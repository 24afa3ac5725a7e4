import { defined } from '#kit/domain/defined.ts'
import { UnfitWorkbook, columnName } from './worksheet.ts'
import {
  recordTypes,
  readRecord,
  readRkNumber,
  readSharedStrings,
  readShortText,
  type BiffRecord,
} from './biff.ts'
import { readCompoundFile } from './compound-file.ts'
import { numberReader, readPlainNumber, type NumberReader } from './number-format.ts'
import { damagedWorkbook } from './xml-scanner.ts'
import { noSuchSheet } from './xlsx-reader.ts'
import type { CellCollector, CellOrigin, SheetFrame } from './cell-collector.ts'

/** Reads one worksheet of an xls file (Excel 97–2003) into the collector; the rest as readXlsx. */
export function readXls(file: Buffer, sheetName: string | undefined, collector: CellCollector): SheetFrame {
  const streams = readCompoundFile(file)
  if (streams.names.includes('EncryptedPackage')) throw encryptedWorkbook()
  const stream = streams.read('Workbook')
  if (stream === undefined) throw streams.names.includes('Book') ? outdatedFormat() : notWorkbook()
  const begin = readRecord(stream, 0)
  if (begin?.id !== recordTypes.begin) throw damagedWorkbook()
  if (begin.data.readUInt16LE(0) !== 0x600) throw outdatedFormat()

  const workbook = readGlobals(stream, begin.next)
  const sheetNames = workbook.sheets.map(candidate => candidate.name)
  const sheet =
    sheetName === undefined
      ? (workbook.sheets.find(candidate => !candidate.hidden) ?? workbook.sheets[0])
      : workbook.sheets.find(candidate => candidate.name === sheetName)
  if (sheet === undefined) throw noSuchSheet(sheetName, sheetNames)
  readCells(stream, sheet.at, workbook, collector)
  return { file: 'xls', sheetName: sheet.name, sheetNames, ...collector.finish() }
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
          let continuation = readRecord(stream, rec.next);
          continuation?.id === recordTypes.continued;
          continuation = readRecord(stream, continuation.next)
        ) {
          blocks.push(continuation.data)
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

/** Puts the cells of one sheet into the collector, record by record. */
class CellReader {
  readonly #workbook: WorkbookGlobals
  readonly #collector: CellCollector
  #row = -1
  /** Column of a formula whose text follows in a record of its own; -1 without one. */
  #textFormulaColumn = -1

  constructor(workbook: WorkbookGlobals, collector: CellCollector) {
    this.#workbook = workbook
    this.#collector = collector
  }

  read({ id, data }: BiffRecord): void {
    if (id === recordTypes.string) {
      this.#addFormulaText(data)
    } else if (id === recordTypes.mergeCells) {
      this.#addMerges(data)
    } else if (cellRecordTypes.has(id)) {
      this.#startLine(data.readUInt16LE(0))
      this.#addCells(id, data)
    }
  }

  #startLine(row: number): void {
    if (row !== this.#row) {
      this.#row = row
      this.#collector.startLine(row + 1)
    }
  }

  #addCells(id: number, data: Buffer): void {
    const column = data.readUInt16LE(2)
    const style = data.readUInt16LE(4)
    switch (id) {
      case recordTypes.labelString:
        return this.#addText(column, this.#workbook.texts[data.readUInt32LE(6)] ?? '')
      case recordTypes.label:
      case recordTypes.rString:
        return this.#addText(column, readShortText(data, 6, 2))
      case recordTypes.number:
        return this.#addNumber(column, style, data.readDoubleLE(6))
      case recordTypes.rk:
        return this.#addNumber(column, style, readRkNumber(data, 6))
      case recordTypes.mulRk:
        return this.#addNumbers(column, data)
      case recordTypes.boolOrError:
        return this.#addFlagOrError(column, data[7] === 1, data[6])
      case recordTypes.formula:
        return this.#addFormula(column, style, data)
    }
  }

  #addText(column: number, text: string, origin: CellOrigin = 'value'): void {
    this.#collector.addCell(column, 'text', normalizeLineEnds(text), origin)
  }

  #addNumber(column: number, style: number, value: number, origin: CellOrigin = 'value'): void {
    const read = (this.#workbook.formats[style] ?? readPlainNumber)(value)
    this.#collector.addCell(column, read.kind, read.text, origin)
  }

  /** Several numbers side by side, six bytes each. */
  #addNumbers(firstColumn: number, data: Buffer): void {
    for (let at = 4, column = firstColumn; at + 8 <= data.length; at += 6, column++) {
      this.#addNumber(column, data.readUInt16LE(at), readRkNumber(data, at + 2))
    }
  }

  #addFlagOrError(
    column: number,
    isError: boolean,
    code: number | undefined,
    origin: CellOrigin = 'value',
  ): void {
    if (isError) {
      this.#collector.addCell(column, 'error', errorTexts[defined(code)] ?? '#N/A', origin)
    } else {
      this.#collector.addCell(column, 'flag', code === 1 ? 'TRUE' : 'FALSE', origin)
    }
  }

  /** The result of a formula: a number, or a mark that says what else it is. */
  #addFormula(column: number, style: number, data: Buffer): void {
    const isNumber = data.readUInt16LE(12) !== 0xffff
    const kind = data[6]
    if (isNumber) {
      this.#addNumber(column, style, data.readDoubleLE(6), 'formula')
    } else if (kind === 1 || kind === 2) {
      this.#addFlagOrError(column, kind === 2, data[8], 'formula')
    } else {
      this.#addText(column, '', 'formula')
      this.#textFormulaColumn = column
    }
  }

  #addFormulaText(data: Buffer): void {
    if (this.#textFormulaColumn >= 0) {
      this.#addText(this.#textFormulaColumn, readShortText(data, 0, 2), 'formula')
    }
    this.#textFormulaColumn = -1
  }

  #addMerges(data: Buffer): void {
    for (let i = 0, at = 2; i < data.readUInt16LE(0) && at + 8 <= data.length; i++, at += 8) {
      const from = `${columnName(data.readUInt16LE(at + 4))}${data.readUInt16LE(at) + 1}`
      const to = `${columnName(data.readUInt16LE(at + 6))}${data.readUInt16LE(at + 2) + 1}`
      this.#collector.addMerge(`${from}:${to}`)
    }
  }
}

const cellRecordTypes: ReadonlySet<number> = new Set([
  recordTypes.labelString,
  recordTypes.label,
  recordTypes.rString,
  recordTypes.number,
  recordTypes.rk,
  recordTypes.mulRk,
  recordTypes.boolOrError,
  recordTypes.formula,
])

function readCells(stream: Buffer, from: number, workbook: WorkbookGlobals, collector: CellCollector): void {
  const reader = new CellReader(workbook, collector)
  let depth = 0 // a chart within the sheet is a stream within the stream
  for (let record = readRecord(stream, from); record; record = readRecord(stream, record.next)) {
    if (record.id === recordTypes.begin) {
      depth++
    } else if (record.id === recordTypes.eof && --depth === 0) {
      return
    }
    if (depth === 1) {
      reader.read(record)
    }
  }
  throw damagedWorkbook() // the end mark was not reached
}
