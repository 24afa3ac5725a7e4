import { createHash } from 'node:crypto'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Fen } from '#kit/domain/money.ts'
import { dayOfInstant } from '#kit/domain/moment.ts'
import type { Order } from './order-store.ts'

/**
 * What the gateway gets wrong in the bill of a day: leave a line out, add one of its own, change a sum, take
 * the bill's hash for another, not have it yet.
 */
export const billFaults = {
  leave: '不列该行',
  add: '多出一行',
  change: '改金额',
  forge: '账单摘要不对',
  later: '账单尚未生成',
} as const

export type BillFault = keyof typeof billFaults

export interface InjectedFault {
  readonly channel: Order['channel']
  readonly day: Day
  readonly slip: BillFault
  readonly no: string
  readonly refundNo: string
  readonly amount: Fen
}

export interface BillLine {
  readonly kind: 'pay' | 'refund'
  readonly no: string
  readonly id: string
  readonly refundNo: string
  readonly amount: Fen
  readonly total: Fen
  readonly at: number
  readonly title: string
}

/** The payments of a day. */
const paymentLines = (orders: readonly Order[], day: Day): BillLine[] =>
  orders
    .filter(order => dayOfInstant(defined(order.paidAt)) === day)
    .map(order => ({
      kind: 'pay',
      no: order.orderNo,
      id: order.transactionId ?? '',
      refundNo: '',
      amount: defined(order.paid),
      total: defined(order.paid),
      at: defined(order.paidAt),
      title: order.title,
    }))

/** The refunds that came through on a day. */
const refundLines = (orders: readonly Order[], day: Day): BillLine[] =>
  orders.flatMap(order =>
    Object.entries(order.refunds)
      .filter(
        ([, refund]) =>
          refund.status === 'SUCCESS' && dayOfInstant(refund.createdAt ?? defined(order.paidAt)) === day,
      )
      .map(([refundNo, refund]) => ({
        kind: 'refund',
        no: order.orderNo,
        id: order.transactionId ?? '',
        refundNo,
        amount: refund.amount,
        total: defined(order.paid),
        at: refund.createdAt ?? defined(order.paidAt),
        title: order.title,
      })),
  )

const addedLine = (fault: InjectedFault, index: number): BillLine => ({
  kind: fault.refundNo ? 'refund' : 'pay',
  no: fault.no,
  id: `42ADDED${createHash('sha1').update(fault.no).digest('hex').slice(0, 16)}${index}`,
  refundNo: fault.refundNo,
  amount: fault.amount,
  total: fault.amount,
  at: Date.parse(`${fault.day}T12:00:0${index % 10}+08:00`),
  title: '渠道多出的一笔',
})

const isLineOf = (line: BillLine, fault: InjectedFault): boolean =>
  line.no === fault.no && line.refundNo === fault.refundNo

/** What a channel's bill of a day says: what was done, with the faults that were asked for. */
export function billLinesOf(
  orders: readonly Order[],
  day: Day,
  faults: readonly InjectedFault[],
): BillLine[] {
  const paidOrders = orders.filter(order => order.paid !== undefined && order.paidAt !== undefined)
  const amountOf = (line: BillLine): Fen =>
    faults.find(fault => fault.slip === 'change' && isLineOf(line, fault))?.amount ?? line.amount
  const kept = [...paymentLines(paidOrders, day), ...refundLines(paidOrders, day)]
    .filter(line => !faults.some(fault => fault.slip === 'leave' && isLineOf(line, fault)))
    .map(line => ({ ...line, amount: amountOf(line) }))
  const added = faults.filter(fault => fault.slip === 'add').map(addedLine)
  return [...kept, ...added].toSorted((a, b) => a.at - b.at)
}
