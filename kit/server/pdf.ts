import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type PDFDocument from 'pdfkit'
import { encode } from 'uqr'
import type { FileResponse } from '#kit/contract/file-response.ts'

const require = createRequire(import.meta.url)
const fontFamily = '@expo-google-fonts/noto-sans-sc'

const fontFiles = {
  plain: '400Regular/NotoSansSC_400Regular.ttf',
  bold: '700Bold/NotoSansSC_700Bold.ttf',
} as const

/** Ten megabytes each: read once, on first need. What a file holds of them is only the glyphs it uses. */
const fontCache = new Map<string, Buffer>()

const loadFont = (weight: keyof typeof fontFiles): Buffer => {
  let buffer = fontCache.get(weight)
  if (!buffer) {
    fontCache.set(weight, (buffer = readFileSync(require.resolve(`${fontFamily}/${fontFiles[weight]}`))))
  }
  return buffer
}

export type PdfDocument = PDFKit.PDFDocument

export interface PdfOptions {
  readonly name: string
  readonly title: string
  readonly size?: 'A4' | 'A5'
  readonly layout?: 'portrait' | 'landscape'
  /** Points on every side. */
  readonly margin?: number
  readonly inline?: boolean
}

/**
 * A PDF with Chinese fonts, sent as it comes out: draw on its paper, then end that. Fonts are `plain` and
 * `bold`; points from the upper left corner; the first page is there. Characters beyond Unicode's first plane
 * have no glyph and come out as a box.
 */
export function openPdf(sheet: PdfOptions): { readonly paper: PdfDocument; readonly file: FileResponse } {
  // Read at the first document: no start waits for it.
  const Paper: typeof PDFDocument = require('pdfkit')
  const paper = new Paper({
    size: sheet.size ?? 'A4',
    layout: sheet.layout ?? 'portrait',
    margin: sheet.margin ?? 40,
    info: { Title: sheet.title },
    autoFirstPage: false,
  })
  for (const weight of ['plain', 'bold'] as const) {
    paper.registerFont(weight, loadFont(weight))
  }
  paper.addPage()
  paper.font('plain').fontSize(10)
  return {
    paper,
    file: {
      name: sheet.name,
      type: 'application/pdf',
      body: paper,
      ...(sheet.inline ? { inline: true } : {}),
    },
  }
}

/** A PDF that is drawn at once: for some pages, as nothing else runs until it is done. */
export function createPdf(sheet: PdfOptions, draw: (paper: PdfDocument) => void): FileResponse {
  const { paper, file } = openPdf(sheet)
  draw(paper)
  paper.end()
  return file
}

/** A QR picture as black squares, with its quiet edge inside `size` points. */
export function drawQr(paper: PdfDocument, text: string, x: number, y: number, size: number): void {
  const { data } = encode(text, { ecc: 'M', border: 2 })
  const cell = size / data.length
  for (const [rowIndex, row] of data.entries()) {
    for (let columnIndex = 0; columnIndex < row.length; columnIndex++) {
      if (!row[columnIndex]) continue
      let end = columnIndex
      while (row[end + 1]) {
        end++
      }
      paper.rect(x + columnIndex * cell, y + rowIndex * cell, (end - columnIndex + 1) * cell, cell)
      columnIndex = end
    }
  }
  paper.fill('#000')
}

/** One line of text cut with … so that it fits, in the font and size set. */
export function fitText(paper: PdfDocument, text: string, width: number): string {
  if (paper.widthOfString(text) <= width) return text
  const all = [...text]
  let shown = all.length
  while (shown > 0 && paper.widthOfString(`${all.slice(0, shown).join('')}…`) > width) {
    shown--
  }
  return `${all.slice(0, shown).join('')}…`
}
