import { formatYuan, readYuan } from '#kit/domain/money.ts'
import { fromInstant, isMoment, toInstant } from '#kit/domain/moment.ts'
import { extractAlipaySignedPart, signAlipayParams, verifyAlipayParams } from './alipay-signature.ts'
import { billLimits, parseChannelBill, readChannelBillRows, BillNotReadyError } from './channel-bill.ts'
import {
  ForgedMessageError,
  type ChannelAccount,
  type ChannelOrderRequest,
  type ChannelClient,
  type ChannelOrderResult,
} from './channel-client.ts'
import { verify } from './wechat-signature.ts'

interface AlipayResponse {
  code?: string
  sub_code?: string
  sub_msg?: string
  msg?: string
  trade_no?: string
  trade_status?: string
  total_amount?: string
  send_pay_date?: string
  gmt_payment?: string
  qr_code?: string
  refund_status?: string
  refund_amount?: string
  fund_change?: string
  bill_download_url?: string
}

const toPaidResult = (t: AlipayResponse): ChannelOrderResult => {
  const at = t.send_pay_date ?? t.gmt_payment
  return {
    state: 'paid',
    transactionId: t.trade_no ?? '',
    amount: readYuan(t.total_amount ?? '') ?? -1,
    ...(at && isMoment(at) ? { at } : {}),
  }
}

const toOrderResult = (t: AlipayResponse): ChannelOrderResult =>
  t.trade_status === 'TRADE_SUCCESS' || t.trade_status === 'TRADE_FINISHED'
    ? toPaidResult(t)
    : t.trade_status === 'TRADE_CLOSED'
      ? { state: 'closed' }
      : { state: 'waiting' }

/** Alipay sends a callback again for up to a day and an hour. */
const maxNotificationAge = 26 * 3_600_000

/** Alipay's open gateway, RSA2, direct merchants. Every answer's signature is checked. */
export function createAlipayClient(a: ChannelAccount): ChannelClient {
  const form = (
    method: string,
    content: object,
    more: Readonly<Record<string, string>> = {},
  ): Record<string, string> =>
    signAlipayParams(
      {
        app_id: a.appId,
        method,
        format: 'JSON',
        charset: 'utf-8',
        sign_type: 'RSA2',
        timestamp: fromInstant(a.clock()),
        version: '1.0',
        biz_content: JSON.stringify(content),
        ...more,
      },
      a.privateKey,
    )
  const ask = async (
    method: string,
    content: object,
    more?: Readonly<Record<string, string>>,
  ): Promise<AlipayResponse> => {
    const answer = await fetch(a.base, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' },
      body: new URLSearchParams(form(method, content, more)).toString(),
      signal: AbortSignal.timeout(10_000),
    })
    const text = await answer.text()
    const part = extractAlipaySignedPart(text, `${method.replaceAll('.', '_')}_response`)
    const signature = /"sign":"([^"]+)"/.exec(text)?.[1] ?? ''
    if (!answer.ok || !part || !verify(part, signature, a.platformKey))
      throw new Error(`Alipay: ${answer.status} no believable answer to ${method}`)
    return JSON.parse(part) as AlipayResponse
  }
  const order = (o: ChannelOrderRequest): object => ({
    out_trade_no: o.orderNo,
    total_amount: formatYuan(o.amount),
    subject: o.title.slice(0, 120),
  })
  const why = (t: AlipayResponse): string => t.sub_msg || t.msg || t.sub_code || '支付宝没有说明原因'
  const unknown = (t: AlipayResponse): Error => new Error(`Alipay: ${t.code} ${t.sub_code} ${why(t)}`)
  return {
    // A page address is signed and asked for by the phone itself.
    createH5Url: async (o, back) =>
      `${a.base}?${new URLSearchParams(form('alipay.trade.wap.pay', { ...order(o), product_code: 'QUICK_WAP_WAY', time_expire: o.expires }, { notify_url: a.notifyUrl, return_url: back })).toString()}`,
    createQrCode: async o => {
      const t = await ask(
        'alipay.trade.precreate',
        { ...order(o), time_expire: o.expires },
        { notify_url: a.notifyUrl },
      )
      if (t.code !== '10000' || !t.qr_code) throw unknown(t)
      return t.qr_code
    },
    payByAuthCode: async (o, authCode) => {
      const t = await ask(
        'alipay.trade.pay',
        { ...order(o), auth_code: authCode, scene: 'bar_code' },
        { notify_url: a.notifyUrl },
      )
      return t.code === '10000'
        ? toPaidResult(t)
        : t.code === '10003' || t.code === '20000'
          ? { state: 'paying' }
          : { state: 'failed', why: why(t) }
    },
    queryOrder: async no => {
      const t = await ask('alipay.trade.query', { out_trade_no: no })
      if (t.code === '10000') return toOrderResult(t)
      if (t.sub_code === 'ACQ.TRADE_NOT_EXIST') return { state: 'absent' }
      throw unknown(t)
    },
    closeOrder: async (no, took) => {
      const t = await ask(took ? 'alipay.trade.cancel' : 'alipay.trade.close', { out_trade_no: no })
      if (t.code !== '10000' && t.sub_code !== 'ACQ.TRADE_NOT_EXIST' && t.sub_code !== 'ACQ.TRADE_HAS_CLOSE')
        throw unknown(t)
    },
    refund: async r => {
      const t = await ask('alipay.trade.refund', {
        out_trade_no: r.orderNo,
        refund_amount: formatYuan(r.amount),
        out_request_no: r.refundNo,
        refund_reason: r.reason.slice(0, 200),
      })
      return t.code === '10000'
        ? t.fund_change === 'Y'
          ? { state: 'done', channelNo: r.refundNo }
          : { state: 'doing' }
        : t.code === '40004' && t.sub_code !== 'ACQ.SYSTEM_ERROR'
          ? { state: 'failed', why: why(t) }
          : { state: 'doing' }
    },
    queryRefund: async r => {
      const t = await ask('alipay.trade.fastpay.refund.query', {
        out_trade_no: r.orderNo,
        out_request_no: r.refundNo,
      })
      if (t.code === '10000')
        return t.refund_status === 'REFUND_SUCCESS'
          ? { state: 'done', channelNo: r.refundNo }
          : { state: t.refund_amount === undefined ? 'absent' : 'doing' }
      if (t.sub_code === 'ACQ.TRADE_NOT_EXIST') return { state: 'absent' }
      throw unknown(t)
    },
    parseNotification: (_, body) => {
      const p = Object.fromEntries(new URLSearchParams(body))
      if (!verifyAlipayParams(p, a.platformKey, true)) throw new ForgedMessageError('签名不符')
      if (p.app_id !== a.appId || !p.out_trade_no || !p.notify_id)
        throw new ForgedMessageError('不是本商户的回调')
      const notifyTime = p.notify_time ?? ''
      if (!isMoment(notifyTime) || Math.abs(a.clock() - toInstant(notifyTime)) > maxNotificationAge)
        throw new ForgedMessageError('回调时间过久')
      return { orderNo: p.out_trade_no, nonce: p.notify_id, result: toOrderResult(p) }
    },
    fetchBill: async day => {
      const t = await ask('alipay.data.dataservice.bill.downloadurl.query', {
        bill_type: 'trade',
        bill_date: day,
      })
      if (t.sub_code === 'isp.bill_not_exist' || t.sub_code === 'BILL_NOT_EXIST') return []
      if (t.code !== '10000' || !t.bill_download_url)
        throw t.sub_code === 'isp.bill_not_ready' ? new BillNotReadyError(why(t)) : unknown(t)
      // The answer that names the address is signed; the file itself is held together by the sums in its zip.
      const at = new URL(t.bill_download_url)
      if (at.protocol !== 'https:' && at.origin !== new URL(a.base).origin)
        throw new Error(`Alipay: the bill lies at ${at.origin}`)
      const answer = await fetch(at, { signal: AbortSignal.timeout(120_000) })
      if (!answer.ok) throw new Error(`Alipay: ${answer.status} no bill`)
      return parseChannelBill(
        await readChannelBillRows(new Uint8Array(await answer.arrayBuffer()), billLimits),
        day,
      )
    },
    // The same word again is Alipay's own habit until it is thanked.
    isNotificationRepeated: true,
    acknowledgement: { type: 'text/plain', yes: 'success', no: 'fail' },
  }
}
