import { defined } from '#kit/domain/defined.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { monthOf, type Month } from '#kit/domain/month.ts'
import { splitByMonth, type Period } from '#kit/domain/period.ts'

/** A bill's row for one natural month (STAT-2). */
export interface MonthRow {
  readonly month: Month
  readonly days: number
  readonly receivable: Fen
  readonly discount: Fen
  readonly paid: Fen
}

/** Rounds down by days, the remainder in the last month. */
const splitByDays = (total: Fen, days: readonly number[], totalDays: number): Fen[] => {
  const rows = days.map(d => Number((BigInt(total) * BigInt(d)) / BigInt(totalDays)))
  const last = rows.length - 1
  rows[last] = defined(rows[last]) + total - rows.reduce((a, b) => a + b, 0)
  return rows.map(asFen)
}

/**
 * The paid amount is spread like the receivable by shares of the running total, so that it never exceeds
 * the receivable of a month.
 */
const splitInProportion = (total: Fen, rows: readonly Fen[], totalWeight: Fen): Fen[] => {
  let sum = 0
  let before = 0
  return rows.map(weight => {
    sum += weight
    const now = totalWeight === 0 ? 0 : Number((BigInt(total) * BigInt(sum)) / BigInt(totalWeight))
    const share = asFen(now - before)
    before = now
    return share
  })
}

/**
 * Spreads a bill over natural months: by days for cyclic bills, otherwise all in the month of its begin
 * (STAT-2). The rows add up to the bill exactly, the remainder in the last month; paid ≤ receivable in
 * every row. Requires amounts ≥ 0 and paid ≤ receivable.
 */
export function spreadOverMonths(
  period: Period,
  money: { readonly receivable: Fen; readonly discount: Fen; readonly paid: Fen },
  cyclic: boolean,
): MonthRow[] {
  const pieces = splitByMonth(period)
  const days = pieces.map(x => x.days)
  const totalDays = days.reduce((a, b) => a + b, 0)
  if (!cyclic) return [{ month: monthOf(period.begin), days: totalDays, ...money }]
  const receivable = splitByDays(money.receivable, days, totalDays)
  const discount = splitByDays(money.discount, days, totalDays)
  const paid = splitInProportion(money.paid, receivable, money.receivable)
  return pieces.map((piece, i) => ({
    month: piece.month,
    days: piece.days,
    receivable: defined(receivable[i]),
    discount: defined(discount[i]),
    paid: defined(paid[i]),
  }))
}
