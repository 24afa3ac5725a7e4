import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fen } from '#kit/domain/money.ts'

/** How the gateway behaves for one order: the failures that real channels have. */
export const behaviours = {
  normal: '正常',
  slow: '响应缓慢（每次延迟应答）',
  doubleCallback: '回调两次',
  delayed: '延迟（先返回未支付，稍后成功）',
  wrongAmount: '金额不符（多一分）',
  dropConnection: '断线（请求无应答，也不回调）',
  noCallback: '不回调',
  fail: '支付失败',
} as const

export type Behaviour = keyof typeof behaviours

export interface Refund {
  readonly id: string
  readonly amount: Fen
  status: 'PROCESSING' | 'SUCCESS'
  queryCount: number
  readonly createdAt?: number
}

export interface Order {
  readonly orderNo: string
  readonly channel: 'wechat' | 'alipay' | 'pos'
  readonly title: string
  readonly amount: Fen
  readonly notifyUrl: string
  readonly pageKey: string
  readonly expires: number
  readonly method: string
  /** For a card: which terminal, and what it read. */
  readonly terminal?: string
  state: 'NOTPAY' | 'USERPAYING' | 'SUCCESS' | 'CLOSED' | 'PAYERROR' | 'REFUND'
  returnUrl?: string | undefined
  transactionId?: string | undefined
  paid?: Fen | undefined
  paidAt?: number | undefined
  behaviour: Behaviour
  unansweredRequests: number
  card?: 'debit' | 'credit'
  refunds: Record<string, Refund>
}

/** Keys of earlier versions: the file outlives versions of the program. */
const formerKeys: Readonly<Record<string, string>> = {
  no: 'orderNo',
  key: 'pageKey',
  way: 'method',
  back: 'returnUrl',
  mood: 'behaviour',
  deaf: 'unansweredRequests',
  asked: 'queryCount',
  at: 'createdAt',
}

const renameFormerKeys = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, v]) => [formerKeys[key] ?? key, v]))
    : value

function readOrders(file: string): Map<string, Order> {
  try {
    const orders: Order[] = JSON.parse(readFileSync(file, 'utf8'), renameFormerKeys)
    return new Map(orders.map(order => [order.orderNo, order]))
  } catch {
    return new Map()
  }
}

/** What the gateway knows, kept in the data folder. */
export function openOrderStore(dir: string, clock: () => number) {
  const file = join(dir, 'orders.json')
  const orders = readOrders(file)
  const save = (): void => {
    const kept = [...orders.values()].slice(-500)
    writeFileSync(`${file}.new`, JSON.stringify(kept), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  return {
    orders,
    save,
    add: (
      newOrder: Omit<Order, 'state' | 'behaviour' | 'unansweredRequests' | 'refunds' | 'pageKey'>,
      state: Order['state'] = 'NOTPAY',
    ): Order => {
      const order: Order = {
        ...newOrder,
        pageKey: randomBytes(9).toString('base64url'),
        state,
        behaviour: 'normal',
        unansweredRequests: 0,
        refunds: {},
      }
      orders.set(newOrder.orderNo, order)
      save()
      return order
    },
    /** The money has moved; `amount` may be a wrong one. */
    markPaid: (order: Order, amount = order.amount): void => {
      order.state = 'SUCCESS'
      order.paid = amount
      order.paidAt = clock()
      order.transactionId ??= `42${String(clock())}${randomBytes(5).readUIntBE(0, 5).toString().padStart(13, '0').slice(0, 13)}`
      save()
    },
  }
}

export type OrderStore = ReturnType<typeof openOrderStore>
