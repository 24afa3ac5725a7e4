import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { formatYuan, readYuan } from '#kit/domain/money.ts'
import { dayOfInstant, fromInstant, toInstant, type Moment } from '#kit/domain/moment.ts'
import { verifyAuthorization, buildSignatureHeaders } from '../channels/wechat-signature.ts'
import type { BillStore } from './bill-store.ts'
import type { OrderStore, Order } from './order-store.ts'
import type { Keys } from './keys.ts'
import type { SimulatorResponse } from './wechat-server.ts'

interface PosRequest {
  mchId?: string
  orderNo?: string
  amount?: string
  title?: string
  expires?: Moment
  terminalNo?: string
  notifyUrl?: string
  refundNo?: string
  day?: Day
}

const stateNames: Readonly<Record<Order['state'], string>> = {
  NOTPAY: 'SENT',
  USERPAYING: 'SENT',
  SUCCESS: 'SUCCESS',
  REFUND: 'SUCCESS',
  PAYERROR: 'DECLINED',
  CLOSED: 'CANCELLED',
}

/**
 * The acquirer's cloud service behind the card terminals: checks who asks and answers under its own signature
 * (docs/pos-protocol.md).
 */
export function createPosServer(book: OrderStore, bills: BillStore, keys: Keys, clock: () => number) {
  const now = (): number => Math.floor(clock() / 1000)
  const say = (status: number, said: object): SimulatorResponse => {
    const body = JSON.stringify(said)
    return {
      status,
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        ...buildSignatureHeaders(body, keys.platformPrivate, keys.platformSerial, now()),
      },
    }
  }
  const no = (code: string, message: string): SimulatorResponse => say(400, { code, message })
  const told = (o: Order): object => ({
    mchId: keys.mchId,
    orderNo: o.no,
    state: stateNames[o.state],
    ...(o.state === 'PAYERROR' ? { message: '卡片被拒绝' } : {}),
    ...(o.paid === undefined
      ? {}
      : {
          traceNo: o.transactionId,
          amount: formatYuan(o.paid),
          card: o.card ?? 'debit',
          paidAt: fromInstant(defined(o.paidAt)),
        }),
  })
  const backTold = (refundNo: string, r: Order['refunds'][string]): object => ({
    refundNo,
    refundState: r.status === 'SUCCESS' ? 'SUCCESS' : 'PROCESSING',
    traceNo: r.id,
  })
  const acts: Readonly<Record<string, (w: PosRequest, o: Order | undefined) => SimulatorResponse>> = {
    sale: (w, o) => {
      const amount = readYuan(w.amount ?? '')
      if (!w.orderNo || !w.terminalNo || !amount || amount <= 0) return no('PARAM_ERROR', '参数错误')
      if (w.terminalNo.endsWith('0000')) return no('TERMINAL_OFFLINE', '终端不在线，请检查 POS 机网络')
      if (o && (o.amount !== amount || o.terminal !== w.terminalNo)) return no('PARAM_ERROR', '订单号重复')
      return say(
        200,
        told(
          o ??
            book.add({
              no: w.orderNo,
              channel: 'pos',
              title: w.title ?? '',
              amount,
              notifyUrl: w.notifyUrl ?? '',
              expires: w.expires ? toInstant(w.expires) : clock() + 900_000,
              way: 'sale',
              terminal: w.terminalNo,
            }),
        ),
      )
    },
    query: (_, o) => (o ? say(200, told(o)) : no('ORDER_NOT_EXIST', '订单不存在')),
    cancel: (_, o) => {
      if (!o) return no('ORDER_NOT_EXIST', '订单不存在')
      if (o.state === 'SUCCESS' || o.state === 'REFUND') return no('ORDER_PAID', '已经刷卡成功')
      o.state = 'CLOSED'
      book.save()
      return say(200, told(o))
    },
    refund: (w, o) => {
      const amount = readYuan(w.amount ?? '') ?? 0
      const refundNo = w.refundNo ?? ''
      const known = o?.refunds[refundNo]
      if (!o || !refundNo || amount <= 0) return no('PARAM_ERROR', '参数错误')
      if (o.state !== 'SUCCESS' && o.state !== 'REFUND') return no('NOT_PAID', '订单没有刷卡成功')
      if (!known && Object.values(o.refunds).reduce((s, r) => s + r.amount, 0) + amount > (o.paid ?? 0))
        return no('REFUND_EXCEEDED', '退款金额超过可退金额')
      const today = dayOfInstant(clock()) === dayOfInstant(defined(o.paidAt))
      const r =
        known ??
        (o.refunds[refundNo] = {
          id: `${today ? 'VOID' : 'RFND'}${clock()}${Object.keys(o.refunds).length}`,
          amount,
          status: o.mood === 'slow' || o.mood === 'late' ? 'PROCESSING' : 'SUCCESS',
          asked: 0,
          at: clock(),
        })
      o.state = 'REFUND'
      book.save()
      return say(200, backTold(refundNo, r))
    },
    'refund-query': w => {
      const o = [...book.orders.values()].find(x => x.channel === 'pos' && (w.refundNo ?? '') in x.refunds)
      const r = o?.refunds[w.refundNo ?? '']
      if (!r) return no('REFUND_NOT_EXIST', '退款单不存在')
      if (++r.asked >= 2) {
        r.status = 'SUCCESS'
      }
      book.save()
      return say(200, backTold(defined(w.refundNo), r))
    },
    bill: ({ day }) =>
      day && bills.late('pos', day)
        ? no('BILL_NOT_READY', '账单还没有生成')
        : day && bills.lines('pos', day).length
          ? say(200, { bill: bills.pos(day) })
          : no('BILL_EMPTY', '没有交易'),
  }
  return {
    answer: (path: string, header: string, body: string): SimulatorResponse => {
      const who = verifyAuthorization(header, 'POST', path, body, keys.publicKey)
      const act = acts[path.replace('/pos/v1/', '')]
      const w = (body ? JSON.parse(body) : {}) as PosRequest
      if (
        !who ||
        who.mchid !== keys.mchId ||
        who.serial_no !== keys.serialNo ||
        Math.abs(Number(who.timestamp) - now()) > 300 ||
        w.mchId !== keys.mchId
      )
        return say(401, { code: 'SIGN_ERROR', message: '签名错误' })
      const o = book.orders.get(w.orderNo ?? '')
      return act ? act(w, o?.channel === 'pos' ? o : undefined) : no('PARAM_ERROR', '没有这个接口')
    },
    notice: (o: Order): { readonly body: string; readonly headers: Readonly<Record<string, string>> } => {
      const body = JSON.stringify(told(o))
      return {
        body,
        headers: {
          'content-type': 'application/json',
          ...buildSignatureHeaders(body, keys.platformPrivate, keys.platformSerial, now()),
        },
      }
    },
  }
}
