import { add, compare, negate, type Decimal } from '#kit/domain/decimal.ts'
import { negateFen, sumFen, type Fen, addFen } from '#kit/domain/money.ts'
import type { OrderState, PurchaseState } from '../contract/choices.ts'
import { isPositive, remainderOf, sumQuantity, totalOf } from './amounts.ts'
import { canDo, isAwaited, type Ahead } from './states.ts'

export interface QuantityLine {
  readonly lineNo: number
  readonly quantity: Decimal
}

export interface PurchaseFacts extends Ahead {
  readonly state: PurchaseState
  readonly isClosed: boolean
  readonly isReturned?: boolean
  readonly lines: readonly QuantityLine[]
}

export interface OrderFacts {
  readonly id: number
  readonly state: OrderState
  readonly amount: Fen
  readonly lines: readonly QuantityLine[]
}

/** A reversal has quantities and amounts below zero. */
export interface ReceiptFacts {
  readonly orderId: number
  readonly lines: readonly (QuantityLine & { readonly amount: Fen })[]
}

export interface OrderProgress {
  readonly id: number
  readonly state: OrderState
  readonly received: ReadonlyMap<number, Decimal>
  readonly receivedAmount: Fen
}

export interface Progress {
  readonly state: PurchaseState
  readonly awaitsOrder: boolean
  readonly ordered: ReadonlyMap<number, Decimal>
  readonly received: ReadonlyMap<number, Decimal>
  readonly orderedAmount: Fen
  readonly receivedAmount: Fen
  readonly orders: readonly OrderProgress[]
}

const receivedByLine = (receipts: readonly ReceiptFacts[]): ReadonlyMap<number, Decimal> => {
  const byLine = new Map<number, Decimal>()
  for (const { lineNo, quantity } of receipts.flatMap(receipt => receipt.lines)) {
    byLine.set(lineNo, add(byLine.get(lineNo) ?? '0', quantity))
  }
  return byLine
}

const isWhole = (lines: readonly QuantityLine[], received: ReadonlyMap<number, Decimal>): boolean =>
  lines.every(({ lineNo, quantity }) => compare(received.get(lineNo) ?? '0', quantity) >= 0)

const isAny = (received: ReadonlyMap<number, Decimal>): boolean => [...received.values()].some(isPositive)

/** An order that was closed or cancelled stays so, whatever is reversed afterwards. */
function orderStateOf(order: OrderFacts, received: ReadonlyMap<number, Decimal>): OrderState {
  if (order.state === 'closed' || order.state === 'cancelled') return order.state
  if (isWhole(order.lines, received)) return 'done'
  return isAny(received) ? 'partial' : 'open'
}

const amountsOf = (receipts: readonly ReceiptFacts[]): Fen =>
  sumFen(receipts.map(receipt => totalOf(receipt.lines)))

function orderProgress(order: OrderFacts, receipts: readonly ReceiptFacts[]): OrderProgress {
  const own = receipts.filter(receipt => receipt.orderId === order.id)
  const received = receivedByLine(own)
  return { id: order.id, state: orderStateOf(order, received), received, receivedAmount: amountsOf(own) }
}

/** What an order takes of a line: as much as was ordered, or as came of that once it has ended. */
function orderedOf(order: OrderFacts, { received }: OrderProgress): QuantityLine[] {
  const hasEnded = order.state === 'closed' || order.state === 'cancelled'
  return order.lines.map(({ lineNo, quantity }) => {
    const came = received.get(lineNo) ?? '0'
    return { lineNo, quantity: hasEnded && compare(came, quantity) < 0 ? came : quantity }
  })
}

/** The state of an approved purchase, by what was ordered and received (C16). */
function stateOf(
  purchase: PurchaseFacts,
  orders: readonly OrderProgress[],
  received: ReadonlyMap<number, Decimal>,
) {
  const { state, isClosed, lines } = purchase
  if (state === 'draft' || state === 'approving' || state === 'refused' || state === 'cancelled') return state
  if (isWhole(lines, received) || (isClosed && isAny(received))) return 'done'
  if (isAny(received)) return 'partial'
  return orders.some(order => isAwaited(order.state)) ? 'ordering' : 'approved'
}

/**
 * All figures and states of a purchase by its lines, orders and receipts: computed whole after each of them,
 * so that sums are always those of the documents.
 */
export function progressOf(
  purchase: PurchaseFacts,
  orders: readonly OrderFacts[],
  receipts: readonly ReceiptFacts[],
): Progress {
  const progress = orders.map(order => orderProgress(order, receipts))
  const byId = new Map(progress.map(each => [each.id, each]))
  const taken = orders.flatMap(order => {
    const own = byId.get(order.id)
    return own ? orderedOf(order, own) : []
  })
  const ordered = new Map(
    purchase.lines.map(({ lineNo }) => [
      lineNo,
      sumQuantity(taken.filter(line => line.lineNo === lineNo).map(line => line.quantity)),
    ]),
  )
  const received = receivedByLine(receipts)
  const state = stateOf(purchase, progress, received)
  const isOpen = state !== 'done' && canDo('order', state, purchase)
  return {
    state,
    awaitsOrder:
      isOpen &&
      purchase.lines.some(({ lineNo, quantity }) =>
        isPositive(remainderOf(quantity, ordered.get(lineNo) ?? '0')),
      ),
    ordered,
    received,
    orderedAmount: addFen(
      ...orders.map(order =>
        order.state === 'cancelled' || order.state === 'closed'
          ? (byId.get(order.id)?.receivedAmount ?? 0)
          : order.amount,
      ),
    ),
    receivedAmount: amountsOf(receipts),
    orders: progress,
  }
}

/** A receipt turned round: it takes back exactly what the first one brought. */
export const reverseLines = <L extends { readonly quantity: Decimal; readonly amount: Fen }>(
  lines: readonly L[],
): L[] => lines.map(line => ({ ...line, quantity: negate(line.quantity), amount: negateFen(line.amount) }))
