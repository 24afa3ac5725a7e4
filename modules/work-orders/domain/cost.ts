import type { ChoiceOf } from '#kit/contract/field.ts'
import { compare, fromFen, mul, round, toFen, type Decimal } from '#kit/domain/decimal.ts'
import { AmountOutOfRange, asFen, formatYuan, subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import type { chargeLineKind, chargeState } from '../contract/choices.ts'
import { actionRefusal, type OrderState } from './order-actions.ts'

export interface CostLine {
  readonly lineKind: ChoiceOf<typeof chargeLineKind>
  readonly name: string
  readonly quantity: Decimal
  readonly price: Fen
}

export interface OrderCost {
  readonly laborCost: Fen
  readonly materialCost: Fen
  readonly waiveCost: Fen
  /** Labour and material less the waiver: what is due where no warranty covers it (WO-8). */
  readonly totalCost: Fen
}

/** The most an order may cost: what one bill may be. */
const maxCost = asFen(9_999_999_999)

type Priced = Pick<CostLine, 'quantity' | 'price'>

/** Quantity × price, half up to the fen: 2.335 m at 12.50 are 29.19. Nothing beyond what one bill may be. */
export function lineAmount({ quantity, price }: Priced): Fen | undefined {
  const yuan = round(mul(quantity, fromFen(price)), 2)
  return compare(yuan, fromFen(maxCost)) > 0 ? undefined : toFen(yuan)
}

const requireLineAmount = (line: Priced): Fen => {
  const amount = lineAmount(line)
  if (amount === undefined) throw new AmountOutOfRange(`金额超过 ${formatYuan(maxCost)} 元，请核对数量与单价`)
  return amount
}

/** What all lines come to. Nothing beyond what one bill may be. */
export function grossCost(lines: readonly Priced[]): Fen | undefined {
  const amounts = lines.flatMap(line => lineAmount(line) ?? [])
  const gross = sumFen(amounts)
  return amounts.length < lines.length || gross > maxCost ? undefined : gross
}

/** A quantity or a price with digits too many: no bill could be made of it. */
export function costLimitFault(lines: readonly CostLine[]): string | undefined {
  const limit = formatYuan(maxCost)
  const line = lines.find(one => lineAmount(one) === undefined)
  if (line) return `「${line.name}」的金额超过 ${limit} 元，请核对数量与单价`
  return grossCost(lines) === undefined ? `费用合计超过 ${limit} 元，请核对数量与单价` : undefined
}

/** What is wrong with the waiver of a cost; nothing where it is fine. */
export function costFault(lines: readonly CostLine[], waived: Fen): string | undefined {
  const gross = sumFen(lines.map(requireLineAmount))
  if (waived < 0) return '减免不能小于零'
  if (waived > gross) return `减免不能超过费用合计 ${formatYuan(gross)} 元`
  return undefined
}

/** WO-8: labour + materials − waived. Throws AmountOutOfRange where `costLimitFault` finds a fault. */
export function computeCost(lines: readonly CostLine[], waived: Fen): OrderCost {
  const sumOf = (kind: CostLine['lineKind']): Fen =>
    sumFen(lines.filter(line => line.lineKind === kind).map(requireLineAmount))
  const laborCost = sumOf('labour')
  const materialCost = sumOf('material')
  return {
    laborCost,
    materialCost,
    waiveCost: waived,
    totalCost: subtractFen(sumFen([laborCost, materialCost]), waived),
  }
}

/** What the requester has to pay: nothing under warranty. */
export const payableCost = (order: { readonly totalCost: Fen; readonly isWarranty: boolean }): Fen =>
  order.isWarranty ? 0 : order.totalCost

/** Why the cost of an order may not be changed in its state (C12.1), and what is to be done instead. */
export const costTimeRefusal = (order: {
  readonly state: OrderState
  readonly payState?: ChoiceOf<typeof chargeState> | undefined
}): string | undefined => {
  const refusal = actionRefusal('modifyCost', order.state)
  if (refusal === undefined || order.state !== 'unrated') return refusal
  return order.payState === 'paid'
    ? costChangeRefusal({ state: 'paid', paidAmount: 0 })
    : '工单已处理完成且无需付款，不能改价；漏记的费用请登记关联工单收取'
}

/** What was paid before the work was reopened stays paid (T-WO-04). */
export const paidBeforeRefusal = '此前的费用已支付，不能修改；本次新增的费用请登记关联工单收取'

/** T-WO-04: why the cost may no longer be changed. */
export const costChangeRefusal = (
  charge: { readonly state: ChoiceOf<typeof chargeState>; readonly paidAmount: Fen } | undefined,
): string | undefined => {
  const state = charge?.state
  if (state === 'unpaid' && charge && charge.paidAmount > 0)
    return '费用已部分支付，不能修改；需要更正时请先退款，账单恢复欠费'
  if (state === 'paid') return '费用已支付，不能修改；需要更正时请先退款，账单恢复欠费'
  return undefined
}
