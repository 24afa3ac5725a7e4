import { StringDecoder } from 'node:string_decoder'
import { UnfitWorkbook, type WorkbookLimits } from './worksheet.ts'
import { readAttribute, damagedWorkbook, createXmlScanner, type XmlHandler } from './xml-scanner.ts'
import { unpackPart, readZipParts, type ZipParts } from './zip-reader.ts'
import { numberReader, readPlainNumber, type NumberReader } from './number-format.ts'
import { sharedStringsReader, worksheetReader } from './worksheet-reader.ts'
import type { SheetFrame, CellCollector } from './cell-collector.ts'

/**
 * Reads one worksheet of an xlsx file into `into`. `wanted` names it; without it the first visible one is
 * taken.
 */
export async function readXlsx(
  file: Buffer,
  sheetName: string | undefined,
  limits: WorkbookLimits,
  into: CellCollector,
): Promise<SheetFrame> {
  const parts = readZipParts(file, limits)
  refuseOtherFormats(parts)
  const scan = (path: string, reader: XmlHandler) => scanPart(file, parts, path, reader)

  const bookPath =
    (await readRelations(scan, '')).find(r => r.type === 'officeDocument')?.path ?? 'xl/workbook.xml'
  const book: WorkbookInfo = { sheets: [], epoch1904: false }
  if (!(await scan(bookPath, workbookInfoReader(book)))) throw damagedWorkbook()
  const links = await readRelations(scan, bookPath)
  const sheets = book.sheets.flatMap(s => {
    const link = links.find(l => l.id === s.link && l.type === 'worksheet')
    return link ? [{ ...s, path: link.path }] : []
  })
  const sheet =
    sheetName === undefined
      ? (sheets.find(s => !s.hidden) ?? sheets[0])
      : sheets.find(s => s.name === sheetName)
  if (sheet === undefined)
    throw noSuchSheet(
      sheetName,
      sheets.map(s => s.name),
    )

  const strings: string[] = []
  const formats: NumberReader[] = []
  const stringsPath = links.find(l => l.type === 'sharedStrings')?.path
  if (stringsPath !== undefined) {
    await scan(stringsPath, sharedStringsReader(strings))
  }
  const stylesPath = links.find(l => l.type === 'styles')?.path
  if (stylesPath !== undefined) {
    await scan(stylesPath, stylesReader(formats, book.epoch1904))
  }
  if (
    !(await scan(
      sheet.path,
      worksheetReader(strings, n => formats[n] ?? readPlainNumber, into),
    ))
  )
    throw damagedWorkbook()
  return { file: 'xlsx', sheetName: sheet.name, sheetNames: sheets.map(s => s.name), ...into.finish() }
}

export function noSuchSheet(sheetName: string | undefined, names: readonly string[]): UnfitWorkbook {
  if (sheetName === undefined || names.length === 0)
    return new UnfitWorkbook('empty', '文件中没有工作表。请填写后再上传')
  return new UnfitWorkbook(
    'no-such-sheet',
    `文件中没有名为「${sheetName}」的工作表，现有：${names.map(n => `「${n}」`).join('、')}`,
  )
}

function refuseOtherFormats(parts: ZipParts): void {
  const has = (start: string) => [...parts.keys()].some(name => name.startsWith(start))
  if (parts.has('xl/workbook.bin')) throw otherFormat('xlsb（二进制工作簿）')
  if (has('xl/')) return
  if (has('word/')) throw otherFormat('Word 文档')
  if (has('ppt/')) throw otherFormat('演示文稿')
  if (parts.has('content.xml')) throw otherFormat('ods（OpenDocument 表格）')
  if (!parts.has('[content_types].xml')) throw otherFormat('压缩包')
}

const otherFormat = (what: string) =>
  new UnfitWorkbook(
    'not-a-workbook',
    `这是${what}，只能读取 xlsx、xls、csv。请用 Excel 或 WPS 另存为 xlsx 后再上传`,
  )

/** False when the file has no such part. */
async function scanPart(file: Buffer, parts: ZipParts, path: string, reader: XmlHandler): Promise<boolean> {
  const part = parts.get(path.toLowerCase())
  if (part === undefined) return false
  const scanner = createXmlScanner(reader)
  const decoder = new StringDecoder('utf8')
  for await (const chunk of unpackPart(file, part)) {
    scanner.write(decoder.write(chunk))
  }
  scanner.write(decoder.end())
  scanner.end()
  return true
}

interface Relation {
  id: string
  type: string
  path: string
}

/**
 * What a part points at. Types are recognized by their last word: the strict dialect has another address
 * before it.
 */
async function readRelations(
  scan: (path: string, reader: XmlHandler) => Promise<boolean>,
  path: string,
): Promise<Relation[]> {
  const cut = path.lastIndexOf('/') + 1
  const folder = path.slice(0, cut)
  const found: Relation[] = []
  await scan(`${folder}_rels/${path.slice(cut)}.rels`, {
    open(name, attributes) {
      if (name !== 'Relationship') return
      const target = (readAttribute(attributes, 'Target') ?? '').replaceAll('\\', '/')
      const type = readAttribute(attributes, 'Type') ?? ''
      found.push({
        id: readAttribute(attributes, 'Id') ?? '',
        type: type.slice(type.lastIndexOf('/') + 1),
        path: resolvePartPath(target.startsWith('/') ? '' : folder, target),
      })
    },
    close() {},
    text() {},
  })
  return found
}

function resolvePartPath(folder: string, target: string): string {
  const steps: string[] = []
  for (const step of (folder + target).split('/')) {
    if (step === '..') {
      steps.pop()
    } else if (step !== '' && step !== '.') {
      steps.push(step)
    }
  }
  return steps.join('/')
}

interface WorkbookInfo {
  sheets: { name: string; link: string; hidden: boolean }[]
  epoch1904: boolean
}

const workbookInfoReader = (book: WorkbookInfo): XmlHandler => ({
  open(name, attributes) {
    if (name === 'workbookPr') {
      book.epoch1904 = /^(1|true)$/.test(readAttribute(attributes, 'date1904') ?? '')
    }
    if (name === 'sheet') {
      book.sheets.push({
        name: readAttribute(attributes, 'name') ?? '',
        link: readAttribute(attributes, 'id') ?? '',
        hidden: (readAttribute(attributes, 'state') ?? 'visible') !== 'visible',
      })
    }
  },
  close() {},
  text() {},
})

function stylesReader(formats: NumberReader[], epoch1904: boolean): XmlHandler {
  const codes = new Map<number, string>()
  const made = new Map<number, NumberReader>()
  let inCells = false
  return {
    open(name, attributes) {
      if (name === 'numFmt') {
        codes.set(
          Number(readAttribute(attributes, 'numFmtId')),
          readAttribute(attributes, 'formatCode') ?? '',
        )
      } else if (name === 'cellXfs') {
        inCells = true
      } else if (name === 'xf' && inCells) {
        const id = Number(readAttribute(attributes, 'numFmtId') ?? 0)
        const reader = made.get(id) ?? numberReader(id, codes.get(id), epoch1904)
        made.set(id, reader)
        formats.push(reader)
      }
    },
    close(name) {
      if (name === 'cellXfs') {
        inCells = false
      }
    },
    text() {},
  }
}
