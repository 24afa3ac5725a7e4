import { toChineseCapitals, parseYuan } from '#kit/domain/money.ts'
import { fitText, createPdf } from '#kit/server/pdf.ts'
import { formatRate } from '../../domain/tax.ts'
import type { Order, SimulatedInvoice } from './invoice-store.ts'

type Page = Parameters<Parameters<typeof createPdf>[1]>[0]
type Align = 'left' | 'right' | 'center'
type Writer = (x: number, y: number, text: string, width?: number, align?: Align) => void

const margin = 28
const maxLines = 12
const lineHeight = 14

const createWriter =
  (page: Page, fullWidth: number): Writer =>
  (x, y, text, width = fullWidth, align = 'left') => {
    page.text(fitText(page, text, width), margin + x, y, { width, align, lineBreak: false })
  }

const drawRule = (page: Page, y: number, width: number): void => {
  page
    .moveTo(margin, y)
    .lineTo(margin + width, y)
    .stroke()
}

function drawHeading(page: Page, invoice: SimulatedInvoice, width: number, write: Writer): void {
  const { type, red, buyer, seller } = invoice.order
  const halfWidth = width / 2
  const kind = type === 'SPECIAL' ? '增值税专用发票' : '普通发票'
  page.font('bold').fontSize(15)
  write(0, 28, `电子发票（${kind}）${red ? '红字' : ''}`, width, 'center')
  page.font('plain').fontSize(9)
  write(0, 52, `发票号码：${invoice.invoiceNo ?? ''}`, width, 'right')
  write(0, 66, `开票日期：${invoice.issueTime?.slice(0, 10) ?? ''}`, width, 'right')
  write(0, 52, '模拟渠道出具，不是真实发票', halfWidth)
  write(0, 84, `购买方：${buyer.title}`, halfWidth - 8)
  write(0, 98, `税号：${buyer.taxNo ?? ''}`, halfWidth - 8)
  write(halfWidth, 84, `销售方：${seller.companyName}`, halfWidth)
  write(halfWidth, 98, `税号：${seller.taxNo}`, halfWidth)
}

/** The table of lines with its sum; returns where it ends. */
function drawLines(page: Page, order: Order, width: number, write: Writer): number {
  const columns = [
    [0, 184],
    [190, 136],
    [330, 44],
    [380, 64],
    [450, width - 450],
  ] as const
  const writeRow = (y: number, cells: readonly string[]): void =>
    columns.forEach(([x, columnWidth], index) =>
      write(x, y, cells[index] ?? '', columnWidth, index > 1 ? 'right' : 'left'),
    )
  writeRow(122, ['项目名称', '账期', '税率', '金额', '税额'])
  drawRule(page, 136, width)
  const lines = order.lines.slice(0, maxLines)
  lines.forEach((line, index) =>
    writeRow(142 + index * lineHeight, [
      line.name,
      line.periods,
      line.noTax ? '不征税' : formatRate(line.rate),
      line.net,
      line.noTax ? '***' : line.tax,
    ]),
  )
  const end = 142 + lines.length * lineHeight + 6
  drawRule(page, end, width)
  writeRow(end + 6, ['合计', '', '', order.net, order.tax])
  return end
}

function drawFooter({ total, red, remark, seller }: Order, y: number, write: Writer): void {
  const remarks = [red && `对应蓝字发票 ${red.invoiceNo}，${red.reason}`, remark].filter(Boolean)
  write(0, y + 24, `价税合计（大写）${toChineseCapitals(parseYuan(total))}　（小写）¥${total}`)
  write(0, y + 42, `备注：${remarks.join('；')}`)
  write(0, y + 60, `开票人：${seller.drawer ?? ''}`)
}

/** The invoice as the platform draws it; it says that it is no real one. */
export async function drawInvoice(invoice: SimulatedInvoice): Promise<Uint8Array> {
  const pdf = createPdf(
    {
      name: `${invoice.serialNo}.pdf`,
      title: `发票 ${invoice.invoiceNo ?? ''}`,
      size: 'A5',
      layout: 'landscape',
      margin,
    },
    page => {
      const width = page.page.width - 2 * margin
      const write = createWriter(page, width)
      drawHeading(page, invoice, width, write)
      const end = drawLines(page, invoice.order, width, write)
      drawFooter(invoice.order, end, write)
    },
  )
  const parts: Uint8Array[] = []
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the body of a PDF is always a stream
  for await (const part of pdf.body as AsyncIterable<Uint8Array>) {
    parts.push(part)
  }
  return Buffer.concat(parts)
}
