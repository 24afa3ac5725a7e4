import { defined } from '#kit/domain/defined.ts'
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import {
  billLimits,
  parseChannelBill,
  readChannelBillRows,
  maxBillBytes,
  BillNotReadyError,
} from './channel-bill.ts'
import {
  ForgedMessageError,
  type ChannelAccount,
  type ChannelOrderRequest,
  type ChannelClient,
  type ChannelRefundResult,
  type ChannelOrderResult,
} from './channel-client.ts'
import {
  buildAuthorization,
  findSignatureFault,
  decryptResource,
  type EncryptedResource,
} from './wechat-signature.ts'

interface WechatResponse {
  trade_state?: string
  trade_state_desc?: string
  transaction_id?: string
  success_time?: string
  amount?: { total?: number }
  mchid?: string
  appid?: string
  out_trade_no?: string
}

interface WechatRefundResponse {
  status?: string
  refund_id?: string
}

const toRfc3339 = (m: Moment): string => `${m.replace(' ', 'T')}+08:00`

const parseMoment = (text: string | undefined): Moment | undefined => {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? undefined : fromInstant(ms)
}

/** The gateway refused: its own code and words. */
class WechatApiError extends Error {
  readonly code: string
  constructor(code: string, words: string) {
    super(words)
    this.code = code
  }
}

function toOrderResult(t: WechatResponse): ChannelOrderResult {
  if (t.trade_state === 'SUCCESS' || t.trade_state === 'REFUND')
    return {
      state: 'paid',
      transactionId: t.transaction_id ?? '',
      amount: t.amount?.total ?? 0,
      at: parseMoment(t.success_time),
    }
  if (t.trade_state === 'USERPAYING') return { state: 'paying' }
  if (t.trade_state === 'CLOSED' || t.trade_state === 'REVOKED') return { state: 'closed' }
  return t.trade_state === 'PAYERROR'
    ? { state: 'failed', why: t.trade_state_desc || '微信支付失败' }
    : { state: 'waiting' }
}

const toRefundResult = (r: WechatRefundResponse): ChannelRefundResult =>
  r.status === 'SUCCESS'
    ? { state: 'done', channelNo: r.refund_id }
    : r.status === 'ABNORMAL' || r.status === 'CLOSED'
      ? {
          state: 'failed',
          why: r.status === 'CLOSED' ? '微信已关闭这笔退款' : '微信退款异常，请到商户平台处理',
        }
      : { state: 'doing' }

/** WeChat Pay, API v3, direct merchants. Every answer's signature is checked. */
export function createWechatClient(a: ChannelAccount): ChannelClient {
  const now = (): number => Math.floor(a.clock() / 1000)
  const ask = async <T>(method: 'GET' | 'POST', path: string, said?: object): Promise<T> => {
    const body = said ? JSON.stringify(said) : ''
    const answer = await fetch(a.base + path, {
      method,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'user-agent': 'anju',
        authorization: buildAuthorization(a, method, path, body, now()),
      },
      ...(body ? { body } : {}),
      signal: AbortSignal.timeout(10_000),
    })
    const text = await answer.text()
    const fault = findSignatureFault(
      Object.fromEntries(answer.headers),
      text,
      a.platformKey,
      a.platformSerial,
      now(),
    )
    if (answer.ok) {
      if (fault) throw new Error(`WeChat Pay: ${fault}`)
      return (text ? JSON.parse(text) : {}) as T
    }
    const no = (() => {
      try {
        return JSON.parse(text) as { code?: string; message?: string }
      } catch {
        return {}
      }
    })()
    // A refusal decides something too: it must be WeChat's own.
    throw fault
      ? new Error(`WeChat Pay: ${answer.status} ${fault}`)
      : new WechatApiError(no.code ?? String(answer.status), no.message ?? '')
  }
  const order = (o: ChannelOrderRequest): object => ({
    appid: a.appId,
    mchid: a.mchId,
    description: o.title.slice(0, 60),
    out_trade_no: o.orderNo,
    amount: { total: o.amount, currency: 'CNY' },
  })
  const prepay = (o: ChannelOrderRequest): object => ({
    ...order(o),
    time_expire: toRfc3339(o.expires),
    notify_url: a.notifyUrl,
  })
  const one = (no: string): string => `/v3/pay/transactions/out-trade-no/${encodeURIComponent(no)}`
  return {
    createH5Url: async (o, back, ip) => {
      const { h5_url } = await ask<{ h5_url: string }>('POST', '/v3/pay/transactions/h5', {
        ...prepay(o),
        scene_info: { payer_client_ip: ip, h5_info: { type: 'Wap' } },
      })
      return `${h5_url}${h5_url.includes('?') ? '&' : '?'}redirect_url=${encodeURIComponent(back)}`
    },
    createQrCode: async o =>
      (await ask<{ code_url: string }>('POST', '/v3/pay/transactions/native', prepay(o))).code_url,
    payByAuthCode: async (o, authCode) => {
      try {
        return toOrderResult(
          await ask<WechatResponse>('POST', '/v3/pay/transactions/codepay', {
            ...order(o),
            payer: { auth_code: authCode },
            scene_info: { store_info: { id: 'anju' } },
          }),
        )
      } catch (e) {
        if (!(e instanceof WechatApiError)) throw e
        return e.code === 'USERPAYING' || e.code === 'SYSTEM_ERROR'
          ? { state: 'paying' }
          : { state: 'failed', why: e.message || e.code }
      }
    },
    queryOrder: async no => {
      try {
        return toOrderResult(await ask<WechatResponse>('GET', `${one(no)}?mchid=${a.mchId}`))
      } catch (e) {
        if (e instanceof WechatApiError && (e.code === 'ORDER_NOT_EXIST' || e.code === 'ORDERNOTEXIST'))
          return { state: 'absent' }
        throw e
      }
    },
    closeOrder: async (no, took) => {
      try {
        await ask(
          'POST',
          `${one(no)}/${took ? 'reverse' : 'close'}`,
          took ? { appid: a.appId, mchid: a.mchId } : { mchid: a.mchId },
        )
      } catch (e) {
        if (
          !(
            e instanceof WechatApiError &&
            ['ORDER_CLOSED', 'ORDERCLOSED', 'ORDER_NOT_EXIST', 'ORDERNOTEXIST'].includes(e.code)
          )
        )
          throw e
      }
    },
    refund: async r => {
      try {
        return toRefundResult(
          await ask<WechatRefundResponse>('POST', '/v3/refund/domestic/refunds', {
            out_trade_no: r.orderNo,
            out_refund_no: r.refundNo,
            reason: r.reason.slice(0, 40),
            amount: { refund: r.amount, total: r.total, currency: 'CNY' },
          }),
        )
      } catch (e) {
        if (!(e instanceof WechatApiError)) throw e
        // Only these say that nothing will ever be paid back under this number as it stands.
        return [
          'NOT_ENOUGH',
          'USER_ACCOUNT_ABNORMAL',
          'RESOURCE_NOT_EXISTS',
          'INVALID_REQUEST',
          'PARAM_ERROR',
          'REFUND_AMOUNT_EXCEED',
        ].includes(e.code)
          ? { state: 'failed', why: e.message || e.code }
          : { state: 'doing' }
      }
    },
    queryRefund: async r => {
      try {
        return toRefundResult(
          await ask<WechatRefundResponse>(
            'GET',
            `/v3/refund/domestic/refunds/${encodeURIComponent(r.refundNo)}`,
          ),
        )
      } catch (e) {
        if (e instanceof WechatApiError && (e.code === 'RESOURCE_NOT_EXISTS' || e.code === 'ORDER_NOT_EXIST'))
          return { state: 'absent' }
        throw e
      }
    },
    parseNotification: (headers, body) => {
      const fault = findSignatureFault(headers, body, a.platformKey, a.platformSerial, now())
      if (fault) throw new ForgedMessageError(fault)
      let told: WechatResponse
      try {
        told = JSON.parse(
          decryptResource((JSON.parse(body) as { resource: EncryptedResource }).resource, a.apiKey),
        ) as WechatResponse
      } catch {
        throw new ForgedMessageError('内容不能解密')
      }
      if (told.mchid !== a.mchId || told.appid !== a.appId || !told.out_trade_no)
        throw new ForgedMessageError('不是本商户的回调')
      return {
        orderNo: told.out_trade_no,
        nonce: defined(headers['wechatpay-nonce']),
        result: toOrderResult(told),
      }
    },
    fetchBill: async day => {
      let told: { hash_type?: string; hash_value?: string; download_url?: string }
      try {
        told = await ask('GET', `/v3/bill/tradebill?bill_date=${day}&bill_type=ALL&tar_type=GZIP`)
      } catch (e) {
        if (!(e instanceof WechatApiError)) throw e
        if (e.code === 'NO_STATEMENT_EXIST') return []
        throw e.code === 'STATEMENT_CREATING' ? new BillNotReadyError(e.message) : e
      }
      // Our signature goes to the gateway alone, wherever an answer points to.
      const at = new URL(told.download_url ?? '')
      if (at.origin !== new URL(a.base).origin) throw new Error(`WeChat Pay: the bill lies at ${at.origin}`)
      const path = at.pathname + at.search
      const answer = await fetch(at, {
        headers: {
          accept: '*/*',
          'user-agent': 'anju',
          authorization: buildAuthorization(a, 'GET', path, '', now()),
        },
        signal: AbortSignal.timeout(120_000),
      })
      if (!answer.ok) throw new Error(`WeChat Pay: ${answer.status} no bill`)
      const packed = Buffer.from(await answer.arrayBuffer())
      const file = gunzipSync(packed, { maxOutputLength: maxBillBytes })
      // The sum is of what is inside the packing.
      if (
        told.hash_type !== 'SHA1' ||
        createHash('sha1').update(file).digest('hex') !== told.hash_value?.toLowerCase()
      )
        throw new ForgedMessageError('账单的摘要不符')
      return parseChannelBill(await readChannelBillRows(file, billLimits), day)
    },
    acknowledgement: {
      type: 'application/json',
      yes: '{"code":"SUCCESS"}',
      no: '{"code":"FAIL","message":"失败"}',
    },
  }
}
