import { defined } from '#kit/domain/defined.ts'
import { asFen, formatYuan, readYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { WireResult } from '../tax-platform/http.ts'
import type { SimulatedInvoice, InvoiceStore, OrderLine, Order } from './invoice-store.ts'
import { drawInvoice } from './invoice-pdf.ts'

export interface EndpointResponse {
  readonly status: number
  readonly bytes: Uint8Array
  /** To be finished in its time. */
  readonly started?: SimulatedInvoice | undefined
  /** The request was accepted; the connection ends without an answer. */
  readonly isUnanswered?: boolean
}

/** NaN, which equals nothing, for what is no amount. */
const toFen = (yuan: string): number => readYuan(yuan) ?? NaN
const totalOf = (lines: readonly OrderLine[]): Fen => sumFen(lines.map(line => asFen(toFen(line.total))))

/** The lines of an order that belong to line `number` of the blue invoice. */
const linesOf = (order: Order, number: number): readonly OrderLine[] =>
  order.lines.filter((line, index) => (line.blueLine ?? index + 1) === number)

function findRedLineFault(order: Order, blue: Order, earlierReds: readonly Order[]): string | undefined {
  for (const [index, line] of order.lines.entries()) {
    const number = line.blueLine ?? index + 1
    const blueLine = blue.lines[number - 1]
    if (!blueLine || blueLine.code !== line.code || blueLine.rate !== line.rate || toFen(line.total) >= 0)
      return '红字明细与蓝字发票不符'
    const takenBack = sumFen([...earlierReds, order].map(red => totalOf(linesOf(red, number))))
    if (toFen(blueLine.total) + takenBack < 0) return `红字金额超过蓝字发票第 ${number} 行的余额`
  }
  return undefined
}

function findRedFault(order: Order, red: NonNullable<Order['red']>, store: InvoiceStore): string | undefined {
  const invoices = [...store.invoices.values()]
  const blue = invoices.find(invoice => invoice.invoiceNo === red.invoiceNo && !invoice.order.red)
  if (toFen(order.total) >= 0) return '红字金额应小于零'
  const earlierReds = invoices
    .filter(invoice => invoice.order.red?.invoiceNo === red.invoiceNo && invoice.status === 'ISSUED')
    .map(invoice => invoice.order)
  const isWhole = red.scope !== 'PART'
  if (isWhole && earlierReds.length) return '该发票已红冲'
  if (toFen(red.total ?? order.total) !== toFen(order.total)) return '红字信息的金额与明细不符'
  if (!blue) return undefined
  if (isWhole) return toFen(blue.order.total) === -toFen(order.total) ? undefined : '红字金额与蓝字发票不符'
  return findRedLineFault(order, blue.order, earlierReds)
}

/** Why the platform refuses an order; undefined where it accepts it. */
function findOrderFault(order: Order, store: InvoiceStore): string | undefined {
  if (!order.serialNo || !order.lines?.length || !order.seller?.taxNo || !order.buyer?.title)
    return '必填项缺失'
  const total = toFen(order.total)
  if (toFen(order.net) + toFen(order.tax) !== total || totalOf(order.lines) !== total) return '价税合计不平'
  if (order.lines.some(line => !/^\d{19}$/.test(line.code))) return '税收分类编码有误'
  if (order.type === 'SPECIAL' && !order.buyer.taxNo) return '专用发票缺少购买方税号'
  if (order.red) return findRedFault(order, order.red, store)
  return total > 0 ? undefined : '金额应大于零'
}

const resultOf = (invoice: SimulatedInvoice): WireResult => ({
  serialNo: invoice.serialNo,
  status: invoice.status,
  ...(invoice.status === 'ISSUED'
    ? {
        invoiceNo: defined(invoice.invoiceNo),
        issueTime: defined(invoice.issueTime),
        total: formatYuan(readYuan(invoice.order.total) ?? 0),
      }
    : {}),
  ...(invoice.reason ? { reason: invoice.reason } : {}),
})

const toResponse = (content: object, status = 200): EndpointResponse => ({
  status,
  bytes: Buffer.from(JSON.stringify(content)),
})

function finish(invoice: SimulatedInvoice, store: InvoiceStore, now: number): void {
  if (invoice.status !== 'DOING') return
  const fault =
    invoice.behaviour === 'fail'
      ? '模拟：税务平台拒绝，请核对抬头后重试'
      : findOrderFault(invoice.order, store)
  if (fault) {
    invoice.status = 'FAILED'
    invoice.reason = fault
  } else {
    invoice.status = 'ISSUED'
    invoice.invoiceNo = store.nextNo()
    invoice.issueTime = fromInstant(now)
  }
  store.save()
}

/**
 * Accepts an order once. The same number with another content is no repetition: it is refused, and the first
 * order stands.
 */
function acceptOrder(order: Order, store: InvoiceStore): EndpointResponse {
  const orderText = JSON.stringify({ ...order, notifyUrl: '' })
  const known = store.invoices.get(order.serialNo)
  if (known)
    return known.orderText === orderText
      ? toResponse(resultOf(known))
      : toResponse({ serialNo: order.serialNo, status: 'FAILED', reason: '流水号已被另一张发票使用' })
  const started: SimulatedInvoice = {
    serialNo: order.serialNo,
    order,
    orderText,
    behaviour: store.state.behaviour,
    notifyUrl: order.notifyUrl,
    status: 'DOING',
  }
  store.invoices.set(started.serialNo, started)
  store.save()
  return { ...toResponse(resultOf(started)), started, isUnanswered: started.behaviour === 'die' }
}

/** The platform's side of the interface: one invoice for one number. */
export const createEndpoint = (store: InvoiceStore, clock: () => number) => ({
  resultOf,
  finish: (invoice: SimulatedInvoice): void => finish(invoice, store, clock()),
  answer: async (path: string, body: string): Promise<EndpointResponse> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- signed by us; `findOrderFault` checks it
    const order = JSON.parse(body || '{}') as Order
    const invoice = store.invoices.get(order.serialNo ?? '')
    if (path === '/v1/invoice/issue') return acceptOrder(order, store)
    if (path === '/v1/invoice/query')
      return toResponse(invoice ? resultOf(invoice) : { serialNo: order.serialNo, status: 'ABSENT' })
    if (path === '/v1/invoice/file')
      return invoice?.status === 'ISSUED'
        ? { status: 200, bytes: await drawInvoice(invoice) }
        : { status: 404, bytes: Buffer.from('') }
    return toResponse({ status: 'UNKNOWN' }, 404)
  },
})

export type Endpoint = ReturnType<typeof createEndpoint>
