import { useState } from 'react'
import type { Day } from '#kit/domain/day.ts'
import { sumFen } from '#kit/domain/money.ts'
import { useCall } from '#kit/web/query.ts'
import { quoteBills } from '../contract/payment.ts'
import type { CashierBill } from './cashier-extensions.ts'

/**
 * What the selected bills owe, on the day to which the payment is dated (PAY-9): late fees count to that day.
 * The server says how many days back are allowed.
 */
export function useBackDatedTotal(bills: readonly CashierBill[]) {
  const [payDay, setPayDay] = useState<Day>()
  const isBackDated = payDay !== undefined && bills.length > 0
  const quote = useCall(
    quoteBills,
    { billIds: bills.map(bill => String(bill.billId)), ...(payDay ? { payDay } : {}) },
    { quiet: true, enabled: isBackDated, staleMs: 0 },
  )
  const total = (payDay ? quote.data?.total : undefined) ?? sumFen(bills.map(bill => bill.total))
  return {
    payDay,
    setPayDay,
    total,
    isQuoting: isBackDated && !quote.data,
    note: quote.isError ? quote.error.message : '违约金按该日计',
  }
}
