import type { Bill as Row } from '../contract/bill.ts'
import { monthOf } from '#kit/domain/month.ts'
import { daysInMonth, firstOfMonth, type Day } from '#kit/domain/day.ts'
import type { Bill } from './bill.ts'

/** A row as its rules look at it. */
export const toBill = (row: Row): Bill => ({
  id: row.id,
  amount: row.amount,
  discount: row.discountAmount,
  paidPrincipal: row.paidPrincipal,
  lateDue: row.lateFeeDue,
  latePaid: row.lateFeePaid,
  lateWaived: row.lateFeeWaived,
  lateManual: row.lateFeeManual,
  begin: row.beginDate,
  end: row.endDate,
  dueDate: row.dueDate,
  state: row.state,
  payState: row.payState,
  lockedUntil: row.lockUntil,
  refundState: row.refundState,
  invoiceState: row.invoiceState,
  deleted: false,
  source: row.billSource,
  deposit: row.feeType === 'deposit',
  notified: row.urgeCount > 0,
})

/**
 * `2026-09`, `2026-07 ~ 09`, `2026-12 ~ 2027-02`, `2026 全年`; days where the period does not begin and end
 * with months.
 */
export function formatPeriod(begin: Day, end: Day): string {
  if (begin === end) return begin
  if (begin !== firstOfMonth(begin) || Number(end.slice(8)) !== daysInMonth(end))
    return begin.slice(0, 4) === end.slice(0, 4) ? `${begin} ~ ${end.slice(5)}` : `${begin} ~ ${end}`
  const [a, b] = [monthOf(begin), monthOf(end)]
  if (a === b) return a
  if (a.slice(0, 4) !== b.slice(0, 4)) return `${a} ~ ${b}`
  return a.endsWith('-01') && b.endsWith('-12') ? `${a.slice(0, 4)} 全年` : `${a} ~ ${b.slice(5)}`
}
