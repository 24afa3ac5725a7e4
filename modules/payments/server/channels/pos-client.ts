import { defined } from '#kit/domain/defined.ts'
import { formatYuan, readYuan } from '#kit/domain/money.ts'
import { isMoment, type Moment } from '#kit/domain/moment.ts'
import { refuse } from '#kit/contract/wire.ts'
import { billLimits, parseChannelBill, readChannelBillRows, BillNotReadyError } from './channel-bill.ts'
import {
  ForgedMessageError,
  type ChannelAccount,
  type ChannelClient,
  type ChannelRefundResult,
  type ChannelOrderResult,
} from './channel-client.ts'
import { buildAuthorization, findSignatureFault } from './wechat-signature.ts'

interface PosResponse {
  code?: string
  message?: string
  mchId?: string
  orderNo?: string
  state?: string
  traceNo?: string
  amount?: string
  card?: string
  paidAt?: string
  refundNo?: string
  refundState?: string
  bill?: string
}

class PosApiError extends Error {
  readonly code: string
  constructor(code: string, words: string) {
    super(words)
    this.code = code
  }
}

const toOrderResult = (t: PosResponse): ChannelOrderResult => {
  if (t.state === 'SUCCESS')
    return {
      state: 'paid',
      transactionId: t.traceNo ?? '',
      amount: readYuan(t.amount ?? '') ?? -1,
      card: t.card === 'credit' ? 'credit' : 'debit',
      ...(isMoment(t.paidAt ?? '') ? { at: t.paidAt as Moment } : {}),
    }
  return t.state === 'DECLINED'
    ? { state: 'failed', why: t.message || '刷卡没有成功' }
    : t.state === 'CANCELLED'
      ? { state: 'closed' }
      : { state: 'paying' }
}

const toRefundResult = (t: PosResponse): ChannelRefundResult =>
  t.refundState === 'SUCCESS'
    ? { state: 'done', channelNo: t.traceNo }
    : t.refundState === 'FAILED'
      ? { state: 'failed', why: t.message || '收单方没有退款' }
      : { state: 'doing' }

/** The acquirer says for certain that it did nothing and will do nothing under this number. */
const finalPaymentErrors: ReadonlySet<string> = new Set([
  'TERMINAL_OFFLINE',
  'TERMINAL_UNKNOWN',
  'TERMINAL_BUSY',
  'PARAM_ERROR',
])

const finalRefundErrors: ReadonlySet<string> = new Set(['REFUND_EXCEEDED', 'NOT_PAID', 'PARAM_ERROR'])

/**
 * Card terminals behind an acquirer's cloud service: an order is pushed to a terminal, the card is read
 * there, the result comes back as a signed callback and can be asked for. Requests, answers and callbacks are
 * JSON under RSA-SHA256 signatures of the same form as WeChat Pay v3 (docs/pos-protocol.md).
 */
export function createPosClient(a: ChannelAccount): ChannelClient {
  const now = (): number => Math.floor(a.clock() / 1000)
  const ask = async (act: string, said: object): Promise<PosResponse> => {
    const path = `/pos/v1/${act}`
    const body = JSON.stringify({ mchId: a.mchId, ...said })
    const answer = await fetch(a.base + path, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'user-agent': 'anju',
        authorization: buildAuthorization(a, 'POST', path, body, now()),
      },
      body,
      signal: AbortSignal.timeout(15_000),
    })
    const text = await answer.text()
    const fault = findSignatureFault(
      Object.fromEntries(answer.headers),
      text,
      a.platformKey,
      a.platformSerial,
      now(),
    )
    if (fault) throw new Error(`POS: ${answer.status} ${fault}`)
    const told = JSON.parse(text) as PosResponse
    if (answer.ok) return told
    throw new PosApiError(told.code ?? String(answer.status), told.message ?? '')
  }
  const noPage = async (): Promise<never> => refuse('POS 刷卡没有付款页，请在 POS 机上刷卡')
  return {
    createH5Url: noPage,
    createQrCode: noPage,
    /** The number of the terminal stands where a payer's code would. */
    payByAuthCode: async (o, terminalNo) => {
      try {
        return toOrderResult(
          await ask('sale', {
            orderNo: o.orderNo,
            amount: formatYuan(o.amount),
            title: o.title.slice(0, 60),
            expires: o.expires,
            terminalNo,
            notifyUrl: a.notifyUrl,
          }),
        )
      } catch (e) {
        if (e instanceof PosApiError && finalPaymentErrors.has(e.code))
          return { state: 'failed', why: e.message || e.code }
        throw e
      }
    },
    queryOrder: async orderNo => {
      try {
        return toOrderResult(await ask('query', { orderNo }))
      } catch (e) {
        if (e instanceof PosApiError && e.code === 'ORDER_NOT_EXIST') return { state: 'absent' }
        throw e
      }
    },
    closeOrder: async orderNo => {
      try {
        await ask('cancel', { orderNo })
      } catch (e) {
        if (!(e instanceof PosApiError && e.code === 'ORDER_NOT_EXIST')) throw e
      }
    },
    // On the same day the acquirer takes the sale back, later it refunds: its own affair.
    refund: async r => {
      try {
        return toRefundResult(
          await ask('refund', { orderNo: r.orderNo, refundNo: r.refundNo, amount: formatYuan(r.amount) }),
        )
      } catch (e) {
        if (!(e instanceof PosApiError)) throw e
        return finalRefundErrors.has(e.code)
          ? { state: 'failed', why: e.message || e.code }
          : { state: 'doing' }
      }
    },
    queryRefund: async r => {
      try {
        return toRefundResult(await ask('refund-query', { refundNo: r.refundNo }))
      } catch (e) {
        if (e instanceof PosApiError && e.code === 'REFUND_NOT_EXIST') return { state: 'absent' }
        throw e
      }
    },
    parseNotification: (headers, body) => {
      const fault = findSignatureFault(headers, body, a.platformKey, a.platformSerial, now())
      if (fault) throw new ForgedMessageError(fault)
      const t = (() => {
        try {
          return JSON.parse(body) as PosResponse
        } catch {
          throw new ForgedMessageError('内容不能读取')
        }
      })()
      if (t.mchId !== a.mchId || !t.orderNo) throw new ForgedMessageError('不是本商户的回调')
      return { orderNo: t.orderNo, nonce: defined(headers['wechatpay-nonce']), result: toOrderResult(t) }
    },
    fetchBill: async day => {
      try {
        return parseChannelBill(
          await readChannelBillRows(Buffer.from((await ask('bill', { day })).bill ?? ''), billLimits),
          day,
        )
      } catch (e) {
        if (!(e instanceof PosApiError)) throw e
        if (e.code === 'BILL_EMPTY') return []
        throw e.code === 'BILL_NOT_READY' ? new BillNotReadyError(e.message) : e
      }
    },
    acknowledgement: {
      type: 'application/json',
      yes: '{"code":"SUCCESS"}',
      no: '{"code":"FAIL","message":"失败"}',
    },
  }
}
