import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Id } from '#kit/domain/id.ts'
import type { Fen } from '#kit/domain/money.ts'
import { toInstant, type Moment } from '#kit/domain/moment.ts'

export interface OnlinePayment {
  readonly no: string
  readonly id: Id
  readonly transactionId: string
  readonly amount: Fen
  readonly at: Moment
  readonly title: string
}

export interface GatewayOrder {
  readonly which: 'wechat' | 'alipay'
  readonly p: OnlinePayment
}

/** What the gateway's simulator knows of the demo's payments, and how its bills differ from them. */
export function writeGatewayFiles(
  dataDir: string,
  orders: readonly GatewayOrder[],
  slips: readonly object[],
): void {
  const dir = join(dataDir, 'gateway')
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  writeFileSync(
    join(dir, 'orders.json'),
    JSON.stringify(
      orders.map(({ which, p }) => ({
        orderNo: p.no,
        channel: which,
        title: p.title,
        amount: p.amount,
        notifyUrl: '',
        pageKey: p.transactionId,
        expires: toInstant(p.at) + 900_000,
        method: 'demo',
        state: 'SUCCESS',
        behaviour: 'normal',
        unansweredRequests: 0,
        refunds: {},
        transactionId: p.transactionId,
        paid: p.amount,
        paidAt: toInstant(p.at),
      })),
    ),
    { mode: 0o600 },
  )
  writeFileSync(join(dir, 'bills.json'), JSON.stringify(slips), { mode: 0o600 })
}
