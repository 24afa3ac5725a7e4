import { crc32, deflateRawSync } from 'node:zlib'

/** Odd files for tests, made by hand: what no library writes and what people upload nevertheless. */

export interface ZipEntry {
  readonly name: string
  readonly data: string | Buffer
  readonly stored?: boolean
  readonly claims?: number
}

/** A zip file. `claims` is the unpacked size its directory pretends. */
export function makeZip(entries: readonly ZipEntry[]): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, data, stored, claims } of entries) {
    const raw = Buffer.from(data)
    const packed = stored ? raw : deflateRawSync(raw)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(20, 4)
    head.writeUInt16LE(stored ? 0 : 8, 8)
    head.writeUInt32LE(crc32(raw), 14)
    head.writeUInt32LE(packed.length, 18)
    head.writeUInt32LE(claims ?? raw.length, 22)
    head.writeUInt16LE(Buffer.byteLength(name), 26)
    const line = Buffer.alloc(46)
    line.writeUInt32LE(0x02014b50, 0)
    line.writeUInt16LE(20, 4)
    head.copy(line, 6, 4, 28)
    line.writeUInt32LE(offset, 42)
    bodies.push(head, Buffer.from(name), packed)
    directory.push(line, Buffer.from(name))
    offset += 30 + Buffer.byteLength(name) + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(
    directory.reduce((n, b) => n + b.length, 0),
    12,
  )
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, ...directory, end])
}

const mainNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relationsNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** The parts of an xlsx file with one sheet, its rows given as XML; more parts may be added or replaced. */
export function makeXlsxParts(
  rows: string,
  about: {
    after?: string
    strings?: string
    formats?: readonly string[]
    bookAttributes?: string
    extraEntries?: readonly ZipEntry[]
  } = {},
): ZipEntry[] {
  const formats = about.formats ?? []
  const numberFormats = formats.map((f, i) => `<numFmt numFmtId="${200 + i}" formatCode='${f}'/>`).join('')
  const xfs = formats.map((_, i) => `<xf numFmtId="${200 + i}"/>`).join('')
  const parts: ZipEntry[] = [
    { name: '[Content_Types].xml', data: '<Types/>' },
    {
      name: '_rels/.rels',
      data: `<Relationships><Relationship Id="a" Type="${relationsNamespace}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      data: `<workbook xmlns="${mainNamespace}" xmlns:r="${relationsNamespace}"><workbookPr${about.bookAttributes ?? ''}/><sheets><sheet name="甲" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: `<Relationships><Relationship Id="rId1" Type="${relationsNamespace}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relationsNamespace}/styles" Target="/xl/styles.xml"/><Relationship Id="rId3" Type="${relationsNamespace}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    },
    {
      name: 'xl/styles.xml',
      data: `<styleSheet><numFmts>${numberFormats}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${xfs}</cellXfs></styleSheet>`,
    },
    { name: 'xl/sharedStrings.xml', data: `<sst>${about.strings ?? ''}</sst>` },
    {
      name: 'xl/worksheets/sheet1.xml',
      data: `<?xml version="1.0"?><worksheet xmlns="${mainNamespace}"><sheetData>${rows}</sheetData>${about.after ?? ''}</worksheet>`,
    },
  ]
  const extraEntries = about.extraEntries ?? []
  return [...parts.filter(p => !extraEntries.some(m => m.name === p.name)), ...extraEntries]
}

export const makeBiffRecord = (id: number, ...data: readonly (Buffer | readonly number[])[]): Buffer => {
  const body = Buffer.concat(data.map(d => Buffer.from(d)))
  const head = Buffer.alloc(4)
  head.writeUInt16LE(id, 0)
  head.writeUInt16LE(body.length, 2)
  return Buffer.concat([head, body])
}

export const u16 = (...all: number[]): Buffer => {
  const b = Buffer.alloc(all.length * 2)
  all.forEach((n, i) => b.writeUInt16LE(n, i * 2))
  return b
}

export const u32 = (...all: number[]): Buffer => {
  const b = Buffer.alloc(all.length * 4)
  all.forEach((n, i) => b.writeUInt32LE(n, i * 4))
  return b
}

export const f64 = (n: number): Buffer => {
  const b = Buffer.alloc(8)
  b.writeDoubleLE(n)
  return b
}

/** A compound file with one stream of that name: one sector of table, one of directory, then the stream. */
export function makeCompoundFile(name: string, stream: Buffer): Buffer {
  const size = Math.max(4096, Math.ceil(stream.length / 512) * 512)
  const sectors = size / 512
  const header = Buffer.alloc(512, 0xff)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header)
  header.fill(0, 8, 76)
  header.writeUInt16LE(9, 30)
  header.writeUInt32LE(1, 48)
  header.writeUInt32LE(4096, 56)
  header.writeUInt32LE(0xfffffffe, 60)
  header.writeUInt32LE(0xfffffffe, 68)
  header.writeUInt32LE(0, 76)
  const table = Buffer.alloc(512, 0xff)
  u32(0xfffffffd, 0xfffffffe).copy(table)
  for (let i = 0; i < sectors; i++) {
    table.writeUInt32LE(i + 1 === sectors ? 0xfffffffe : i + 3, (i + 2) * 4)
  }
  const directory = Buffer.alloc(512)
  const entry = (at: number, label: string, type: number, first: number, length: number) => {
    directory.write(label, at, 'utf16le')
    directory.writeUInt16LE(label.length * 2 + 2, at + 64)
    directory[at + 66] = type
    directory.writeUInt32LE(first, at + 116)
    directory.writeUInt32LE(length, at + 120)
  }
  entry(0, 'Root Entry', 5, 0xfffffffe, 0)
  entry(128, name, 2, 2, size)
  return Buffer.concat([header, table, directory, stream, Buffer.alloc(size - stream.length)])
}
