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
