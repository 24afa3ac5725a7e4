import type { Bill as Row } from '../contract/bill.ts'
import { monthOf } from '#kit/domain/month.ts'
import { daysInMonth, firstOfMonth, type Day } from '#kit/domain/day.ts'
import type { Bill } from './bill.ts'

/** A row as its rules look at it. */
export const toBill = (r: Row): Bill => ({
  id: r.id,
  amount: r.amount,
  discount: r.discountAmount,
  paidPrincipal: r.paidPrincipal,
  lateDue: r.lateFeeDue,
  latePaid: r.lateFeePaid,
  lateWaived: r.lateFeeWaived,
  lateManual: r.lateFeeManual,
  begin: r.beginDate,
  end: r.endDate,
  dueDate: r.dueDate,
  state: r.state,
  payState: r.payState,
  lockedUntil: r.lockUntil,
  refundState: r.refundState,
  invoiceState: r.invoiceState,
  deleted: false,
  source: r.billSource,
  deposit: r.feeType === 'deposit',
  notified: r.urgeCount > 0,
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
