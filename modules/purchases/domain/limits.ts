import { add, compare, div, fromFen, mul, sum, toFen, type Decimal } from '#kit/domain/decimal.ts'
import { addFen, displayYuan, maxFen, sumFen, type Fen } from '#kit/domain/money.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import type { OrderState, PurchaseState } from '../contract/choices.ts'
import { amountOf, isPositive, remainderOf } from './amounts.ts'
import { isAwaited } from './states.ts'

interface PricedLine {
  readonly lineNo: number
  readonly quantity: Decimal
  readonly price: Decimal
}

interface BoundOrder {
  readonly id: number
  readonly state: OrderState
  readonly receivedAmount: Fen
  readonly lines: readonly (PricedLine & { readonly receivedQuantity: Decimal })[]
}

export interface BoundPurchase {
  readonly state: PurchaseState
  readonly lines: readonly Pick<PricedLine, 'lineNo' | 'price'>[]
  readonly orders: readonly BoundOrder[]
}

type QuantityOf = (order: BoundOrder, line: BoundOrder['lines'][number]) => Decimal

/** All that was ordered, and what came beyond it; of an order that ended what came of it. */
const boundQuantity: QuantityOf = ({ state }, { quantity, receivedQuantity }) =>
  isAwaited(state) && compare(quantity, receivedQuantity) > 0 ? quantity : receivedQuantity

const receivedQuantity: QuantityOf = (_order, line) => line.receivedQuantity

/** What these quantities were approved for: at the estimate of the purchase. */
const approvedFor = ({ lines, orders }: BoundPurchase, quantityOf: QuantityOf): Fen =>
  sumFen(
    lines.map(({ lineNo, price }) => {
      const own = orders.flatMap(order =>
        order.lines.filter(line => line.lineNo === lineNo).map(line => quantityOf(order, line)),
      )
      return amountOf(sum(own), price)
    }),
  )

const receivedOf = (orders: readonly BoundOrder[]): Fen => sumFen(orders.map(order => order.receivedAmount))

/** What the orders come to: what has come of them as it was received, the rest at their prices. */
const committedOf = (orders: readonly BoundOrder[]): Fen =>
  addFen(
    receivedOf(orders),
    ...orders
      .filter(order => isAwaited(order.state))
      .flatMap(order => order.lines)
      .map(line => amountOf(remainderOf(line.quantity, line.receivedQuantity), line.price)),
  )

const limitOf = (approved: Fen, share: Decimal): Fen =>
  toFen(div(mul(fromFen(approved), share), '100', 2, 'floor'))

/** How a purchase in its state, with what was ordered and received, gets another estimate. */
function remedyOf({ state, orders }: BoundPurchase): string {
  const inForce = orders.filter(isInForce)
  const hasCome = orders.some(order => order.lines.some(line => isPositive(line.receivedQuantity)))
  if (hasCome || state === 'done' || state === 'partial')
    return inForce.some(order => isAwaited(order.state)) ? '关闭未到货的订单，另行申请采购' : '另行申请采购'
  const cancel = inForce.length ? '取消未到货的订单，' : ''
  return state === 'approving'
    ? `${cancel}由申请人撤回采购（已有人审批的由审批人退回），修改预估单价后重新提交`
    : `${cancel}由申请人修改采购的预估单价，重新审批后再下单`
}

/** Orders that bind the supplier and the company: not those that ended with nothing received. */
export const isInForce = (
  order: Pick<BoundOrder, 'state'> & { readonly lines: BoundOrder['lines'] },
): boolean => isAwaited(order.state) || order.lines.some(line => isPositive(line.receivedQuantity))

const isDearer = (sent: PricedLine, lines: readonly Pick<PricedLine, 'lineNo' | 'price'>[]): boolean =>
  lines.some(line => line.lineNo === sent.lineNo && compare(sent.price, line.price) > 0)

const limitFault = (i: number, Message: string): FieldFault[] => [{ Field: `Lines[${i}].Price`, Message }]

/**
 * The orders of a purchase together come to no more than what they order was approved for, and the tolerance
 * in per cent. What has come counts as it was received. An order no dearer than the estimate always passes.
 */
export function orderLimitFaults(
  sent: readonly PricedLine[],
  purchase: BoundPurchase,
  tolerance: Decimal,
): FieldFault[] {
  const dearer = sent.findIndex(line => isDearer(line, purchase.lines))
  const lines = sent.map(line => ({ ...line, receivedQuantity: '0' }))
  const placed: BoundOrder = { id: 0, state: 'open', receivedAmount: 0, lines }
  const orders = [...purchase.orders, placed]
  const share = add('100', tolerance)
  const approved = approvedFor({ ...purchase, orders }, boundQuantity)
  const limit = limitOf(approved, share)
  const whole = committedOf(orders)
  if (dearer < 0 || whole <= limit) return []
  return limitFault(
    dearer,
    `全部订单合计 ${displayYuan(whole)} 元，超过所下单明细的批准金额 ${displayYuan(approved)} 元的 ${share}%（最多 ${displayYuan(limit)} 元）；请降低单价，或${remedyOf(purchase)}`,
  )
}

/** The order as it will be once these lines have come. */
const received = (order: BoundOrder, sent: readonly PricedLine[]): BoundOrder => ({
  ...order,
  receivedAmount: addFen(order.receivedAmount, ...sent.map(line => amountOf(line.quantity, line.price))),
  lines: order.lines.map(line => {
    const came = sent.find(each => each.lineNo === line.lineNo)
    return came ? { ...line, receivedQuantity: add(line.receivedQuantity, came.quantity) } : line
  }),
})

const atOrderPrices = (orders: readonly BoundOrder[]): Fen =>
  sumFen(orders.flatMap(order => order.lines).map(line => amountOf(line.receivedQuantity, line.price)))

interface Bound {
  readonly what: string
  readonly whole: Fen
  readonly quantityOf: QuantityOf
  /** So much is always allowed. */
  readonly least: Fen
}

/**
 * The same bound on what is received: of what has come, so that a few dear goods are not paid for by those
 * that never come, and with what is still awaited at the prices of the orders. A receipt no dearer than its
 * order always passes: the order was within the limit.
 */
export function receiptLimitFaults(
  sent: readonly PricedLine[],
  orderId: number,
  purchase: BoundPurchase,
  tolerance: Decimal,
): FieldFault[] {
  const order = purchase.orders.find(each => each.id === orderId)
  const dearer = order ? sent.findIndex(line => isDearer(line, order.lines)) : -1
  if (dearer < 0) return []
  const after = purchase.orders.map(each => (each.id === orderId ? received(each, sent) : each))
  const share = add('100', tolerance)
  const bounds: readonly Bound[] = [
    { what: '全部收货', whole: receivedOf(after), quantityOf: receivedQuantity, least: atOrderPrices(after) },
    { what: '全部收货与待收货', whole: committedOf(after), quantityOf: boundQuantity, least: 0 },
  ]
  for (const { what, whole, quantityOf, least } of bounds) {
    const approved = approvedFor({ ...purchase, orders: after }, quantityOf)
    const limit = limitOf(approved, share)
    if (whole > limit && whole > least) {
      return limitFault(
        dearer,
        `${what}合计 ${displayYuan(whole)} 元，超过相应明细的批准金额 ${displayYuan(approved)} 元的 ${share}%（最多 ${displayYuan(maxFen(limit, least))} 元）；请按不超过限额的单价收货，确需涨价的，${remedyOf(purchase)}`,
      )
    }
  }
  return []
}
