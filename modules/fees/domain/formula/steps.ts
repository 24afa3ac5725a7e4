import { compare, subtract, zero, add, multiply, type Fraction } from '../fraction.ts'
import { CalculationError } from './errors.ts'

/** Up to `to` (nothing: without end) each unit costs `price`. Upper bounds rise. */
export interface Step {
  readonly to?: Fraction
  readonly price: Fraction
}

/**
 * Marginal tiers: each part of the quantity at the price of its own tier (MTR-14, FEE-21). T-FEE-08: 32 over
 * 15@2.8, 25@4.2, *@8.4 → 142.80. Throws CalculationError when the quantity is negative or the bounds do not
 * rise.
 */
export function priceBySteps(quantity: Fraction, steps: readonly Step[]): Fraction {
  if (quantity.numerator < 0n) throw new CalculationError('argument', '阶梯计价的用量不能为负')
  let total = zero
  let low = zero
  let done = false
  for (const { to, price } of steps) {
    if (to && compare(to, low) <= 0) throw new CalculationError('argument', '阶梯上限应逐档增大')
    if (done) continue
    const last = !to || compare(quantity, to) <= 0
    total = add(total, multiply(subtract(last ? quantity : to, low), price))
    if (last) {
      done = true
    } else {
      low = to
    }
  }
  if (!done) throw new CalculationError('argument', '用量超出最后一档，请为阶梯补充“以上部分”的单价')
  return total
}
