import { inflateSync } from 'node:zlib'
import { createCanvas } from '@napi-rs/canvas'
import { decodeQR } from 'qr/decode.js'
import { encode } from 'uqr'

/** Pixels of a picture for each point of the sheet. */
const scale = 4
const pageSize = { width: 596, height: 842 }

interface Square {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The drawing commands of the pages of a sheet, one page after the other. */
function pageContents(pdf: Buffer): string[] {
  const text = pdf.toString('latin1')
  return [...text.matchAll(/\/Filter \/FlateDecode\s*>>\s*stream\r?\n/g)].flatMap(match => {
    const start = match.index + match[0].length
    const end = text.indexOf('endstream', start)
    try {
      const content = inflateSync(pdf.subarray(start, end)).toString('latin1')
      return / re\b/.test(content) ? [content] : []
    } catch {
      return []
    }
  })
}

const squaresOf = (content: string): Square[] =>
  [...content.matchAll(/(-?[\d.]+) (-?[\d.]+) (-?[\d.]+) (-?[\d.]+) re\b/g)].map(
    ([, x, y, width, height]) => ({
      x: Number(x),
      y: Number(y),
      width: Number(width),
      height: Number(height),
    }),
  )

/** The three columns and eight rows of a sheet of labels; the code is at the left of each. */
const cells = Array.from({ length: 24 }, (_, i) => ({
  x: 22 + (i % 3) * 184 + 3,
  y: 26 + Math.floor(i / 3) * 99 + 4,
}))
const codeSide = 88

/** Reads the codes of a printed sheet as a camera would: from the squares that are on its first page. */
export function readLabelCodes(pdf: Buffer): string[] {
  const [content = ''] = pageContents(pdf)
  const canvas = createCanvas(pageSize.width * scale, pageSize.height * scale)
  const context = canvas.getContext('2d')
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = 'black'
  // The frames of labels are squares as well, large ones.
  for (const square of squaresOf(content).filter(({ height }) => height < 10)) {
    context.fillRect(square.x * scale, square.y * scale, square.width * scale, square.height * scale)
  }
  return cells.flatMap(({ x, y }) => {
    const side = codeSide * scale
    const { data } = context.getImageData(x * scale, y * scale, side, side)
    try {
      return [decodeQR({ width: side, height: side, data })]
    } catch {
      return []
    }
  })
}

/** A photo of a code, as a phone takes it. */
export async function photoOfCode(code: string): Promise<Buffer> {
  const { data } = encode(code, { ecc: 'M', border: 4 })
  const cell = 10
  const canvas = createCanvas(data.length * cell, data.length * cell)
  const context = canvas.getContext('2d')
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = 'black'
  for (const [y, row] of data.entries()) {
    for (const [x, isDark] of row.entries()) {
      if (isDark) {
        context.fillRect(x * cell, y * cell, cell, cell)
      }
    }
  }
  return canvas.encode('png')
}
