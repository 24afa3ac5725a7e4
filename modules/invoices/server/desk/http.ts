import { formatYuan, readYuan } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { Forged, type Account, type Issuing, type Notified, type Platform, type Said } from './platform.ts'
import { freshNonce, signFault, signed, type Headers } from './sign.ts'

/** How the platform tells of one number, in answers and callbacks. */
export interface Told {
  readonly serialNo?: string
  readonly status?: string
  readonly invoiceNo?: string
  readonly invoiceCode?: string
  readonly issueTime?: string
  readonly total?: string
  readonly reason?: string
}

/** Throws where it makes no sense: nothing may be concluded then. */
export function saidOf(t: Told): Said {
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
export const orderOf = (o: Issuing, notifyUrl: string): object => ({
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
export function httpPlatform(a: Account): Platform {
  const now = (): number => Math.floor(a.clock() / 1000)
  const base = a.base.replace(/\/+$/, '')
  const ask = async (
    path: string,
    said: object,
  ): Promise<{ readonly status: number; readonly bytes: Uint8Array }> => {
    const body = JSON.stringify(said)
    const nonce = freshNonce()
    const r = await fetch(`${base}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...signed('ask', a, path, body, now(), nonce) },
      signal: AbortSignal.timeout(10_000),
      redirect: 'error',
    })
    const bytes = new Uint8Array(await r.arrayBuffer())
    const headers: Headers = Object.fromEntries(r.headers)
    const no =
      headers['x-fp-nonce'] === nonce
        ? signFault('answer', a, path, bytes, headers, now())
        : '回答的不是这一问'
    if (no) throw new Error(`the invoice platform's answer is not believed: ${no}`)
    return { status: r.status, bytes }
  }
  const told = async (path: string, said: object): Promise<Said> =>
    saidOf(JSON.parse(Buffer.from((await ask(path, said)).bytes).toString('utf8')) as Told)
  return {
    issue: o => told('/v1/invoice/issue', orderOf(o, a.notifyUrl)),
    query: serialNo => told('/v1/invoice/query', { serialNo }),
    file: async serialNo => {
      const { status, bytes } = await ask('/v1/invoice/file', { serialNo })
      return status === 200 ? bytes : undefined
    },
    notified: (headers, path, body): Notified => {
      const no = signFault('notice', a, path, body, headers, now())
      if (no) throw new Forged(no)
      let t: Told
      try {
        t = JSON.parse(body) as Told
        return { serialNo: t.serialNo ?? '', nonce: headers['x-fp-nonce']!, said: saidOf(t) }
      } catch {
        throw new Forged('内容不能识别')
      }
    },
  }
}
