import { defined } from '#kit/domain/defined.ts'

let gbkTable: Map<string, number> | undefined

/** Alipay still writes GBK; the platform reads it, but writes none. */
export function encodeGbk(text: string): Buffer {
  if (!gbkTable) {
    gbkTable = new Map()
    const reader = new TextDecoder('gbk')
    for (let hi = 0x81; hi <= 0xfe; hi++) {
      for (let lo = 0x40; lo <= 0xfe; lo++) {
        if (lo !== 0x7f) {
          const c = reader.decode(Uint8Array.of(hi, lo))
          if (c.length === 1 && c !== '\ufffd' && !gbkTable.has(c)) {
            gbkTable.set(c, hi * 256 + lo)
          }
        }
      }
    }
  }
  return Buffer.from(
    [...text].flatMap(c => {
      if (c < '\x80') return [c.charCodeAt(0)]
      const n = defined(gbkTable).get(c) ?? 0x3f
      return n > 255 ? [n >> 8, n & 255] : [n]
    }),
  )
}
