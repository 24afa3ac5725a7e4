import type { Fen } from '#kit/domain/money.ts'
import type { Bill } from '#modules/bills/contract/bill.ts'

type ChargedItem = Pick<Bill, 'feeType' | 'feeItemName'>

/** C27-8: a bill of a deposit item is paid into a deposit, never as income. */
export const isDepositBill = (bill: Pick<Bill, 'feeType'>): boolean => bill.feeType === 'deposit'

/** Why these bills cannot be paid at once: a deposit has a receipt of its own, apart from what is income. */
export function depositMixRefusal(bills: readonly ChargedItem[]): string | undefined {
  const deposit = bills.find(isDepositBill)
  return deposit && !bills.every(isDepositBill)
    ? `「${deposit.feeItemName}」是押金，不是收入，请与其他费用分开收款`
    : undefined
}

/**
 * Why a deposit cannot be taken so. It is refunded in money, so it comes in as money: neither prestore with
 * its gifts (ACC-3) nor a coupon. It is taken whole: what a part would leave could not be ended.
 */
export function depositPaymentRefusal(
  bills: readonly ChargedItem[],
  payment: { readonly usesOwnMoney: boolean; readonly remaining: Fen },
): string | undefined {
  const deposit = bills.find(isDepositBill)
  if (!deposit) return undefined
  if (payment.usesOwnMoney)
    return `「${deposit.feeItemName}」是押金，不能用预存或券支付，请收现金、转账或 POS`
  return payment.remaining > 0 ? `「${deposit.feeItemName}」是押金，请一次收清` : undefined
}
