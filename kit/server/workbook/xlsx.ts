import { StringDecoder } from 'node:string_decoder'
import { Unfit, type Limits } from './sheet.ts'
import { attribute, damaged, xmlScanner, type XmlReader } from './xml.ts'
import { unpack, zipParts, type Parts } from './zip.ts'
import { numberReader, plainNumber, type NumberReader } from './number-format.ts'
import { stringsReader, worksheetReader } from './worksheet.ts'
import type { Frame, Gather } from './gather.ts'

/**
 * Reads one worksheet of an xlsx file into `into`. `wanted` names it; without it the first visible one is
 * taken.
 */
export async function readXlsx(
  file: Buffer,
  wanted: string | undefined,
  limits: Limits,
  into: Gather,
): Promise<Frame> {
  const parts = zipParts(file, limits)
  refuseOthers(parts)
  const scan = (path: string, reader: XmlReader) => scanPart(file, parts, path, reader)

  const bookPath = (await related(scan, '')).find(r => r.type === 'officeDocument')?.path ?? 'xl/workbook.xml'
  const book: Book = { sheets: [], epoch1904: false }
  if (!(await scan(bookPath, bookReader(book)))) throw damaged()
  const links = await related(scan, bookPath)
  const sheets = book.sheets.flatMap(s => {
    const link = links.find(l => l.id === s.link && l.type === 'worksheet')
    return link ? [{ ...s, path: link.path }] : []
  })
  const sheet =
    wanted === undefined ? (sheets.find(s => !s.hidden) ?? sheets[0]) : sheets.find(s => s.name === wanted)
  if (sheet === undefined)
    throw noSuchSheet(
      wanted,
      sheets.map(s => s.name),
    )

  const strings: string[] = []
  const formats: NumberReader[] = []
  const stringsPath = links.find(l => l.type === 'sharedStrings')?.path
  if (stringsPath !== undefined) {
    await scan(stringsPath, stringsReader(strings))
  }
  const stylesPath = links.find(l => l.type === 'styles')?.path
  if (stylesPath !== undefined) {
    await scan(stylesPath, stylesReader(formats, book.epoch1904))
  }
  if (
    !(await scan(
      sheet.path,
      worksheetReader(strings, n => formats[n] ?? plainNumber, into),
    ))
  )
    throw damaged()
  return { file: 'xlsx', sheetName: sheet.name, sheetNames: sheets.map(s => s.name), ...into.finish() }
}

export function noSuchSheet(wanted: string | undefined, names: readonly string[]): Unfit {
  if (wanted === undefined || names.length === 0)
    return new Unfit('empty', '文件里没有工作表。请填写后再上传')
  return new Unfit(
    'no-such-sheet',
    `文件里没有名为「${wanted}」的工作表，现有：${names.map(n => `「${n}」`).join('、')}`,
  )
}

function refuseOthers(parts: Parts): void {
  const has = (start: string) => [...parts.keys()].some(name => name.startsWith(start))
  if (parts.has('xl/workbook.bin')) throw another('xlsb（二进制工作簿）')
  if (has('xl/')) return
  if (has('word/')) throw another('Word 文档')
  if (has('ppt/')) throw another('演示文稿')
  if (parts.has('content.xml')) throw another('ods（OpenDocument 表格）')
  if (!parts.has('[content_types].xml')) throw another('压缩包')
}

const another = (what: string) =>
  new Unfit('not-a-workbook', `这是${what}，只能读取 xlsx、xls、csv。请用 Excel 或 WPS 另存为 xlsx 后再上传`)

/** False when the file has no such part. */
async function scanPart(file: Buffer, parts: Parts, path: string, reader: XmlReader): Promise<boolean> {
  const part = parts.get(path.toLowerCase())
  if (part === undefined) return false
  const scanner = xmlScanner(reader)
  const decoder = new StringDecoder('utf8')
  for await (const chunk of unpack(file, part)) {
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
 * What a part points at. Types are told by their last word: the strict dialect has another address before it.
 */
async function related(
  scan: (path: string, reader: XmlReader) => Promise<boolean>,
  path: string,
): Promise<Relation[]> {
  const cut = path.lastIndexOf('/') + 1
  const folder = path.slice(0, cut)
  const found: Relation[] = []
  await scan(`${folder}_rels/${path.slice(cut)}.rels`, {
    open(name, attributes) {
      if (name !== 'Relationship') return
      const target = (attribute(attributes, 'Target') ?? '').replaceAll('\\', '/')
      const type = attribute(attributes, 'Type') ?? ''
      found.push({
        id: attribute(attributes, 'Id') ?? '',
        type: type.slice(type.lastIndexOf('/') + 1),
        path: joined(target.startsWith('/') ? '' : folder, target),
      })
    },
    close() {},
    text() {},
  })
  return found
}

function joined(folder: string, target: string): string {
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

interface Book {
  sheets: { name: string; link: string; hidden: boolean }[]
  epoch1904: boolean
}

const bookReader = (book: Book): XmlReader => ({
  open(name, attributes) {
    if (name === 'workbookPr') {
      book.epoch1904 = /^(1|true)$/.test(attribute(attributes, 'date1904') ?? '')
    }
    if (name === 'sheet') {
      book.sheets.push({
        name: attribute(attributes, 'name') ?? '',
        link: attribute(attributes, 'id') ?? '',
        hidden: (attribute(attributes, 'state') ?? 'visible') !== 'visible',
      })
    }
  },
  close() {},
  text() {},
})

function stylesReader(formats: NumberReader[], epoch1904: boolean): XmlReader {
  const codes = new Map<number, string>()
  const made = new Map<number, NumberReader>()
  let inCells = false
  return {
    open(name, attributes) {
      if (name === 'numFmt') {
        codes.set(Number(attribute(attributes, 'numFmtId')), attribute(attributes, 'formatCode') ?? '')
      } else if (name === 'cellXfs') {
        inCells = true
      } else if (name === 'xf' && inCells) {
        const id = Number(attribute(attributes, 'numFmtId') ?? 0)
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
