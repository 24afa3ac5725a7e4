import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import { asFen, formatYuan, readYuan } from '#kit/domain/money.ts'
import { isMoment } from '#kit/domain/moment.ts'
import { refuse } from '#kit/contract/wire.ts'
import {
  billLimits,
  parseChannelBill,
  readChannelBillRows,
  BillNotReadyError,
  type ChannelLine,
} from './channel-bill.ts'
import {
  ForgedMessageError,
  type ChannelAccount,
  type ChannelClient,
  type ChannelNotification,
  type ChannelRefundResult,
  type ChannelOrderResult,
} from './channel-client.ts'
import { parseJsonMessage } from './json-message.ts'
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

/** The acquirer refused: its own code and words. */
class PosApiError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

const hasCode = (error: unknown, code: string): boolean => error instanceof PosApiError && error.code === code

const toOrderResult = (response: PosResponse): ChannelOrderResult => {
  const { paidAt = '' } = response
  if (response.state === 'SUCCESS')
    return {
      state: 'paid',
      transactionId: response.traceNo ?? '',
      amount: readYuan(response.amount ?? '') ?? asFen(-1),
      card: response.card === 'credit' ? 'credit' : 'debit',
      ...(isMoment(paidAt) ? { at: paidAt } : {}),
    }
  if (response.state === 'DECLINED') return { state: 'failed', why: response.message || '刷卡失败' }
  return response.state === 'CANCELLED' ? { state: 'closed' } : { state: 'paying' }
}

const toRefundResult = (response: PosResponse): ChannelRefundResult => {
  if (response.refundState === 'SUCCESS') return { state: 'done', channelNo: response.traceNo }
  return response.refundState === 'FAILED'
    ? { state: 'failed', why: response.message || '收单方未退款' }
    : { state: 'doing' }
}

/** The acquirer says for certain that it did nothing and will do nothing under this number. */
const finalPaymentErrors: ReadonlySet<string> = new Set([
  'TERMINAL_OFFLINE',
  'TERMINAL_UNKNOWN',
  'TERMINAL_BUSY',
  'PARAM_ERROR',
])

const finalRefundErrors: ReadonlySet<string> = new Set(['REFUND_EXCEEDED', 'NOT_PAID', 'PARAM_ERROR'])

const secondsNow = (account: ChannelAccount): number => Math.floor(account.clock() / 1000)

async function callAcquirer(account: ChannelAccount, operation: string, input: object): Promise<PosResponse> {
  const path = `/pos/v1/${operation}`
  const body = JSON.stringify({ mchId: account.mchId, ...input })
  const response = await fetch(account.base + path, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': 'anju',
      authorization: buildAuthorization(account, 'POST', path, body, secondsNow(account)),
    },
    body,
    signal: AbortSignal.timeout(15_000),
  })
  const text = await response.text()
  const fault = findSignatureFault(
    Object.fromEntries(response.headers),
    text,
    account.platformKey,
    account.platformSerial,
    secondsNow(account),
  )
  if (fault) throw new Error(`POS: ${response.status} ${fault}`)
  const message = parseJsonMessage<PosResponse>(text)
  if (response.ok) return message
  throw new PosApiError(message.code ?? String(response.status), message.message ?? '')
}

const refuseHostedPage = async (): Promise<never> => refuse('POS 刷卡没有付款页，请在 POS 机上刷卡')

type PaymentCalls = Pick<ChannelClient, 'payByAuthCode' | 'queryOrder' | 'closeOrder'>

const paymentCalls = (account: ChannelAccount): PaymentCalls => ({
  /** The number of the terminal takes the place of a payer's code. */
  payByAuthCode: async (order, terminalNo) => {
    try {
      const response = await callAcquirer(account, 'sale', {
        orderNo: order.orderNo,
        amount: formatYuan(order.amount),
        title: order.title.slice(0, 60),
        expires: order.expires,
        terminalNo,
        notifyUrl: account.notifyUrl,
      })
      return toOrderResult(response)
    } catch (error) {
      if (error instanceof PosApiError && finalPaymentErrors.has(error.code))
        return { state: 'failed', why: error.message || error.code }
      throw error
    }
  },
  queryOrder: async orderNo => {
    try {
      return toOrderResult(await callAcquirer(account, 'query', { orderNo }))
    } catch (error) {
      if (hasCode(error, 'ORDER_NOT_EXIST')) return { state: 'absent' }
      throw error
    }
  },
  closeOrder: async orderNo => {
    try {
      await callAcquirer(account, 'cancel', { orderNo })
    } catch (error) {
      if (!hasCode(error, 'ORDER_NOT_EXIST')) throw error
    }
  },
})

const refundCalls = (account: ChannelAccount): Pick<ChannelClient, 'refund' | 'queryRefund'> => ({
  // On the same day the acquirer cancels the sale, later it refunds: its own affair.
  refund: async request => {
    try {
      const { orderNo, refundNo } = request
      return toRefundResult(
        await callAcquirer(account, 'refund', { orderNo, refundNo, amount: formatYuan(request.amount) }),
      )
    } catch (error) {
      if (!(error instanceof PosApiError)) throw error
      return finalRefundErrors.has(error.code)
        ? { state: 'failed', why: error.message || error.code }
        : { state: 'doing' }
    }
  },
  queryRefund: async request => {
    try {
      return toRefundResult(await callAcquirer(account, 'refund-query', { refundNo: request.refundNo }))
    } catch (error) {
      if (hasCode(error, 'REFUND_NOT_EXIST')) return { state: 'absent' }
      throw error
    }
  },
})

function parseNotificationBody(body: string): PosResponse {
  try {
    return parseJsonMessage<PosResponse>(body)
  } catch {
    throw new ForgedMessageError('内容不能读取')
  }
}

function parseNotification(
  account: ChannelAccount,
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
): ChannelNotification {
  const fault = findSignatureFault(
    headers,
    body,
    account.platformKey,
    account.platformSerial,
    secondsNow(account),
  )
  if (fault) throw new ForgedMessageError(fault)
  const message = parseNotificationBody(body)
  if (message.mchId !== account.mchId || !message.orderNo) throw new ForgedMessageError('不是本商户的回调')
  return {
    orderNo: message.orderNo,
    nonce: defined(headers['wechatpay-nonce']),
    result: toOrderResult(message),
  }
}

async function fetchBill(account: ChannelAccount, day: Day): Promise<readonly ChannelLine[]> {
  try {
    const { bill = '' } = await callAcquirer(account, 'bill', { day })
    return parseChannelBill(await readChannelBillRows(Buffer.from(bill), billLimits), day)
  } catch (error) {
    if (hasCode(error, 'BILL_EMPTY')) return []
    throw error instanceof PosApiError && error.code === 'BILL_NOT_READY'
      ? new BillNotReadyError(error.message)
      : error
  }
}

/**
 * Card terminals behind an acquirer's cloud service: an order is pushed to a terminal, the card is read
 * there, the result comes back as a signed callback and can be queried. Requests, responses and callbacks are
 * JSON under RSA-SHA256 signatures of the same form as WeChat Pay v3 (docs/pos-protocol.md).
 */
export const createPosClient = (account: ChannelAccount): ChannelClient => ({
  createH5Url: refuseHostedPage,
  createQrCode: refuseHostedPage,
  ...paymentCalls(account),
  ...refundCalls(account),
  parseNotification: (headers, body) => parseNotification(account, headers, body),
  fetchBill: day => fetchBill(account, day),
  acknowledgement: {
    type: 'application/json',
    accepted: '{"code":"SUCCESS"}',
    refused: '{"code":"FAIL","message":"失败"}',
  },
})
