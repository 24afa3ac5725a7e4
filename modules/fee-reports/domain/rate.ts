import type { Fen } from '#kit/domain/money.ts'

/**
 * Two decimals, half up; nothing where there is nothing to divide by (STAT-13). Whole numbers, not negative
 * below.
 */
export function formatPercent(top: number, bottom: number): string | undefined {
  if (bottom <= 0) return undefined
  const n = BigInt(top) * 20_000n
  const b = BigInt(bottom) * 2n
  const cut = (n < 0n ? -1n : 1n) * (((n < 0n ? -n : n) + BigInt(bottom)) / b)
  const abs = cut < 0n ? -cut : cut
  return `${cut < 0n ? '-' : ''}${abs / 100n}.${String(abs % 100n).padStart(2, '0')}%`
}

/** A month of principal, fen: CLO-4 with what STAT-5 asks beside it. */
export interface MonthFigures {
  readonly opening: Fen
  readonly adjusted: Fen
  readonly billed: Fen
  readonly discount: Fen
  /** Paid for this month: before it, in it, after it. */
  readonly paidBefore: Fen
  readonly received: Fen
  readonly paidAfter: Fen
  /** Paid in it for earlier months, and for later ones. */
  readonly recovered: Fen
  readonly prepaid: Fen
  readonly writtenOff: Fen
  readonly closing: Fen
}

/** What is left of CLO-4; nought, always. */
export const computeImbalance = (m: MonthFigures): Fen =>
  m.opening +
  m.adjusted +
  m.billed -
  m.discount -
  m.paidBefore -
  m.received -
  m.recovered -
  m.writtenOff -
  m.closing

/** STAT-4: net of discount. */
export const dueOf = (m: Pick<MonthFigures, 'billed' | 'discount'>): Fen => m.billed - m.discount

/** STAT-4: whenever paid. */
export const paidOf = (m: Pick<MonthFigures, 'paidBefore' | 'received' | 'paidAfter'>): Fen =>
  m.paidBefore + m.received + m.paidAfter

/** What was owed at the start of the month, with what was found out about it since. */
export const oldOf = (m: Pick<MonthFigures, 'opening' | 'adjusted'>): Fen => m.opening + m.adjusted

/** STAT-4, STAT-5: 当期收缴率、清欠率、综合收缴率、欠费率. */
export function computeRates(m: Omit<MonthFigures, 'closing' | 'writtenOff' | 'prepaid'>) {
  const due = dueOf(m)
  const paid = paidOf(m)
  const old = oldOf(m)
  return {
    currentRate: formatPercent(paid, due),
    clearRate: formatPercent(m.recovered, old),
    overallRate: formatPercent(paid + m.recovered, due + old),
    owedRate: formatPercent(due - paid, due),
  }
}

/**
 * STAT-5: money for bills in the month; the rest of the tills (late fees, prestore, deposits …) comes on top.
 */
export const sumCashForBills = (m: Pick<MonthFigures, 'received' | 'recovered' | 'prepaid'>): Fen =>
  m.received + m.recovered + m.prepaid
