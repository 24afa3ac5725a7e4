import { Unfit, columnName } from './sheet.ts'
import { records, recordAt, rkNumber, sharedTexts, shortText } from './biff.ts'
import { compoundStreams } from './compound.ts'
import { numberReader, plainNumber, type NumberReader } from './number-format.ts'
import { damaged } from './xml.ts'
import { noSuchSheet } from './xlsx.ts'
import type { Frame, Gather } from './gather.ts'

/** Reads one worksheet of an xls file (Excel 97–2003) into `into`; the rest as readXlsx. */
export function readXls(file: Buffer, wanted: string | undefined, into: Gather): Frame {
  const streams = compoundStreams(file)
  if (streams.names.includes('EncryptedPackage')) throw encrypted()
  const stream = streams.read('Workbook')
  if (stream === undefined) throw streams.names.includes('Book') ? tooOld() : notWorkbook()
  const begin = recordAt(stream, 0)
  if (begin?.id !== records.begin) throw damaged()
  if (begin.data.readUInt16LE(0) !== 0x600) throw tooOld()

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

const encrypted = () =>
  new Unfit('encrypted', '工作簿有密码，无法读取。请去掉密码（文件 → 信息 → 保护工作簿）后再上传')

const tooOld = () =>
  new Unfit('old-format', '这是 Excel 95 或更早的格式，无法读取。请用 Excel 或 WPS 另存为 xlsx 后再上传')

const notWorkbook = () =>
  new Unfit(
    'not-a-workbook',
    '这不是工作簿（可能是 Word 或其他文档），只能读取 xlsx、xls、csv。请另存为 xlsx 后再上传',
  )

interface Book {
  readonly sheets: { name: string; at: number; hidden: boolean }[]
  readonly texts: string[]
  readonly formats: NumberReader[]
}

function readGlobals(stream: Buffer, from: number): Book {
  const book: Book = { sheets: [], texts: [], formats: [] }
  const codes = new Map<number, string>()
  const used: number[] = []
  let epoch1904 = false
  let rec = recordAt(stream, from)
  for (; rec !== undefined && rec.id !== records.eof; rec = recordAt(stream, rec.next)) {
    const { data } = rec
    switch (rec.id) {
      case records.filePass:
        throw encrypted()
      case records.dateMode:
        epoch1904 = data.readUInt16LE(0) === 1
        break
      case records.format:
        codes.set(data.readUInt16LE(0), shortText(data, 2, 2))
        break
      case records.xf:
        used.push(data.readUInt16LE(2))
        break
      case records.boundSheet:
        if (data[5] === 0) {
          book.sheets.push({
            at: data.readUInt32LE(0),
            hidden: (data[4]! & 3) !== 0,
            name: shortText(data, 6, 1),
          })
        }
        break
      case records.strings: {
        const blocks = [data]
        for (
          let more = recordAt(stream, rec.next);
          more?.id === records.continued;
          more = recordAt(stream, more.next)
        ) {
          blocks.push(more.data)
        }
        for (const text of sharedTexts(blocks)) {
          book.texts.push(text)
        }
      }
    }
  }
  if (rec === undefined) throw damaged()
  const made = new Map(used.map(id => [id, numberReader(id, codes.get(id), epoch1904)]))
  for (const id of used) {
    book.formats.push(made.get(id)!)
  }
  return book
}

const errors: Record<number, string> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
}

const clean = (text: string) => text.replace(/\r\n?/g, '\n')

function readCells(stream: Buffer, from: number, book: Book, into: Gather): void {
  let row = -1
  let computed = -1 // column of a formula whose text follows in a record of its own
  let depth = 0 // a chart within the sheet is a stream within the stream
  const go = (line: number) => {
    if (line !== row) {
      into.line((row = line) + 1)
    }
  }
  const number = (column: number, style: number, n: number, formula: boolean) => {
    const read = (book.formats[style] ?? plainNumber)(n)
    into.cell(column, read.kind, read.text, formula)
  }
  for (let rec = recordAt(stream, from); rec !== undefined; rec = recordAt(stream, rec.next)) {
    const { data, id } = rec
    if (id === records.begin) {
      depth++
    } else if (id === records.eof && --depth === 0) {
      return
    }
    if (depth !== 1) continue
    const place = data.length >= 6 && id !== records.mergeCells
    const column = place ? data.readUInt16LE(2) : 0
    const style = place ? data.readUInt16LE(4) : 0
    switch (id) {
      case records.labelString:
        go(data.readUInt16LE(0))
        into.cell(column, 'text', clean(book.texts[data.readUInt32LE(6)] ?? ''), false)
        break
      case records.label:
      case records.rString:
        go(data.readUInt16LE(0))
        into.cell(column, 'text', clean(shortText(data, 6, 2)), false)
        break
      case records.number:
        go(data.readUInt16LE(0))
        number(column, style, data.readDoubleLE(6), false)
        break
      case records.rk:
        go(data.readUInt16LE(0))
        number(column, style, rkNumber(data, 6), false)
        break
      case records.mulRk:
        go(data.readUInt16LE(0))
        for (let at = 4, c = column; at + 8 <= data.length; at += 6, c++) {
          number(c, data.readUInt16LE(at), rkNumber(data, at + 2), false)
        }
        break
      case records.boolOrError:
        go(data.readUInt16LE(0))
        if (data[7] === 1) {
          into.cell(column, 'error', errors[data[6]!] ?? '#N/A', false)
        } else {
          into.cell(column, 'flag', data[6] === 1 ? 'TRUE' : 'FALSE', false)
        }
        break
      case records.formula:
        go(data.readUInt16LE(0))
        if (data.readUInt16LE(12) !== 0xffff) {
          number(column, style, data.readDoubleLE(6), true)
        } else if (data[6] === 1) {
          into.cell(column, 'flag', data[8] === 1 ? 'TRUE' : 'FALSE', true)
        } else if (data[6] === 2) {
          into.cell(column, 'error', errors[data[8]!] ?? '#N/A', true)
        } else {
          into.cell(column, 'text', '', true)
          computed = column
        }
        break
      case records.string:
        if (computed >= 0) {
          into.cell(computed, 'text', clean(shortText(data, 0, 2)), true)
        }
        computed = -1
        break
      case records.mergeCells:
        for (let i = 0, at = 2; i < data.readUInt16LE(0) && at + 8 <= data.length; i++, at += 8) {
          into.merge(
            `${columnName(data.readUInt16LE(at + 4))}${data.readUInt16LE(at) + 1}:${columnName(data.readUInt16LE(at + 6))}${data.readUInt16LE(at + 2) + 1}`,
          )
        }
    }
  }
  throw damaged() // the end mark was not reached
}
