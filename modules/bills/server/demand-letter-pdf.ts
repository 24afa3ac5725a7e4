import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import { formatYuan, sumFen, toChineseCapitals, type Fen } from '#kit/domain/money.ts'
import { fitText, type PdfDocument } from '#kit/server/pdf.ts'

export interface LetterLine {
  readonly item: string
  readonly period: string
  readonly due: Day
  readonly days: number
  readonly principal: Fen
  readonly late: Fen
}

export interface DemandLetter {
  readonly title: string
  readonly estate: string
  readonly phone?: string | undefined
  readonly company: string
  readonly object: string
  readonly payer: string
  readonly lines: readonly LetterLine[]
  readonly opening: string
  readonly closing: string
  readonly no: string
  readonly day: Day
}

const leftEdge = 56
const rightEdge = 539
const contentWidth = rightEdge - leftEdge

const listColumns = [
  { title: '收费项目', x: 0, w: 96 },
  { title: '账期', x: 96, w: 126 },
  { title: '应缴日', x: 222, w: 64 },
  { title: '逾期', x: 286, w: 44, end: true },
  { title: '本金', x: 330, w: 76, end: true },
  { title: '违约金', x: 406, w: 77, end: true },
] as const

/** Long names take a second line. The headings are repeated on every page. */
function drawTable(pdf: PdfDocument, letter: DemandLetter): void {
  const drawRow = (cells: readonly string[], weight: 'plain' | 'bold'): void => {
    pdf.font(weight).fontSize(10).fillColor('#000')
    const height =
      Math.max(...listColumns.map((c, i) => pdf.heightOfString(defined(cells[i]), { width: c.w - 6 }))) + 8
    const y = pdf.y
    listColumns.forEach((c, i) =>
      pdf.text(defined(cells[i]), leftEdge + c.x + 3, y + 5, {
        width: c.w - 6,
        align: 'end' in c ? 'right' : 'left',
      }),
    )
    pdf
      .lineWidth(0.5)
      .moveTo(leftEdge, y + height)
      .lineTo(rightEdge, y + height)
      .stroke('#999')
    pdf.y = y + height
  }
  const drawHeadings = (): void => {
    pdf.lineWidth(0.8).moveTo(leftEdge, pdf.y).lineTo(rightEdge, pdf.y).stroke('#000')
    drawRow(
      listColumns.map(c => c.title),
      'bold',
    )
  }
  drawHeadings()
  for (const letterLine of letter.lines) {
    if (pdf.y > 720) {
      pdf.addPage()
      drawHeadings()
    }
    drawRow(
      [
        letterLine.item,
        letterLine.period,
        letterLine.due,
        letterLine.days ? `${letterLine.days} 天` : '--',
        formatYuan(letterLine.principal, { thousands: true }),
        letterLine.late ? formatYuan(letterLine.late, { thousands: true }) : '--',
      ],
      'plain',
    )
  }
}

/** A letter on a page of its own, with the total in figures and in Chinese capitals. */
export function drawLetter(pdf: PdfDocument, letter: DemandLetter): void {
  const total = sumFen(letter.lines.flatMap(l => [l.principal, l.late]))
  pdf
    .font('plain')
    .fontSize(9)
    .fillColor('#555')
    .text(fitText(pdf.font('plain').fontSize(9), letter.estate, contentWidth / 2 - 6), leftEdge, 48, {
      width: contentWidth / 2,
      lineBreak: false,
    })
    .text(`编号 ${letter.no}`, leftEdge + contentWidth / 2, 48, {
      width: contentWidth / 2,
      align: 'right',
      lineBreak: false,
    })
  pdf
    .font('bold')
    .fontSize(20)
    .fillColor('#000')
    .text(letter.title, leftEdge, 76, { width: contentWidth, align: 'center' })
  pdf
    .font('plain')
    .fontSize(11)
    .text(`${letter.object}  ${letter.payer}：`, leftEdge, 122, { width: contentWidth })
  pdf.moveDown(0.5).text(letter.opening, leftEdge, pdf.y, { width: contentWidth, indent: 22, lineGap: 4 })
  pdf.y += 10
  drawTable(pdf, letter)
  pdf
    .font('bold')
    .fontSize(11)
    .text(
      `合计 ${formatYuan(total, { thousands: true })} 元（大写：${toChineseCapitals(total)}）`,
      leftEdge,
      pdf.y + 10,
      {
        width: contentWidth,
      },
    )
  pdf
    .font('plain')
    .fontSize(11)
    .text(letter.closing, leftEdge, pdf.y + 12, { width: contentWidth, indent: 22, lineGap: 4 })
  if (pdf.y > 700) {
    pdf.addPage()
  }
  pdf.y += 28
  for (const line of [letter.company, ...(letter.phone ? [`服务电话 ${letter.phone}`] : []), letter.day]) {
    pdf.text(line, leftEdge, pdf.y, { width: contentWidth, align: 'right' })
  }
}
