import { defined } from '#kit/domain/defined.ts'

let gbkTable: Map<string, number> | undefined

/** Alipay still writes GBK; the platform reads it, but writes none. */
export function encodeGbk(text: string): Buffer {
  if (!gbkTable) {
    gbkTable = new Map()
    const reader = new TextDecoder('gbk')
    for (let highByte = 0x81; highByte <= 0xfe; highByte++) {
      for (let lowByte = 0x40; lowByte <= 0xfe; lowByte++) {
        if (lowByte !== 0x7f) {
          const c = reader.decode(Uint8Array.of(highByte, lowByte))
          if (c.length === 1 && c !== '\ufffd' && !gbkTable.has(c)) {
            gbkTable.set(c, highByte * 256 + lowByte)
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
