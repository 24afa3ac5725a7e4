import { subtractFen } from '#kit/domain/money.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import type { payBills } from '../contract/payment.ts'

export type PaymentResult = NonNullable<typeof payBills.output.T>

/** What a payment at the counter did, each sum that is not zero. */
export const describePayment = (result: PaymentResult): string => {
  // What prestore paid came in before: it is no new money (C27-9).
  const offset = subtractFen(result.tendered, result.change, result.received)
  const sums = [
    ['已收', result.received],
    ['预存抵扣', offset],
    ['抹零', result.roundOff],
    ['找零', result.change],
    ['转预存', result.toPrestore],
  ] as const
  return [
    ...sums.filter(([, fen]) => fen > 0).map(([label, fen]) => `${label} ${displayYuanWithSymbol(fen)}`),
    ...(result.unpaid > 0
      ? [
          `结清 ${result.settledCount} 张`,
          `未收 ${displayYuanWithSymbol(result.unpaid)}（${result.unsettledCount} 张）`,
        ]
      : []),
    `收据 ${result.receiptNo}`,
  ].join('，')
}
