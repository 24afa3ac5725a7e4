export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** Frames of a JPEG name its size: C0 to CF but for the tables among them. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function readJpegSize(bytes: Buffer): ImageSize | undefined {
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes.readUInt8(at + 1)
    if (marker === 0xff) {
      at++
    } else if (isFrame(marker)) {
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    } else {
      at += 2 + bytes.readUInt16BE(at + 2)
    }
  }
  return undefined
}

/** The size of a PNG or JPEG in pixels, by its first bytes; nothing where they are neither. */
export function readImageSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.length >= 24 && bytes.toString('latin1', 1, 4) === 'PNG')
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  return bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8 ? readJpegSize(bytes) : undefined
}
