import { defined } from '#kit/domain/defined.ts'
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { Day } from '#kit/domain/day.ts'
import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import { asFen } from '#kit/domain/money.ts'
import {
  billLimits,
  parseChannelBill,
  readChannelBillRows,
  maxBillBytes,
  BillNotReadyError,
  type ChannelLine,
} from './channel-bill.ts'
import {
  ForgedMessageError,
  type ChannelAccount,
  type ChannelClient,
  type ChannelNotification,
  type ChannelOrderRequest,
  type ChannelRefundResult,
  type ChannelOrderResult,
} from './channel-client.ts'
import { parseJsonMessage } from './json-message.ts'
import {
  callWechat,
  hasErrorCode,
  secondsNow,
  WechatApiError,
  type WechatResponse,
} from './wechat-gateway.ts'
import {
  buildAuthorization,
  findSignatureFault,
  decryptResource,
  type EncryptedResource,
} from './wechat-signature.ts'

const toRfc3339 = (moment: Moment): string => `${moment.replace(' ', 'T')}+08:00`

const parseMoment = (text: string | undefined): Moment | undefined => {
  const instant = Date.parse(text ?? '')
  return Number.isNaN(instant) ? undefined : fromInstant(instant)
}

function toOrderResult(response: WechatResponse): ChannelOrderResult {
  const state = response.trade_state
  if (state === 'SUCCESS' || state === 'REFUND')
    return {
      state: 'paid',
      transactionId: response.transaction_id ?? '',
      amount: asFen(response.amount?.total ?? 0),
      at: parseMoment(response.success_time),
    }
  if (state === 'USERPAYING') return { state: 'paying' }
  if (state === 'CLOSED' || state === 'REVOKED') return { state: 'closed' }
  return state === 'PAYERROR'
    ? { state: 'failed', why: response.trade_state_desc || '微信支付失败' }
    : { state: 'waiting' }
}

function toRefundResult({ status, refund_id }: WechatResponse): ChannelRefundResult {
  if (status === 'SUCCESS') return { state: 'done', channelNo: refund_id }
  if (status === 'CLOSED') return { state: 'failed', why: '微信已关闭该退款' }
  return status === 'ABNORMAL'
    ? { state: 'failed', why: '微信退款异常，请到商户平台处理' }
    : { state: 'doing' }
}

const orderContent = (account: ChannelAccount, order: ChannelOrderRequest): object => ({
  appid: account.appId,
  mchid: account.mchId,
  description: order.title.slice(0, 60),
  out_trade_no: order.orderNo,
  amount: { total: order.amount, currency: 'CNY' },
})

const prepayContent = (account: ChannelAccount, order: ChannelOrderRequest): object => ({
  ...orderContent(account, order),
  time_expire: toRfc3339(order.expires),
  notify_url: account.notifyUrl,
})

const orderPath = (orderNo: string): string =>
  `/v3/pay/transactions/out-trade-no/${encodeURIComponent(orderNo)}`

const pageCalls = (account: ChannelAccount): Pick<ChannelClient, 'createH5Url' | 'createQrCode'> => ({
  createH5Url: async (order, returnUrl, payerIp) => {
    const { h5_url } = await callWechat(account, 'POST', '/v3/pay/transactions/h5', {
      ...prepayContent(account, order),
      scene_info: { payer_client_ip: payerIp, h5_info: { type: 'Wap' } },
    })
    const url = defined(h5_url)
    return `${url}${url.includes('?') ? '&' : '?'}redirect_url=${encodeURIComponent(returnUrl)}`
  },
  createQrCode: async order => {
    const path = '/v3/pay/transactions/native'
    const { code_url } = await callWechat(account, 'POST', path, prepayContent(account, order))
    return defined(code_url)
  },
})

type OrderCalls = Pick<ChannelClient, 'payByAuthCode' | 'queryOrder' | 'closeOrder'>

const orderCalls = (account: ChannelAccount): OrderCalls => ({
  payByAuthCode: async (order, authCode) => {
    try {
      const response = await callWechat(account, 'POST', '/v3/pay/transactions/codepay', {
        ...orderContent(account, order),
        payer: { auth_code: authCode },
        scene_info: { store_info: { id: 'anju' } },
      })
      return toOrderResult(response)
    } catch (error) {
      if (!(error instanceof WechatApiError)) throw error
      return hasErrorCode(error, 'USERPAYING', 'SYSTEM_ERROR')
        ? { state: 'paying' }
        : { state: 'failed', why: error.message || error.code }
    }
  },
  queryOrder: async orderNo => {
    try {
      const path = `${orderPath(orderNo)}?mchid=${account.mchId}`
      return toOrderResult(await callWechat(account, 'GET', path))
    } catch (error) {
      if (hasErrorCode(error, 'ORDER_NOT_EXIST', 'ORDERNOTEXIST')) return { state: 'absent' }
      throw error
    }
  },
  closeOrder: async (orderNo, byAuthCode) => {
    try {
      await callWechat(
        account,
        'POST',
        `${orderPath(orderNo)}/${byAuthCode ? 'reverse' : 'close'}`,
        byAuthCode ? { appid: account.appId, mchid: account.mchId } : { mchid: account.mchId },
      )
    } catch (error) {
      if (!hasErrorCode(error, 'ORDER_CLOSED', 'ORDERCLOSED', 'ORDER_NOT_EXIST', 'ORDERNOTEXIST')) throw error
    }
  },
})

/** Only these say that nothing will ever be paid back under this number as it is. */
const finalRefundErrors = [
  'NOT_ENOUGH',
  'USER_ACCOUNT_ABNORMAL',
  'RESOURCE_NOT_EXISTS',
  'INVALID_REQUEST',
  'PARAM_ERROR',
  'REFUND_AMOUNT_EXCEED',
]

const refundCalls = (account: ChannelAccount): Pick<ChannelClient, 'refund' | 'queryRefund'> => ({
  refund: async request => {
    try {
      const response = await callWechat(account, 'POST', '/v3/refund/domestic/refunds', {
        out_trade_no: request.orderNo,
        out_refund_no: request.refundNo,
        reason: request.reason.slice(0, 40),
        amount: { refund: request.amount, total: request.total, currency: 'CNY' },
      })
      return toRefundResult(response)
    } catch (error) {
      if (!(error instanceof WechatApiError)) throw error
      return hasErrorCode(error, ...finalRefundErrors)
        ? { state: 'failed', why: error.message || error.code }
        : { state: 'doing' }
    }
  },
  queryRefund: async request => {
    try {
      const path = `/v3/refund/domestic/refunds/${encodeURIComponent(request.refundNo)}`
      return toRefundResult(await callWechat(account, 'GET', path))
    } catch (error) {
      if (hasErrorCode(error, 'RESOURCE_NOT_EXISTS', 'ORDER_NOT_EXIST')) return { state: 'absent' }
      throw error
    }
  },
})

function decryptNotification(account: ChannelAccount, body: string): WechatResponse {
  try {
    const { resource } = parseJsonMessage<{ resource: EncryptedResource }>(body)
    return parseJsonMessage<WechatResponse>(decryptResource(resource, account.apiKey))
  } catch {
    throw new ForgedMessageError('内容不能解密')
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
  const message = decryptNotification(account, body)
  if (message.mchid !== account.mchId || message.appid !== account.appId || !message.out_trade_no)
    throw new ForgedMessageError('不是本商户的回调')
  return {
    orderNo: message.out_trade_no,
    nonce: defined(headers['wechatpay-nonce']),
    result: toOrderResult(message),
  }
}

/** Where to fetch the bill of a day and its hash; nothing where nothing was traded. */
async function findBill(account: ChannelAccount, day: Day): Promise<WechatResponse | undefined> {
  try {
    const path = `/v3/bill/tradebill?bill_date=${day}&bill_type=ALL&tar_type=GZIP`
    return await callWechat(account, 'GET', path)
  } catch (error) {
    if (hasErrorCode(error, 'NO_STATEMENT_EXIST')) return undefined
    throw error instanceof WechatApiError && error.code === 'STATEMENT_CREATING'
      ? new BillNotReadyError(error.message)
      : error
  }
}

async function fetchBill(account: ChannelAccount, day: Day): Promise<readonly ChannelLine[]> {
  const bill = await findBill(account, day)
  if (!bill) return []
  // Our signature goes to the gateway alone, whatever a response points to.
  const url = new URL(bill.download_url ?? '')
  if (url.origin !== new URL(account.base).origin)
    throw new Error(`WeChat Pay: the bill is offered at ${url.origin}`)
  const path = url.pathname + url.search
  const response = await fetch(url, {
    headers: {
      accept: '*/*',
      'user-agent': 'anju',
      authorization: buildAuthorization(account, 'GET', path, '', secondsNow(account)),
    },
    signal: AbortSignal.timeout(120_000),
  })
  if (!response.ok) throw new Error(`WeChat Pay: ${response.status} no bill`)
  const packed = Buffer.from(await response.arrayBuffer())
  const file = gunzipSync(packed, { maxOutputLength: maxBillBytes })
  // The hash is of the unpacked file.
  const hash = createHash('sha1').update(file).digest('hex')
  if (bill.hash_type !== 'SHA1' || hash !== bill.hash_value?.toLowerCase())
    throw new ForgedMessageError('账单的摘要不符')
  return parseChannelBill(await readChannelBillRows(file, billLimits), day)
}

/** WeChat Pay, API v3, direct merchants. Every response's signature is checked. */
export const createWechatClient = (account: ChannelAccount): ChannelClient => ({
  ...pageCalls(account),
  ...orderCalls(account),
  ...refundCalls(account),
  parseNotification: (headers, body) => parseNotification(account, headers, body),
  fetchBill: day => fetchBill(account, day),
  acknowledgement: {
    type: 'application/json',
    accepted: '{"code":"SUCCESS"}',
    refused: '{"code":"FAIL","message":"失败"}',
  },
})
