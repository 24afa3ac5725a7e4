import { defined } from '#kit/domain/defined.ts'
/**
 * Just enough of the tar format (ustar, pax for long or Chinese names and for big files) to write and read a
 * backup.
 */

export interface TarHeader {
  path: string
  size: number
}

const BLOCK = 512
const OCTAL_LIMIT = 8 ** 11

/**
 * The header blocks of an entry; its `size` bytes and padding() follow. Times are left at 0: two equal
 * backups are equal.
 */
export function tarHeader({ path, size }: TarHeader): Buffer {
  const plain = /^[\x20-\x7e]{1,100}$/.test(path) && size < OCTAL_LIMIT
  if (plain) return headerBlock(path, size, '0')
  const body = Buffer.from(paxRecord('path', path) + paxRecord('size', String(size)))
  const named = headerBlock('pax', body.length, 'x')
  return Buffer.concat([
    named,
    body,
    tarPadding(body.length),
    headerBlock('long-name', Math.min(size, OCTAL_LIMIT - 1), '0'),
  ])
}

export function tarPadding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)
}

/** Two empty blocks end an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK)

function headerBlock(path: string, size: number, type: '0' | 'x'): Buffer {
  const block = Buffer.alloc(BLOCK)
  block.write(path, 0, 'latin1')
  block.write('0000600\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  block.write('00000000000\0', 136)
  block.write('        ', 148)
  block.write(type, 156)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** "LENGTH key=value\n", where the length counts itself. */
function paxRecord(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest + 1
  while (String(length).length + rest !== length) {
    length = String(length).length + rest
  }
  return `${length} ${key}=${value}\n`
}

export interface TarEntry extends TarHeader {
  /** the entry's bytes; what is not read is skipped */
  body: AsyncIterable<Buffer>
}

/** The entries of a tar stream one after another; throws on anything that is not a whole, regular archive. */
export async function* tarEntries(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry, void> {
  const reader = blockReader(source)
  for (;;) {
    let head = await readHeader(reader)
    if (!head) return await reader.drain()
    let pax: Record<string, string> = {}
    if (head.type === 'x') {
      const size = head.size
      if (size > 65_536) throw new Error('tar: oversized extended header')
      pax = parsePax(await reader.exactly(size))
      await reader.exactly(tarPadding(size).length)
      head = await readHeader(reader)
    }
    if (!head || head.type !== '0') throw new Error('tar: unexpected entry')
    const size = Number(pax.size ?? head.size)
    const body = reader.upTo(size)
    yield { path: pax.path ?? head.path, size, body }
    for await (const skipped of body) {
      void skipped
    }
    await reader.exactly(tarPadding(size).length)
  }
}

async function readHeader(reader: BlockReader): Promise<(TarHeader & { type: string }) | undefined> {
  const block = await reader.exactly(BLOCK)
  if (block.every(byte => byte === 0)) return undefined
  const claimed = parseInt(block.toString('latin1', 148, 156), 8)
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  const size = parseInt(block.toString('latin1', 124, 136), 8)
  if (sum !== claimed || !(size >= 0)) throw new Error('tar: damaged header')
  const name = block.subarray(0, 100)
  const end = name.indexOf(0)
  return {
    path: name.toString('latin1', 0, end < 0 ? 100 : end),
    size,
    type: String.fromCharCode(defined(block[156])),
  }
}

function parsePax(body: Buffer): Record<string, string> {
  const found: Record<string, string> = {}
  for (let at = 0; at < body.length;) {
    const space = body.indexOf(0x20, at)
    const length = Number(body.toString('latin1', at, space))
    if (!(length > 0)) throw new Error('tar: damaged extended header')
    const [key, value] = splitOnce(body.toString('utf8', space + 1, at + length - 1), '=')
    found[key] = value
    at += length
  }
  return found
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return [text.slice(0, at), text.slice(at + 1)]
}

interface BlockReader {
  /** that many bytes or an error */
  exactly(size: number): Promise<Buffer>
  /** the next `size` bytes in pieces as they come; its rest can be drained by iterating again */
  upTo(size: number): AsyncIterable<Buffer>
  /** to the end of the source, whose own checks come last */
  drain(): Promise<void>
}

function blockReader(source: AsyncIterable<Buffer>): BlockReader {
  const pieces = source[Symbol.asyncIterator]()
  let buffered: Buffer = Buffer.alloc(0)
  async function readNextPiece(): Promise<void> {
    const { value, done } = await pieces.next()
    if (done) throw new Error('tar: cut off')
    buffered = value
  }
  async function exactly(size: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let missing = size; missing > 0;) {
      if (buffered.length === 0) {
        await readNextPiece()
      }
      const part = buffered.subarray(0, missing)
      buffered = buffered.subarray(part.length)
      missing -= part.length
      parts.push(part)
    }
    return parts.length === 1 ? defined(parts[0]) : Buffer.concat(parts)
  }
  function upTo(size: number): AsyncIterable<Buffer> {
    let missing = size
    const next = async (): Promise<IteratorResult<Buffer, void>> => {
      if (missing === 0) return { done: true, value: undefined }
      if (buffered.length === 0) {
        await readNextPiece()
      }
      const part = buffered.subarray(0, missing)
      buffered = buffered.subarray(part.length)
      missing -= part.length
      return { done: false, value: part }
    }
    // One iterator for all: a second iteration continues where the last one stopped.
    const iterator = { next }
    return { [Symbol.asyncIterator]: () => iterator }
  }
  async function drain(): Promise<void> {
    while (!(await pieces.next()).done);
  }
  return { exactly, upTo, drain }
}
