import { defined } from '#kit/domain/defined.ts'
import { toChineseCapitals, parseYuan } from '#kit/domain/money.ts'
import { fitText, createPdf } from '#kit/server/pdf.ts'
import { formatRate } from '../../domain/tax.ts'
import type { SimulatedInvoice } from './invoice-store.ts'

/** The invoice as the platform draws it; it says of itself that it is a trial. */
export async function drawInvoice(b: SimulatedInvoice): Promise<Uint8Array> {
  const o = b.order
  const made = createPdf(
    {
      name: `${b.serialNo}.pdf`,
      title: `发票 ${b.invoiceNo ?? ''}`,
      size: 'A5',
      layout: 'landscape',
      margin: 28,
    },
    p => {
      const w = p.page.width - 56
      const at = (
        x: number,
        y: number,
        text: string,
        width = w,
        align: 'left' | 'right' | 'center' = 'left',
      ): void => {
        p.text(fitText(p, text, width), 28 + x, y, { width, align, lineBreak: false })
      }
      p.font('bold').fontSize(15)
      at(
        0,
        28,
        `电子发票（${o.type === 'SPECIAL' ? '增值税专用发票' : '普通发票'}）${o.red ? '红字' : ''}`,
        w,
        'center',
      )
      p.font('plain').fontSize(9)
      at(0, 52, `发票号码：${b.invoiceNo ?? ''}`, w, 'right')
      at(0, 66, `开票日期：${b.issueTime?.slice(0, 10) ?? ''}`, w, 'right')
      at(0, 52, '本机模拟的开票平台出具，不是真发票', w / 2)
      at(0, 84, `购买方：${o.buyer.title}`, w / 2 - 8)
      at(0, 98, `税号：${o.buyer.taxNo ?? ''}`, w / 2 - 8)
      at(w / 2, 84, `销售方：${o.seller.companyName}`, w / 2)
      at(w / 2, 98, `税号：${o.seller.taxNo}`, w / 2)
      const xs = [0, 190, 330, 380, 450] as const
      const heads = ['项目名称', '账期', '税率', '金额', '税额']
      const ws = [184, 136, 44, 64, w - 450]
      const row = (y: number, cells: readonly string[]): void =>
        cells.forEach((c, i) => at(defined(xs[i]), y, c, ws[i], i > 1 ? 'right' : 'left'))
      row(122, heads)
      p.moveTo(28, 136)
        .lineTo(28 + w, 136)
        .stroke()
      const shown = o.lines.slice(0, 12)
      shown.forEach((l, i) =>
        row(142 + i * 14, [
          l.name,
          l.periods,
          l.noTax ? '不征税' : formatRate(l.rate),
          l.net,
          l.noTax ? '***' : l.tax,
        ]),
      )
      const y = 142 + shown.length * 14 + 6
      p.moveTo(28, y)
        .lineTo(28 + w, y)
        .stroke()
      row(y + 6, ['合计', '', '', o.net, o.tax])
      at(0, y + 24, `价税合计（大写）${toChineseCapitals(parseYuan(o.total))}　（小写）¥${o.total}`)
      at(
        0,
        y + 42,
        `备注：${[o.red && `对应蓝字发票 ${o.red.invoiceNo}，${o.red.reason}`, o.remark].filter(Boolean).join('；')}`,
      )
      at(0, y + 60, `开票人：${o.seller.drawer ?? ''}`)
    },
  )
  const parts: Uint8Array[] = []
  for await (const part of made.body as AsyncIterable<Uint8Array>) {
    parts.push(part)
  }
  return Buffer.concat(parts)
}
