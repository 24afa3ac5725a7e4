import type { Day } from '#kit/domain/day.ts'
import { asFen, formatYuan, readYuan } from '#kit/domain/money.ts'
import { isMoment, toInstant } from '#kit/domain/moment.ts'
import {
  createAlipayGateway,
  failureReason,
  unexpectedResponse,
  type AlipayGateway,
  type AlipayResponse,
} from './alipay-gateway.ts'
import { verifyAlipayParams } from './alipay-signature.ts'
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
  type ChannelOrderRequest,
  type ChannelOrderResult,
} from './channel-client.ts'

const toPaidResult = (response: AlipayResponse): ChannelOrderResult => {
  const paidAt = response.send_pay_date ?? response.gmt_payment
  return {
    state: 'paid',
    transactionId: response.trade_no ?? '',
    amount: readYuan(response.total_amount ?? '') ?? asFen(-1),
    ...(paidAt && isMoment(paidAt) ? { at: paidAt } : {}),
  }
}

const toOrderResult = (response: AlipayResponse): ChannelOrderResult =>
  response.trade_status === 'TRADE_SUCCESS' || response.trade_status === 'TRADE_FINISHED'
    ? toPaidResult(response)
    : response.trade_status === 'TRADE_CLOSED'
      ? { state: 'closed' }
      : { state: 'waiting' }

const orderContent = (order: ChannelOrderRequest): object => ({
  out_trade_no: order.orderNo,
  total_amount: formatYuan(order.amount),
  subject: order.title.slice(0, 120),
})

type PaymentCalls = Pick<
  ChannelClient,
  'createH5Url' | 'createQrCode' | 'payByAuthCode' | 'queryOrder' | 'closeOrder'
>

const paymentCalls = ({ account, pageUrl, call }: AlipayGateway): PaymentCalls => ({
  createH5Url: async (order, returnUrl) =>
    pageUrl(
      'alipay.trade.wap.pay',
      { ...orderContent(order), product_code: 'QUICK_WAP_WAY', time_expire: order.expires },
      { notify_url: account.notifyUrl, return_url: returnUrl },
    ),
  createQrCode: async order => {
    const response = await call(
      'alipay.trade.precreate',
      { ...orderContent(order), time_expire: order.expires },
      { notify_url: account.notifyUrl },
    )
    if (response.code !== '10000' || !response.qr_code) throw unexpectedResponse(response)
    return response.qr_code
  },
  payByAuthCode: async (order, authCode) => {
    const response = await call(
      'alipay.trade.pay',
      { ...orderContent(order), auth_code: authCode, scene: 'bar_code' },
      { notify_url: account.notifyUrl },
    )
    if (response.code === '10000') return toPaidResult(response)
    return response.code === '10003' || response.code === '20000'
      ? { state: 'paying' }
      : { state: 'failed', why: failureReason(response) }
  },
  queryOrder: async orderNo => {
    const response = await call('alipay.trade.query', { out_trade_no: orderNo })
    if (response.code === '10000') return toOrderResult(response)
    if (response.sub_code === 'ACQ.TRADE_NOT_EXIST') return { state: 'absent' }
    throw unexpectedResponse(response)
  },
  closeOrder: async (orderNo, byAuthCode) => {
    const response = await call(byAuthCode ? 'alipay.trade.cancel' : 'alipay.trade.close', {
      out_trade_no: orderNo,
    })
    if (
      response.code !== '10000' &&
      response.sub_code !== 'ACQ.TRADE_NOT_EXIST' &&
      response.sub_code !== 'ACQ.TRADE_HAS_CLOSE'
    )
      throw unexpectedResponse(response)
  },
})

const refundCalls = ({ call }: AlipayGateway): Pick<ChannelClient, 'refund' | 'queryRefund'> => ({
  refund: async request => {
    const response = await call('alipay.trade.refund', {
      out_trade_no: request.orderNo,
      refund_amount: formatYuan(request.amount),
      out_request_no: request.refundNo,
      refund_reason: request.reason.slice(0, 200),
    })
    if (response.code === '10000')
      return response.fund_change === 'Y'
        ? { state: 'done', channelNo: request.refundNo }
        : { state: 'doing' }
    return response.code === '40004' && response.sub_code !== 'ACQ.SYSTEM_ERROR'
      ? { state: 'failed', why: failureReason(response) }
      : { state: 'doing' }
  },
  queryRefund: async request => {
    const response = await call('alipay.trade.fastpay.refund.query', {
      out_trade_no: request.orderNo,
      out_request_no: request.refundNo,
    })
    if (response.code === '10000')
      return response.refund_status === 'REFUND_SUCCESS'
        ? { state: 'done', channelNo: request.refundNo }
        : { state: response.refund_amount === undefined ? 'absent' : 'doing' }
    if (response.sub_code === 'ACQ.TRADE_NOT_EXIST') return { state: 'absent' }
    throw unexpectedResponse(response)
  },
})

/** Alipay sends a callback again for up to a day and an hour. */
const maxNotificationAge = 26 * 3_600_000

function parseNotification(account: ChannelAccount, body: string): ChannelNotification {
  const params = Object.fromEntries(new URLSearchParams(body))
  if (!verifyAlipayParams(params, account.platformKey, { isCallback: true }))
    throw new ForgedMessageError('签名不符')
  if (params.app_id !== account.appId || !params.out_trade_no || !params.notify_id)
    throw new ForgedMessageError('不是本商户的回调')
  const notifyTime = params.notify_time ?? ''
  if (!isMoment(notifyTime) || Math.abs(account.clock() - toInstant(notifyTime)) > maxNotificationAge)
    throw new ForgedMessageError('回调时间过久')
  return { orderNo: params.out_trade_no, nonce: params.notify_id, result: toOrderResult(params) }
}

async function fetchBill({ account, call }: AlipayGateway, day: Day): Promise<readonly ChannelLine[]> {
  const response = await call('alipay.data.dataservice.bill.downloadurl.query', {
    bill_type: 'trade',
    bill_date: day,
  })
  if (response.sub_code === 'isp.bill_not_exist' || response.sub_code === 'BILL_NOT_EXIST') return []
  if (response.code !== '10000' || !response.bill_download_url)
    throw response.sub_code === 'isp.bill_not_ready'
      ? new BillNotReadyError(failureReason(response))
      : unexpectedResponse(response)
  // The response that names the address is signed; the file itself is checked by the sums in its zip.
  const url = new URL(response.bill_download_url)
  if (url.protocol !== 'https:' && url.origin !== new URL(account.base).origin)
    throw new Error(`Alipay: the bill is offered at ${url.origin}`)
  const file = await fetch(url, { signal: AbortSignal.timeout(120_000) })
  if (!file.ok) throw new Error(`Alipay: ${file.status} no bill`)
  return parseChannelBill(
    await readChannelBillRows(new Uint8Array(await file.arrayBuffer()), billLimits),
    day,
  )
}

/** Alipay's open gateway, direct merchants. Every response's signature is checked. */
export function createAlipayClient(account: ChannelAccount): ChannelClient {
  const gateway = createAlipayGateway(account)
  return {
    ...paymentCalls(gateway),
    ...refundCalls(gateway),
    parseNotification: (_, body) => parseNotification(account, body),
    fetchBill: day => fetchBill(gateway, day),
    // Alipay repeats a callback until it is acknowledged.
    isNotificationRepeated: true,
    acknowledgement: { type: 'text/plain', accepted: 'success', refused: 'fail' },
  }
}
