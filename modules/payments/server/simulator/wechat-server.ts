import { defined } from '#kit/domain/defined.ts'
import { isDay } from '#kit/domain/day.ts'
import { verifyAuthorization, encryptResource, buildSignatureHeaders } from '../channels/wechat-signature.ts'
import type { BillStore } from './bill-store.ts'
import type { OrderStore, Order } from './order-store.ts'
import type { Keys } from './keys.ts'

export interface SimulatorResponse {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

interface WechatRequest {
  description?: string
  out_trade_no?: string
  out_refund_no?: string
  notify_url?: string
  mchid?: string
  appid?: string
  time_expire?: string
  amount?: { total?: number; refund?: number }
  payer?: { auth_code?: string }
}

/** The other end of WeChat Pay v3: it checks who asks and answers under its own signature. */
export function createWechatServer(
  book: OrderStore,
  bills: BillStore,
  keys: Keys,
  clock: () => number,
  phone: (o: Order) => string,
  here: () => string,
) {
  const now = (): number => Math.floor(clock() / 1000)
  const say = (status: number, said: object | undefined): SimulatorResponse => {
    const body = said ? JSON.stringify(said) : ''
    return {
      status,
      body,
      headers: {
        ...(body ? { 'content-type': 'application/json; charset=utf-8' } : {}),
        ...buildSignatureHeaders(body, keys.platformPrivate, keys.platformSerial, now()),
      },
    }
  }
  const no = (status: number, code: string, message: string): SimulatorResponse =>
    say(status, { code, message })
  const told = (o: Order): object => ({
    appid: keys.appId,
    mchid: keys.mchId,
    out_trade_no: o.no,
    trade_state: o.state,
    trade_state_desc: o.state === 'PAYERROR' ? '余额不足' : '',
    ...(o.transactionId && o.paid !== undefined
      ? {
          transaction_id: o.transactionId,
          success_time: new Date(defined(o.paidAt)).toISOString(),
          amount: { total: o.paid, currency: 'CNY' },
        }
      : {}),
  })
  const answer = (method: string, path: string, header: string, body: string): SimulatorResponse => {
    const who = verifyAuthorization(header, method, path, body, keys.publicKey)
    if (
      !who ||
      who.mchid !== keys.mchId ||
      who.serial_no !== keys.serialNo ||
      Math.abs(Number(who.timestamp) - now()) > 300
    )
      return no(401, 'SIGN_ERROR', '签名错误')
    const w = (body ? JSON.parse(body) : {}) as WechatRequest
    const [at] = path.split('?') as [string]
    const [, prepay] = /^\/v3\/pay\/transactions\/(native|h5|codepay)$/.exec(at) ?? []
    const [, number, act] =
      /^\/v3\/pay\/transactions\/out-trade-no\/([^/]+)(?:\/(close|reverse))?$/.exec(at) ?? []
    const [, refund] = /^\/v3\/refund\/domestic\/refunds(?:\/([^/]+))?$/.exec(at) ?? []
    if (prepay) {
      if (!w.out_trade_no || !w.amount?.total || w.appid !== keys.appId || w.mchid !== keys.mchId)
        return no(400, 'PARAM_ERROR', '参数错误')
      const known = book.orders.get(w.out_trade_no)
      if (known && (known.way !== prepay || known.amount !== w.amount.total || known.state !== 'NOTPAY'))
        return known.state === 'SUCCESS'
          ? no(400, 'ORDERPAID', '订单已支付')
          : known.state === 'CLOSED'
            ? no(400, 'ORDER_CLOSED', '订单已关闭')
            : no(400, 'OUT_TRADE_NO_USED', '商户订单号重复')
      const o =
        known ??
        book.add({
          no: w.out_trade_no,
          channel: 'wechat',
          title: w.description ?? '',
          amount: w.amount.total,
          notifyUrl: w.notify_url ?? '',
          expires: Date.parse(w.time_expire ?? '') || clock() + 900_000,
          way: prepay,
        })
      if (prepay === 'h5') return say(200, { h5_url: phone(o) })
      if (prepay === 'native') return say(200, { code_url: phone(o) })
      // What the code ends in decides, so that every outcome can be had without a phone.
      const code = w.payer?.auth_code ?? ''
      if (!/^1[0-5]\d{16}$/.test(code)) return no(400, 'AUTH_CODE_INVALID', '付款码无效，请刷新后重新扫码')
      if (code.endsWith('9')) {
        o.state = 'PAYERROR'
        book.save()
        return no(403, 'NOTENOUGH', '余额不足，请换一种付款方式')
      }
      if (code.endsWith('8')) {
        o.state = 'USERPAYING'
        book.save()
        return no(202, 'USERPAYING', '需要用户输入支付密码')
      }
      book.paid(o)
      return say(200, told(o))
    }
    if (number) {
      const o = book.orders.get(decodeURIComponent(number))
      if (!o) return no(404, 'ORDER_NOT_EXIST', '订单不存在')
      if (act === undefined) return say(200, told(o))
      if (o.state === 'SUCCESS' && act === 'close') return no(400, 'ORDERPAID', '订单已支付')
      if (o.state === 'NOTPAY' || o.state === 'USERPAYING' || o.state === 'PAYERROR') {
        o.state = 'CLOSED'
        book.save()
      }
      return act === 'close' ? say(204, undefined) : say(200, { out_trade_no: o.no, recall: 'N' })
    }
    if (at.startsWith('/v3/refund/')) {
      const key = refund ? decodeURIComponent(refund) : (w.out_refund_no ?? '')
      const o = refund
        ? [...book.orders.values()].find(x => key in x.refunds)
        : book.orders.get(w.out_trade_no ?? '')
      if (!o || (refund && !o.refunds[key])) return no(404, 'RESOURCE_NOT_EXISTS', '退款单不存在')
      const known = o.refunds[key]
      const back = Object.values(o.refunds).reduce((s, r) => s + r.amount, 0)
      if (!known && o.state !== 'SUCCESS' && o.state !== 'REFUND')
        return no(400, 'INVALID_REQUEST', '订单没有支付成功')
      if (!known && back + (w.amount?.refund ?? 0) > (o.paid ?? 0))
        return no(400, 'REFUND_AMOUNT_EXCEED', '退款金额超过可退金额')
      const r =
        known ??
        (o.refunds[key] = {
          id: `50${clock()}${Object.keys(o.refunds).length}`,
          amount: w.amount?.refund ?? 0,
          status: o.mood === 'slow' || o.mood === 'late' ? 'PROCESSING' : 'SUCCESS',
          asked: 0,
          at: clock(),
        })
      if (refund && ++r.asked >= 2) {
        r.status = 'SUCCESS'
      }
      o.state = 'REFUND'
      book.save()
      return say(200, { refund_id: r.id, out_refund_no: key, out_trade_no: o.no, status: r.status })
    }
    if (at === '/v3/bill/tradebill') {
      const q = new URL(path, 'http://here').searchParams
      const day = q.get('bill_date') ?? ''
      if (q.get('bill_type') !== 'ALL' || q.get('tar_type') !== 'GZIP' || !isDay(day))
        return no(400, 'PARAM_ERROR', '参数错误')
      if (bills.late('wechat', day)) return no(400, 'STATEMENT_CREATING', '账单生成中，请稍后再试')
      return bills.lines('wechat', day).length
        ? say(200, {
            hash_type: 'SHA1',
            hash_value: bills.hashOf(day),
            download_url: `${here()}/v3/billdownload/file?token=${bills.token('wechat', day)}`,
          })
        : no(400, 'NO_STATEMENT_EXIST', '账单文件不存在')
    }
    return no(404, 'RESOURCE_NOT_EXISTS', '没有这个接口')
  }
  const notice = (
    o: Order,
  ): { readonly body: string; readonly headers: Readonly<Record<string, string>> } => {
    const body = JSON.stringify({
      id: `EV-${o.no}`,
      create_time: new Date(clock()).toISOString(),
      event_type: 'TRANSACTION.SUCCESS',
      resource_type: 'encrypt-resource',
      resource: encryptResource(JSON.stringify(told(o)), keys.apiKey),
    })
    return {
      body,
      headers: {
        'content-type': 'application/json',
        ...buildSignatureHeaders(body, keys.platformPrivate, keys.platformSerial, now()),
      },
    }
  }
  /** A bill's bytes, to who signs for them. */
  const mayFetch = (path: string, header: string): boolean =>
    verifyAuthorization(header, 'GET', path, '', keys.publicKey)?.mchid === keys.mchId
  return {
    answer,
    notice,
    mayFetch,
    numberOf: (path: string, body: string): string =>
      decodeURIComponent(
        /out-trade-no\/([^/?]+)/.exec(path)?.[1] ?? /"out_trade_no":"([^"]+)"/.exec(body)?.[1] ?? '',
      ),
  }
}
