import { defined } from '#kit/domain/defined.ts'
import { formatYuan, readYuan } from '#kit/domain/money.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { WireResult } from '../tax-platform/http.ts'
import type { SimulatedInvoice, InvoiceStore, OrderLine, Order } from './invoice-store.ts'
import { drawInvoice } from './invoice-pdf.ts'

export interface EndpointResponse {
  readonly status: number
  readonly bytes: Uint8Array
  /** To be brought to its end. */ readonly fresh?: SimulatedInvoice | undefined
  /** Taken, but not answered. */ readonly deaf?: boolean
}

/** What the platform makes of an order; words where it does not take it. */
function findOrderFault(o: Order, book: InvoiceStore): string | undefined {
  const fen = (s: string): number => readYuan(s) ?? NaN
  if (!o.serialNo || !o.lines?.length || !o.seller?.taxNo || !o.buyer?.title) return '必填项缺失'
  if (
    fen(o.net) + fen(o.tax) !== fen(o.total) ||
    o.lines.reduce((n, l) => n + fen(l.total), 0) !== fen(o.total)
  )
    return '价税合计不平'
  if (o.lines.some(l => !/^\d{19}$/.test(l.code))) return '税收分类编码有误'
  if (o.type === 'SPECIAL' && !o.buyer.taxNo) return '专用发票缺少购买方税号'
  if (!o.red) return fen(o.total) > 0 ? undefined : '金额应大于零'
  const blue = [...book.bills.values()].find(b => b.invoiceNo === defined(o.red).invoiceNo && !b.order.red)
  if (fen(o.total) >= 0) return '红字金额应小于零'
  const reds = [...book.bills.values()]
    .filter(b => b.order.red?.invoiceNo === defined(o.red).invoiceNo && b.status === 'ISSUED')
    .map(b => b.order)
  const whole = o.red.scope !== 'PART'
  if (whole && reds.length) return '该发票已红冲'
  if (fen(o.red.total ?? o.total) !== fen(o.total)) return '红字信息的金额与明细不符'
  if (!blue) return undefined
  if (whole) return fen(blue.order.total) === -fen(o.total) ? undefined : '红字金额与蓝字发票不符'
  const at = (l: OrderLine, i: number): number => l.blueLine ?? i + 1
  const taken = (n: number): number =>
    reds.reduce((all, r) => all + r.lines.reduce((s, l, i) => s + (at(l, i) === n ? fen(l.total) : 0), 0), 0)
  for (const [i, l] of o.lines.entries()) {
    const n = at(l, i)
    const of = blue.order.lines[n - 1]
    if (!of || of.code !== l.code || of.rate !== l.rate || fen(l.total) >= 0) return '红字明细与蓝字发票不符'
    if (
      fen(of.total) + taken(n) + o.lines.reduce((s, x, k) => s + (at(x, k) === n ? fen(x.total) : 0), 0) <
      0
    )
      return `红字金额超过蓝字发票第 ${n} 行的余额`
  }
  return undefined
}

/** The other end of the platform's interface: one invoice for one number, whatever comes. */
export function createEndpoint(book: InvoiceStore, clock: () => number) {
  const told = (b: SimulatedInvoice): WireResult => ({
    serialNo: b.serialNo,
    status: b.status,
    ...(b.status === 'ISSUED'
      ? {
          invoiceNo: defined(b.invoiceNo),
          issueTime: defined(b.issueTime),
          total: formatYuan(readYuan(b.order.total) ?? 0),
        }
      : {}),
    ...(b.reason ? { reason: b.reason } : {}),
  })
  const say = (t: object, status = 200): EndpointResponse => ({
    status,
    bytes: Buffer.from(JSON.stringify(t)),
  })
  const finish = (b: SimulatedInvoice): void => {
    if (b.status !== 'DOING') return
    const why = b.mood === 'fail' ? '模拟：税务平台拒绝，请核对抬头后重试' : findOrderFault(b.order, book)
    if (why) {
      b.status = 'FAILED'
      b.reason = why
    } else {
      b.status = 'ISSUED'
      b.invoiceNo = book.nextNo()
      b.issueTime = fromInstant(clock())
    }
    book.save()
  }
  return {
    told,
    finish,
    answer: async (path: string, body: string): Promise<EndpointResponse> => {
      const said = JSON.parse(body || '{}') as Order
      const b = book.bills.get(said.serialNo ?? '')
      if (path === '/v1/invoice/query')
        return say(b ? told(b) : { serialNo: said.serialNo, status: 'ABSENT' })
      if (path === '/v1/invoice/file')
        return b?.status === 'ISSUED'
          ? { status: 200, bytes: await drawInvoice(b) }
          : { status: 404, bytes: Buffer.from('') }
      if (path !== '/v1/invoice/issue') return say({ status: 'UNKNOWN' }, 404)
      const asked = JSON.stringify({ ...said, notifyUrl: '' })
      // The same number with other words is no repetition: it is refused, and what was asked first stands.
      if (b)
        return b.asked === asked
          ? say(told(b))
          : say({ serialNo: said.serialNo, status: 'FAILED', reason: '流水号已被另一张发票使用' })
      const fresh: SimulatedInvoice = {
        serialNo: said.serialNo,
        order: said,
        asked,
        mood: book.state.mood,
        notifyUrl: said.notifyUrl,
        at: clock(),
        status: 'DOING',
      }
      book.bills.set(fresh.serialNo, fresh)
      book.save()
      return { ...say(told(fresh)), fresh, deaf: fresh.mood === 'die' }
    },
  }
}
