import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { formatYuan, readYuan } from '#kit/domain/money.ts'
import { fromInstant, toInstant, type Moment } from '#kit/domain/moment.ts'
import { signAlipayParams, verifyAlipayParams } from '../channels/alipay-signature.ts'
import { sign } from '../channels/wechat-signature.ts'
import type { BillStore } from './bill-store.ts'
import type { OrderStore, Order } from './order-store.ts'
import type { Keys } from './keys.ts'

interface AlipayRequest {
  out_trade_no?: string
  total_amount?: string
  subject?: string
  auth_code?: string
  time_expire?: Moment
  refund_amount?: string
  out_request_no?: string
  bill_type?: string
  bill_date?: Day
}

const tradeStatuses: Readonly<Record<Order['state'], string>> = {
  NOTPAY: 'WAIT_BUYER_PAY',
  USERPAYING: 'WAIT_BUYER_PAY',
  PAYERROR: 'WAIT_BUYER_PAY',
  CLOSED: 'TRADE_CLOSED',
  SUCCESS: 'TRADE_SUCCESS',
  REFUND: 'TRADE_SUCCESS',
}

/** The other end of Alipay's open gateway. */
export function createAlipayServer(
  book: OrderStore,
  bills: BillStore,
  keys: Keys,
  clock: () => number,
  phone: (o: Order) => string,
  here: () => string,
) {
  const told = (o: Order): Record<string, string> => ({
    out_trade_no: o.no,
    trade_status: tradeStatuses[o.state],
    ...(o.transactionId && o.paid !== undefined
      ? {
          trade_no: o.transactionId,
          total_amount: formatYuan(o.paid),
          send_pay_date: fromInstant(defined(o.paidAt)),
        }
      : {}),
  })
  const no = (sub_code: string, sub_msg: string): object => ({
    code: '40004',
    msg: 'Business Failed',
    sub_code,
    sub_msg,
  })
  const fine = (more: object): object => ({ code: '10000', msg: 'Success', ...more })
  const open = (w: AlipayRequest, p: Readonly<Record<string, string>>): Order | object => {
    const known = book.orders.get(w.out_trade_no ?? '')
    const amount = readYuan(w.total_amount ?? '')
    if (!w.out_trade_no || !amount || amount <= 0) return no('ACQ.INVALID_PARAMETER', '参数无效')
    if (known)
      return known.state === 'NOTPAY' && known.way === p.method && known.amount === amount
        ? known
        : no(
            known.state === 'SUCCESS' ? 'ACQ.TRADE_HAS_SUCCESS' : 'ACQ.TRADE_HAS_CLOSE',
            known.state === 'SUCCESS' ? '交易已被支付' : '交易已经关闭',
          )
    return book.add({
      no: w.out_trade_no,
      channel: 'alipay',
      title: w.subject ?? '',
      amount,
      notifyUrl: p.notify_url ?? '',
      expires: w.time_expire ? toInstant(w.time_expire) : clock() + 900_000,
      way: p.method ?? '',
    })
  }
  const isOrder = (x: Order | object): x is Order => 'key' in x
  const judge = (p: Readonly<Record<string, string>>): object => {
    if (p.app_id !== keys.appId || !verifyAlipayParams(p, keys.publicKey, false))
      return {
        code: '40002',
        msg: 'Invalid Arguments',
        sub_code: 'isv.invalid-signature',
        sub_msg: '无效签名',
      }
    const w = JSON.parse(p.biz_content ?? '{}') as AlipayRequest
    const o = book.orders.get(w.out_trade_no ?? '')
    if (p.method === 'alipay.trade.precreate') {
      const made = open(w, p)
      return isOrder(made) ? fine({ out_trade_no: made.no, qr_code: phone(made) }) : made
    }
    if (p.method === 'alipay.trade.pay') {
      const made = open(w, p)
      const code = w.auth_code ?? ''
      if (!isOrder(made)) return made
      if (!/^(2[5-9]|30)\d{14,22}$/.test(code))
        return no('ACQ.PAYMENT_AUTH_CODE_INVALID', '付款码无效，请刷新后重新扫码')
      if (code.endsWith('9')) {
        made.state = 'PAYERROR'
        book.save()
        return no('ACQ.BUYER_BALANCE_NOT_ENOUGH', '余额不足，请换一种付款方式')
      }
      if (code.endsWith('8')) {
        made.state = 'USERPAYING'
        book.save()
        return { code: '10003', msg: 'order success pay inprocess', out_trade_no: made.no }
      }
      book.paid(made)
      return fine({ ...told(made), gmt_payment: fromInstant(defined(made.paidAt)) })
    }
    if (p.method === 'alipay.data.dataservice.bill.downloadurl.query') {
      if (w.bill_type !== 'trade' || !w.bill_date) return no('isp.invalid-parameter', '参数无效')
      if (bills.late('alipay', w.bill_date)) return no('isp.bill_not_ready', '账单还没有生成')
      return bills.lines('alipay', w.bill_date).length
        ? fine({ bill_download_url: `${here()}/bill/alipay?token=${bills.token('alipay', w.bill_date)}` })
        : no('isp.bill_not_exist', '账单不存在')
    }
    if (!o) return no('ACQ.TRADE_NOT_EXIST', '交易不存在')
    if (p.method === 'alipay.trade.query') return fine(told(o))
    if (p.method === 'alipay.trade.close' || p.method === 'alipay.trade.cancel') {
      if (o.state === 'SUCCESS' && p.method === 'alipay.trade.close')
        return no('ACQ.REASON_TRADE_STATUS_INVALID', '交易状态不合法')
      if (o.state !== 'SUCCESS' && o.state !== 'REFUND') {
        o.state = 'CLOSED'
        book.save()
      }
      return fine({ out_trade_no: o.no })
    }
    const key = w.out_request_no ?? ''
    const known = o.refunds[key]
    if (p.method === 'alipay.trade.fastpay.refund.query') {
      if (!known) return fine({})
      if (++known.asked >= 2) {
        known.status = 'SUCCESS'
      }
      book.save()
      return fine({
        out_request_no: key,
        refund_amount: formatYuan(known.amount),
        ...(known.status === 'SUCCESS' ? { refund_status: 'REFUND_SUCCESS' } : {}),
      })
    }
    if (p.method === 'alipay.trade.refund') {
      const amount = readYuan(w.refund_amount ?? '') ?? 0
      const back = Object.values(o.refunds).reduce((s, r) => s + r.amount, 0)
      if (!known && o.state !== 'SUCCESS' && o.state !== 'REFUND')
        return no('ACQ.TRADE_STATUS_ERROR', '交易状态不合法')
      if (!known && back + amount > (o.paid ?? 0)) return no('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL', '退款金额超限')
      const r =
        known ??
        (o.refunds[key] = {
          id: key,
          amount,
          status: o.mood === 'slow' || o.mood === 'late' ? 'PROCESSING' : 'SUCCESS',
          asked: 0,
          at: clock(),
        })
      o.state = 'REFUND'
      book.save()
      return fine({
        out_trade_no: o.no,
        fund_change: r.status === 'SUCCESS' ? 'Y' : 'N',
        refund_fee: formatYuan(r.amount),
      })
    }
    return no('isv.method-not-exist', '没有这个接口')
  }
  return {
    /** A phone that comes by a page address is shown where to pay. */
    page: (q: URLSearchParams): Order | undefined => {
      const p = Object.fromEntries(q)
      if (
        p.method !== 'alipay.trade.wap.pay' ||
        p.app_id !== keys.appId ||
        !verifyAlipayParams(p, keys.publicKey, false)
      )
        return undefined
      const made = open(JSON.parse(p.biz_content ?? '{}') as AlipayRequest, p)
      if (!isOrder(made))
        return book.orders.get((JSON.parse(p.biz_content ?? '{}') as AlipayRequest).out_trade_no ?? '')
      made.back = p.return_url
      return made
    },
    answer: (body: string): string => {
      const p = Object.fromEntries(new URLSearchParams(body))
      const part = JSON.stringify(judge(p))
      return `{"${(p.method ?? '').replaceAll('.', '_')}_response":${part},"sign":"${sign(part, keys.platformPrivate)}"}`
    },
    notice: (o: Order): string => new URLSearchParams({ ...signedNotice(o) }).toString(),
    numberOf: (body: string): string => {
      try {
        return (
          (JSON.parse(new URLSearchParams(body).get('biz_content') ?? '{}') as AlipayRequest).out_trade_no ??
          ''
        )
      } catch {
        return ''
      }
    },
  }
  function signedNotice(o: Order): Record<string, string> {
    const plain = {
      ...told(o),
      app_id: keys.appId,
      notify_id: `${o.no}-${o.paidAt ?? 0}`,
      notify_time: fromInstant(clock()),
      notify_type: 'trade_status_sync',
      charset: 'utf-8',
      version: '1.0',
      gmt_payment: fromInstant(o.paidAt ?? clock()),
    }
    return { ...signAlipayParams(plain, keys.platformPrivate), sign_type: 'RSA2' }
  }
}
