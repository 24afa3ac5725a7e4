import { isMoment } from '#kit/domain/moment.ts'
import { defined } from '#kit/domain/defined.ts'
import { formatYuan, readYuan } from '#kit/domain/money.ts'
import {
  ForgedMessageError,
  type PlatformAccount,
  type IssueRequest,
  type PlatformNotification,
  type TaxPlatform,
  type PlatformResult,
} from './platform.ts'
import { createNonce, findSignatureFault, signMessage, type MessageHeaders } from './signature.ts'

/** The result of one serial number in responses and callbacks. */
export interface WireResult {
  readonly serialNo?: string
  readonly status?: string
  readonly invoiceNo?: string
  readonly invoiceCode?: string
  readonly issueTime?: string
  readonly total?: string
  readonly reason?: string
}

/** Throws where it cannot be understood: nothing may be concluded then. */
export function toPlatformResult(wire: WireResult): PlatformResult {
  if (wire.status === 'DOING') return { state: 'doing' }
  if (wire.status === 'ABSENT') return { state: 'absent' }
  if (wire.status === 'FAILED')
    return { state: 'failed', reason: wire.reason?.slice(0, 200) || '平台未说明原因' }
  const total = readYuan(wire.total ?? '')
  const { issueTime } = wire
  if (
    wire.status === 'ISSUED' &&
    wire.invoiceNo &&
    total !== undefined &&
    issueTime !== undefined &&
    isMoment(issueTime)
  )
    return {
      state: 'issued',
      invoiceNo: wire.invoiceNo,
      ...(wire.invoiceCode ? { invoiceCode: wire.invoiceCode } : {}),
      issueTime,
      total,
    }
  throw new Error(`the invoice platform answered ${String(wire.status)}`)
}

/** What goes over the wire for one invoice: amounts as text of yuan. */
export const toWireOrder = (request: IssueRequest, notifyUrl: string): object => ({
  serialNo: request.serialNo,
  type: request.invoiceType === 'special' ? 'SPECIAL' : 'NORMAL',
  notifyUrl,
  seller: request.seller,
  buyer: request.title,
  remark: request.remark ?? '',
  total: formatYuan(request.totalAmount),
  net: formatYuan(request.netAmount),
  tax: formatYuan(request.taxAmount),
  ...(request.red
    ? {
        red: {
          invoiceNo: request.red.invoiceNo,
          reason: request.red.reason,
          scope: request.red.whole ? 'WHOLE' : 'PART',
          total: formatYuan(request.totalAmount),
        },
      }
    : {}),
  lines: request.lines.map((line, index) => ({
    ...(request.red ? { blueLine: request.red.lines[index] } : {}),
    name: `*${line.shortName ?? ''}*${line.goodName}`,
    code: line.taxCode,
    unit: line.unit ?? '',
    rate: line.taxRate,
    noTax: line.isNoTax,
    periods: line.periods ?? '',
    total: formatYuan(line.amount),
    net: formatYuan(line.net),
    tax: formatYuan(line.tax),
  })),
})

/** What the platform sends is checked where it is used: any member may be missing. */
export const parseWireResult = (text: string): WireResult => {
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed !== 'object' || parsed === null) throw new Error('the invoice platform sent no object')
  return Object.fromEntries(
    Object.entries(parsed).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  )
}

/**
 * The platform's HTTP interface: every request, answer and callback is signed (HMAC-SHA256, five minutes, one
 * nonce each).
 */
export function createHttpPlatform(account: PlatformAccount): TaxPlatform {
  const seconds = (): number => Math.floor(account.clock() / 1000)
  const base = account.base.replace(/\/+$/, '')
  const send = async (
    path: string,
    content: object,
  ): Promise<{ readonly status: number; readonly bytes: Uint8Array }> => {
    const body = JSON.stringify(content)
    const nonce = createNonce()
    const signed = signMessage('ask', account, path, body, seconds(), nonce)
    const response = await fetch(`${base}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...signed },
      signal: AbortSignal.timeout(10_000),
      redirect: 'error',
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    const headers: MessageHeaders = Object.fromEntries(response.headers)
    const fault =
      headers['x-fp-nonce'] === nonce
        ? findSignatureFault('answer', account, path, bytes, headers, seconds())
        : '验证内容不符'
    if (fault) throw new Error(`the invoice platform's answer is not authentic: ${fault}`)
    return { status: response.status, bytes }
  }
  const sendForResult = async (path: string, content: object): Promise<PlatformResult> => {
    const { bytes } = await send(path, content)
    return toPlatformResult(parseWireResult(Buffer.from(bytes).toString('utf8')))
  }
  return {
    issue: request => sendForResult('/v1/invoice/issue', toWireOrder(request, account.notifyUrl)),
    query: serialNo => sendForResult('/v1/invoice/query', { serialNo }),
    file: async serialNo => {
      const { status, bytes } = await send('/v1/invoice/file', { serialNo })
      return status === 200 ? bytes : undefined
    },
    parseNotification: (headers, path, body): PlatformNotification => {
      const fault = findSignatureFault('notice', account, path, body, headers, seconds())
      if (fault) throw new ForgedMessageError(fault)
      try {
        const wire = parseWireResult(body)
        return {
          serialNo: wire.serialNo ?? '',
          nonce: defined(headers['x-fp-nonce']),
          result: toPlatformResult(wire),
        }
      } catch {
        throw new ForgedMessageError('内容不能识别')
      }
    },
  }
}
