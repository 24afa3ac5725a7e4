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
  let n = raw >> 2
  if ((raw & 2) === 0) {
    const double = Buffer.alloc(8)
    double.writeInt32LE(raw & ~3, 4)
    n = double.readDoubleLE(0)
  }
  return raw & 1 ? n / 100 : n
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

/**
 * The table of shared texts, spread over one record and those that continue it. A text may be cut anywhere
 * between two letters; the next record then starts with a new width byte. Trailing format runs and phonetics
 * are stepped over.
 */
export function readSharedStrings(blocks: readonly Buffer[]): string[] {
  let block = 0
  let at = 8
  const unread = () => defined(blocks[block]).length - at
  const turn = () => {
    at = 0
    if (++block >= blocks.length) throw damagedWorkbook()
  }
  const need = (bytes: number) => {
    if (unread() === 0) {
      turn()
    }
    if (unread() < bytes) throw damagedWorkbook()
  }
  const skip = (bytes: number) => {
    for (let left = bytes; left > 0;) {
      if (unread() === 0) {
        turn()
      }
      const step = Math.min(left, unread())
      at += step
      left -= step
    }
  }
  if (defined(blocks[0]).length < 8) throw damagedWorkbook()
  const count = defined(blocks[0]).readUInt32LE(4)
  const found: string[] = []
  while (found.length < count) {
    if (unread() === 0 && block + 1 === blocks.length) break
    need(3)
    let left = defined(blocks[block]).readUInt16LE(at)
    let flags = defined(blocks[block]).readUInt8(at + 2)
    at += 3
    let tail = 0
    if (flags & 8) {
      need(2)
      tail += defined(blocks[block]).readUInt16LE(at) * 4
      at += 2
    }
    if (flags & 4) {
      need(4)
      tail += defined(blocks[block]).readUInt32LE(at)
      at += 4
    }
    let text = ''
    while (left > 0) {
      if (unread() === 0) {
        turn()
        flags = defined(blocks[block]).readUInt8(at++)
      }
      const width = flags & 1 ? 2 : 1
      const letters = Math.min(left, Math.floor(unread() / width))
      if (letters === 0) throw damagedWorkbook()
      text += defined(blocks[block]).toString(width === 2 ? 'utf16le' : 'latin1', at, at + letters * width)
      at += letters * width
      left -= letters
    }
    skip(tail)
    found.push(text)
  }
  return found
}
