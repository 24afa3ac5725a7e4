import { defined } from '#kit/domain/defined.ts'
import { damagedWorkbook } from './xml-scanner.ts'

/**
 * Records of an xls stream, [MS-XLS]: a number, a length, the bytes. Only those that carry cells or what
 * cells need.
 */
export const recordTypes = {
  formula: 0x06,
  eof: 0x0a,
  dateMode: 0x22,
  filePass: 0x2f,
  continued: 0x3c,
  boundSheet: 0x85,
  mulRk: 0xbd,
  rString: 0xd6,
  xf: 0xe0,
  mergeCells: 0xe5,
  strings: 0xfc,
  labelString: 0xfd,
  number: 0x203,
  label: 0x204,
  boolOrError: 0x205,
  string: 0x207,
  rk: 0x27e,
  format: 0x41e,
  begin: 0x809,
} as const

export interface BiffRecord {
  readonly id: number
  readonly data: Buffer
  readonly next: number
}

export function readRecord(stream: Buffer, at: number): BiffRecord | undefined {
  if (at + 4 > stream.length) return undefined
  const next = at + 4 + stream.readUInt16LE(at + 2)
  if (next > stream.length) throw damagedWorkbook()
  return { id: stream.readUInt16LE(at), data: stream.subarray(at + 4, next), next }
}

/** A compact number: 30 bits, whole or the upper part of a double, perhaps in hundredths. */
export function readRkNumber(data: Buffer, at: number): number {
  const raw = data.readInt32LE(at)
  let bits = raw >> 2
  if ((raw & 2) === 0) {
    const double = Buffer.alloc(8)
    double.writeInt32LE(raw & ~3, 4)
    bits = double.readDoubleLE(0)
  }
  return raw & 1 ? bits / 100 : bits
}

/**
 * A text with its length before it: one byte of length or two, then a byte that says whether letters take one
 * byte or two.
 */
export function readShortText(data: Buffer, at: number, lengthBytes: 1 | 2): string {
  const length = lengthBytes === 1 ? data.readUInt8(at) : data.readUInt16LE(at)
  const wide = (data.readUInt8(at + lengthBytes) & 1) === 1
  const from = at + lengthBytes + 1
  return wide
    ? data.toString('utf16le', from, from + length * 2)
    : data.toString('latin1', from, from + length)
}

const hasFormatRuns = 8
const hasPhonetics = 4

/** Reads the blocks of a record that others continue as one run of bytes. */
class BlockReader {
  readonly #blocks: readonly Buffer[]
  #index = 0
  #offset = 8

  constructor(blocks: readonly Buffer[]) {
    this.#blocks = blocks
  }

  get #block(): Buffer {
    return defined(this.#blocks[this.#index])
  }

  get #unread(): number {
    return this.#block.length - this.#offset
  }

  get isAtEnd(): boolean {
    return this.#unread === 0 && this.#index + 1 === this.#blocks.length
  }

  #nextBlock(): void {
    this.#offset = 0
    if (++this.#index >= this.#blocks.length) throw damagedWorkbook()
  }

  /** The offset of that many bytes, which are never split over two blocks. */
  #advance(bytes: number): number {
    if (this.#unread === 0) {
      this.#nextBlock()
    }
    if (this.#unread < bytes) throw damagedWorkbook()
    const offset = this.#offset
    this.#offset += bytes
    return offset
  }

  /** What precedes a text: its length, its flags, and how many bytes follow it. */
  readHeader(): { readonly length: number; readonly flags: number; readonly trailingBytes: number } {
    const start = this.#advance(3)
    const length = this.#block.readUInt16LE(start)
    const flags = this.#block.readUInt8(start + 2)
    let trailingBytes = 0
    if (flags & hasFormatRuns) {
      const offset = this.#advance(2)
      trailingBytes += this.#block.readUInt16LE(offset) * 4
    }
    if (flags & hasPhonetics) {
      const offset = this.#advance(4)
      trailingBytes += this.#block.readUInt32LE(offset)
    }
    return { length, flags, trailingBytes }
  }

  skip(bytes: number): void {
    for (let remainingBytes = bytes; remainingBytes > 0;) {
      if (this.#unread === 0) {
        this.#nextBlock()
      }
      const step = Math.min(remainingBytes, this.#unread)
      this.#offset += step
      remainingBytes -= step
    }
  }

  /**
   * A text that may be cut anywhere between two letters; the next block then starts with a new width byte.
   */
  readText(length: number, firstFlags: number): string {
    let flags = firstFlags
    let text = ''
    for (let remainingLetters = length; remainingLetters > 0;) {
      if (this.#unread === 0) {
        this.#nextBlock()
        flags = this.#block.readUInt8(this.#offset++)
      }
      const width = flags & 1 ? 2 : 1
      const letters = Math.min(remainingLetters, Math.floor(this.#unread / width))
      if (letters === 0) throw damagedWorkbook()
      const end = this.#offset + letters * width
      text += this.#block.toString(width === 2 ? 'utf16le' : 'latin1', this.#offset, end)
      this.#offset = end
      remainingLetters -= letters
    }
    return text
  }
}

/**
 * The table of shared texts, spread over one record and those that continue it. Trailing format runs and
 * phonetics are skipped.
 */
export function readSharedStrings(blocks: readonly Buffer[]): string[] {
  const first = defined(blocks[0])
  if (first.length < 8) throw damagedWorkbook()
  const count = first.readUInt32LE(4)
  const reader = new BlockReader(blocks)
  const strings: string[] = []
  while (strings.length < count && !reader.isAtEnd) {
    const header = reader.readHeader()
    strings.push(reader.readText(header.length, header.flags))
    reader.skip(header.trailingBytes)
  }
  return strings
}
