import { defined } from '#kit/domain/defined.ts'
import { formatYuan, readYuan } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import {
  ForgedMessageError,
  type PlatformAccount,
  type IssueRequest,
  type PlatformNotification,
  type TaxPlatform,
  type PlatformResult,
} from './platform.ts'
import { createNonce, findSignatureFault, signMessage, type MessageHeaders } from './signature.ts'

/** How the platform tells of one number, in answers and callbacks. */
export interface WireResult {
  readonly serialNo?: string
  readonly status?: string
  readonly invoiceNo?: string
  readonly invoiceCode?: string
  readonly issueTime?: string
  readonly total?: string
  readonly reason?: string
}

/** Throws where it makes no sense: nothing may be concluded then. */
export function toPlatformResult(t: WireResult): PlatformResult {
  if (t.status === 'DOING') return { state: 'doing' }
  if (t.status === 'ABSENT') return { state: 'absent' }
  if (t.status === 'FAILED') return { state: 'failed', why: t.reason?.slice(0, 200) || '平台没有说明原因' }
  const total = readYuan(t.total ?? '')
  if (
    t.status === 'ISSUED' &&
    t.invoiceNo &&
    total !== undefined &&
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(t.issueTime ?? '')
  )
    return {
      state: 'issued',
      invoiceNo: t.invoiceNo,
      ...(t.invoiceCode ? { invoiceCode: t.invoiceCode } : {}),
      at: t.issueTime as Moment,
      total,
    }
  throw new Error(`the invoice platform says ${String(t.status)}`)
}

/** What goes over the wire for one invoice: amounts as text of yuan. */
export const toWireOrder = (o: IssueRequest, notifyUrl: string): object => ({
  serialNo: o.serialNo,
  type: o.invoiceType === 'special' ? 'SPECIAL' : 'NORMAL',
  notifyUrl,
  seller: o.seller,
  buyer: o.title,
  remark: o.remark ?? '',
  total: formatYuan(o.totalAmount),
  net: formatYuan(o.netAmount),
  tax: formatYuan(o.taxAmount),
  ...(o.red
    ? {
        red: {
          invoiceNo: o.red.invoiceNo,
          reason: o.red.reason,
          scope: o.red.whole ? 'WHOLE' : 'PART',
          total: formatYuan(o.totalAmount),
        },
      }
    : {}),
  lines: o.lines.map((l, i) => ({
    ...(o.red ? { blueLine: o.red.lines[i] } : {}),
    name: `*${l.shortName ?? ''}*${l.goodName}`,
    code: l.taxCode,
    unit: l.unit ?? '',
    rate: l.taxRate,
    noTax: l.isNoTax,
    periods: l.periods ?? '',
    total: formatYuan(l.amount),
    net: formatYuan(l.net),
    tax: formatYuan(l.tax),
  })),
})

/**
 * The platform's HTTP interface: every request, answer and callback is signed (HMAC-SHA256, five minutes, one
 * nonce each).
 */
export function createHttpPlatform(a: PlatformAccount): TaxPlatform {
  const now = (): number => Math.floor(a.clock() / 1000)
  const base = a.base.replace(/\/+$/, '')
  const ask = async (
    path: string,
    said: object,
  ): Promise<{ readonly status: number; readonly bytes: Uint8Array }> => {
    const body = JSON.stringify(said)
    const nonce = createNonce()
    const r = await fetch(`${base}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...signMessage('ask', a, path, body, now(), nonce) },
      signal: AbortSignal.timeout(10_000),
      redirect: 'error',
    })
    const bytes = new Uint8Array(await r.arrayBuffer())
    const headers: MessageHeaders = Object.fromEntries(r.headers)
    const no =
      headers['x-fp-nonce'] === nonce
        ? findSignatureFault('answer', a, path, bytes, headers, now())
        : '回答的不是这一问'
    if (no) throw new Error(`the invoice platform's answer is not believed: ${no}`)
    return { status: r.status, bytes }
  }
  const told = async (path: string, said: object): Promise<PlatformResult> =>
    toPlatformResult(JSON.parse(Buffer.from((await ask(path, said)).bytes).toString('utf8')) as WireResult)
  return {
    issue: o => told('/v1/invoice/issue', toWireOrder(o, a.notifyUrl)),
    query: serialNo => told('/v1/invoice/query', { serialNo }),
    file: async serialNo => {
      const { status, bytes } = await ask('/v1/invoice/file', { serialNo })
      return status === 200 ? bytes : undefined
    },
    parseNotification: (headers, path, body): PlatformNotification => {
      const no = findSignatureFault('notice', a, path, body, headers, now())
      if (no) throw new ForgedMessageError(no)
      let t: WireResult
      try {
        t = JSON.parse(body) as WireResult
        return {
          serialNo: t.serialNo ?? '',
          nonce: defined(headers['x-fp-nonce']),
          result: toPlatformResult(t),
        }
      } catch {
        throw new ForgedMessageError('内容不能识别')
      }
    },
  }
}
