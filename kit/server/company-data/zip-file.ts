import { createReadStream } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { parseZipParts, type ZipPart } from '../workbook/zip-reader.ts'

/** A zip file that is damaged, or none at all. */
export class DamagedZip extends Error {}

const endLength = 22
const maxComment = 65_535
const zip64Length = 56
const locatorLength = 20

/** A zip file on the disk, read part by part: none of it is held in memory but its directory. */
export class ZipFileReader {
  readonly parts: ReadonlyMap<string, ZipPart>
  readonly #path: string
  readonly #file: FileHandle

  private constructor(path: string, file: FileHandle, parts: ReadonlyMap<string, ZipPart>) {
    this.#path = path
    this.#file = file
    this.parts = parts
  }

  static async open(path: string): Promise<ZipFileReader> {
    const file = await open(path, 'r')
    try {
      const { size } = await file.stat()
      const { offset, count, end } = await findDirectory(file, size)
      const directory = await readBytes(file, offset, end - offset)
      const parts = new Map<string, ZipPart>()
      for (const part of parseZipParts(directory, 0, count)) {
        if (parts.has(part.name)) throw new DamagedZip(`two parts are called ${part.name}`)
        parts.set(part.name, part)
      }
      return new ZipFileReader(path, file, parts)
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /**
   * The unpacked bytes of a part. One that unpacks into something else than its directory states is damaged.
   */
  async *read(part: ZipPart): AsyncGenerator<Buffer> {
    const head = await readBytes(this.#file, part.offset, 30)
    if (head.readUInt32LE(0) !== 0x04034b50) throw new DamagedZip(`${part.name}: no header`)
    if (part.encrypted || (part.method !== 0 && part.method !== 8))
      throw new DamagedZip(`${part.name}: packed in another way`)
    const start = part.offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
    let crc = 0
    let length = 0
    for await (const piece of this.#unpack(part, start)) {
      length += piece.length
      if (length > part.unpacked) throw new DamagedZip(`${part.name}: longer than stated`)
      crc = crc32(piece, crc)
      yield piece
    }
    if (length !== part.unpacked || crc !== part.crc) throw new DamagedZip(`${part.name}: checksum`)
  }

  async *#unpack({ packed, method, name }: ZipPart, start: number): AsyncGenerator<Buffer> {
    if (!packed) return
    const source = createReadStream(this.#path, { start, end: start + packed - 1, highWaterMark: 2 ** 18 })
    if (method === 0) {
      yield* source as AsyncIterable<Buffer>
      return
    }
    const inflate = createInflateRaw({ chunkSize: 2 ** 17 })
    source.on('error', error => inflate.destroy(error))
    try {
      yield* source.pipe(inflate) as AsyncIterable<Buffer>
    } catch (error) {
      throw new DamagedZip(`${name}: cannot be unpacked`, { cause: error })
    } finally {
      source.destroy()
      inflate.destroy()
    }
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await file.read(bytes, 0, length, position)
  if (bytesRead < length) throw new DamagedZip('cut off')
  return bytes
}

/** The position of the directory, and the number of its parts. */
async function findDirectory(
  file: FileHandle,
  size: number,
): Promise<{ readonly offset: number; readonly count: number; readonly end: number }> {
  const tailLength = Math.min(size, endLength + maxComment + locatorLength)
  if (tailLength < endLength) throw new DamagedZip('no zip')
  const tailStart = size - tailLength
  const tail = await readBytes(file, tailStart, tailLength)
  const at = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'), tailLength - endLength)
  if (at < 0) throw new DamagedZip('no directory')
  const count = tail.readUInt16LE(at + 10)
  const offset = tail.readUInt32LE(at + 16)
  if (count !== 0xffff && offset !== 0xffffffff) return check({ offset, count, end: tailStart + at }, size)
  if (at < locatorLength || tail.readUInt32LE(at - locatorLength) !== 0x07064b50)
    throw new DamagedZip('no large directory')
  const recordStart = Number(tail.readBigUInt64LE(at - 12))
  if (recordStart + zip64Length > size) throw new DamagedZip('no large directory')
  const record = await readBytes(file, recordStart, zip64Length)
  if (record.readUInt32LE(0) !== 0x06064b50) throw new DamagedZip('no large directory')
  return check(
    {
      offset: Number(record.readBigUInt64LE(48)),
      count: Number(record.readBigUInt64LE(32)),
      end: recordStart,
    },
    size,
  )
}

function check<T extends { readonly offset: number; readonly end: number }>(directory: T, size: number): T {
  if (directory.offset > directory.end || directory.end > size)
    throw new DamagedZip('the directory is elsewhere')
  return directory
}
