import { addFen, asFen, subtractFen, type Fen } from '#kit/domain/money.ts'

/** Whole numbers to two decimals, half up; undefined where there is nothing to divide by (STAT-13). */
export function formatPercent(numerator: number, denominator: number): string | undefined {
  if (denominator <= 0) return undefined
  const doubled = BigInt(Math.abs(numerator)) * 20_000n
  const hundredths = (doubled + BigInt(denominator)) / (BigInt(denominator) * 2n)
  const sign = numerator < 0 && hundredths > 0n ? '-' : ''
  return `${sign}${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}%`
}

/** A month of principal, fen: CLO-4 and what STAT-5 needs beside it. */
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

/** What does not balance of CLO-4: always zero. */
export const computeImbalance = (figures: MonthFigures): Fen =>
  asFen(
    figures.opening +
      figures.adjusted +
      figures.billed -
      figures.discount -
      figures.paidBefore -
      figures.received -
      figures.recovered -
      figures.writtenOff -
      figures.closing,
  )

/** STAT-4: net of discount. */
export const dueOf = (figures: Pick<MonthFigures, 'billed' | 'discount'>): Fen =>
  subtractFen(figures.billed, figures.discount)

/** STAT-4: whenever paid. */
export const paidOf = (figures: Pick<MonthFigures, 'paidBefore' | 'received' | 'paidAfter'>): Fen =>
  addFen(figures.paidBefore, figures.received, figures.paidAfter)

/** What was owed at the start of the month, with what was found out about it since. */
export const openingOf = (figures: Pick<MonthFigures, 'opening' | 'adjusted'>): Fen =>
  addFen(figures.opening, figures.adjusted)

/** STAT-4, STAT-5: 当期收缴率、清欠率、综合收缴率、欠费率. */
export function computeRates(figures: Omit<MonthFigures, 'closing' | 'writtenOff' | 'prepaid'>) {
  const due = dueOf(figures)
  const paid = paidOf(figures)
  const opening = openingOf(figures)
  return {
    currentRate: formatPercent(paid, due),
    clearRate: formatPercent(figures.recovered, opening),
    overallRate: formatPercent(paid + figures.recovered, due + opening),
    owedRate: formatPercent(due - paid, due),
  }
}

/**
 * STAT-5: money for bills in the month; the rest of what was received (late fees, prestore, deposits …)
 * comes on top.
 */
export const sumCashForBills = (figures: Pick<MonthFigures, 'received' | 'recovered' | 'prepaid'>): Fen =>
  addFen(figures.received, figures.recovered, figures.prepaid)
