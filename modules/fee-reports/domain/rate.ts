import { addFen, asFen, subtractFen, type Fen } from '#kit/domain/money.ts'
import { formatPercent } from '#kit/domain/percent.ts'

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
