import { crc32, createInflateRaw } from 'node:zlib'
import { UnfitWorkbook, formatThousands, formatMegabytes, type WorkbookLimits } from './worksheet.ts'
import { damagedWorkbook } from './xml-scanner.ts'

/** One part of a zip file, as its directory at the end of the file describes it. */
export interface ZipPart {
  readonly name: string
  readonly packed: number
  readonly unpacked: number
  readonly method: number
  readonly crc: number
  readonly encrypted: boolean
  readonly offset: number
}

export type ZipParts = ReadonlyMap<string, ZipPart>

/**
 * Reads the directory of a zip file and refuses what would unpack into too much, before anything is unpacked.
 * Names are in lower case: writers disagree about it and Excel does not care.
 */
export function readZipParts(file: Buffer, limits: WorkbookLimits): ZipParts {
  const directory = findDirectory(file)
  if (directory.count > limits.parts)
    throw new UnfitWorkbook(
      'too-big-inside',
      `文件内部有 ${formatThousands(directory.count)} 个部件，最多 ${formatThousands(limits.parts)} 个。请只保留要导入的工作表，另存为 xlsx 后再上传`,
    )
  const parts = new Map<string, ZipPart>()
  let unpacked = 0
  for (const part of parseZipParts(file, directory.offset, directory.count)) {
    parts.set(part.name.toLowerCase(), part)
    unpacked += part.unpacked
  }
  if (unpacked > limits.unpacked)
    throw new UnfitWorkbook(
      'too-big-inside',
      `文件解压后有 ${formatMegabytes(unpacked)}，最多 ${formatMegabytes(limits.unpacked)}。请删除多余的行、格式和图片，另存为 xlsx 后再上传`,
    )
  if (unpacked > 10 * 1024 * 1024 && unpacked > file.length * limits.ratio)
    throw new UnfitWorkbook(
      'too-big-inside',
      `文件解压后是原来的 ${formatThousands(Math.round(unpacked / file.length))} 倍，最多 ${limits.ratio} 倍，疑似恶意文件。请把数据复制到新的工作簿后再上传`,
    )
  return parts
}

/** The parts that a directory of a zip file describes, which is at that place of the bytes. */
export function* parseZipParts(bytes: Buffer, offset: number, count: number): Generator<ZipPart> {
  let at = offset
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) throw damagedWorkbook()
    const nameLength = bytes.readUInt16LE(at + 28)
    const extraLength = bytes.readUInt16LE(at + 30)
    const sizes = {
      unpacked: bytes.readUInt32LE(at + 24),
      packed: bytes.readUInt32LE(at + 20),
      offset: bytes.readUInt32LE(at + 42),
    }
    readZip64(bytes, at + 46 + nameLength, extraLength, sizes)
    yield {
      name: bytes.toString('utf8', at + 46, at + 46 + nameLength).replaceAll('\\', '/'),
      ...sizes,
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      encrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
    }
    at += 46 + nameLength + extraLength + bytes.readUInt16LE(at + 32)
  }
}

function findDirectory(file: Buffer): { offset: number; count: number } {
  const from = Math.max(0, file.length - 22 - 65535)
  for (let i = file.length - 22; i >= from; i--) {
    if (file.readUInt32LE(i) !== 0x06054b50) continue
    const count = file.readUInt16LE(i + 10)
    const offset = file.readUInt32LE(i + 16)
    if (count !== 0xffff && offset !== 0xffffffff) return { count, offset }
    if (i < 20 || file.readUInt32LE(i - 20) !== 0x07064b50) return { count, offset }
    const record = Number(file.readBigUInt64LE(i - 12))
    if (record + 56 > file.length || file.readUInt32LE(record) !== 0x06064b50) throw damagedWorkbook()
    return {
      count: Number(file.readBigUInt64LE(record + 32)),
      offset: Number(file.readBigUInt64LE(record + 48)),
    }
  }
  throw damagedWorkbook()
}

/** Streaming writers (POI among them) put sizes of small parts into the 64-bit field too. */
function readZip64(
  file: Buffer,
  from: number,
  length: number,
  sizes: { unpacked: number; packed: number; offset: number },
): void {
  for (let at = from; at + 4 <= from + length; at += 4 + file.readUInt16LE(at + 2)) {
    if (file.readUInt16LE(at) !== 1) continue
    let field = at + 4
    for (const key of ['unpacked', 'packed', 'offset'] as const) {
      if (sizes[key] !== 0xffffffff) continue
      sizes[key] = Number(file.readBigUInt64LE(field))
      field += 8
    }
    return
  }
}

/**
 * The unpacked bytes of one part, in chunks. A part that unpacks into more than its directory states, or into
 * something else (checksum), is damaged.
 */
export async function* unpackPart(file: Buffer, part: ZipPart): AsyncGenerator<Buffer> {
  if (part.encrypted) throw new UnfitWorkbook('encrypted', '文件有密码，无法读取。请去掉密码后再上传')
  if (part.offset + 30 > file.length || file.readUInt32LE(part.offset) !== 0x04034b50) throw damagedWorkbook()
  const start = part.offset + 30 + file.readUInt16LE(part.offset + 26) + file.readUInt16LE(part.offset + 28)
  if (start + part.packed > file.length) throw damagedWorkbook()
  const packed = file.subarray(start, start + part.packed)
  let crc = 0
  let length = 0
  for await (const chunk of part.method === 0
    ? [packed]
    : part.method === 8
      ? inflatePart(packed)
      : refuseMethod()) {
    length += chunk.length
    if (length > part.unpacked) throw damagedWorkbook()
    crc = crc32(chunk, crc)
    yield chunk
  }
  if (length !== part.unpacked || crc !== part.crc) throw damagedWorkbook()
}

function inflatePart(packed: Buffer): AsyncIterable<Buffer> {
  const inflate = createInflateRaw({ chunkSize: 128 * 1024 })
  inflate.end(packed)
  return inflate
}

function refuseMethod(): never {
  throw new UnfitWorkbook(
    'damaged',
    '文件用了少见的压缩方式，无法读取。请用 Excel 或 WPS 另存为 xlsx 后再上传',
  )
}
